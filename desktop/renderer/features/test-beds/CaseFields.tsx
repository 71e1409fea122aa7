import { Checkbox } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import type { CaseField, CaseFields, ExpectedField } from './case-fields.ts';

interface FieldsProps {
  fields: CaseFields;
  onChange: (fields: CaseFields) => void;
}

const TABLE_HELP = t('A line for each row, with a tab between two cells: as it is copied from Excel.');
const replaced = <T,>(list: readonly T[], at: number, part: Partial<T>): T[] =>
  list.map((one, index) => (index === at ? { ...one, ...part } : one));

export function InputFields({ fields, onChange }: FieldsProps) {
  if (fields.inputs.length === 0)
    return <p className="rs-muted">{t('The activity has no input that a case could fill.')}</p>;
  return fields.inputs.map((input, at) => {
    const change = (part: Partial<CaseField>): void =>
      onChange({ ...fields, inputs: replaced(fields.inputs, at, part) });
    return (
      <div
        key={input.Name}
        className="rs-testbed-value"
        role="group"
        aria-label={t('Input {name}', { name: input.Name })}
      >
        <Checkbox
          label={t('Given')}
          checked={input.isGiven}
          onChange={(event) => change({ isGiven: event.currentTarget.checked })}
        />
        <ValueField field={input} otherwise={t("the workbook's own")} onChange={(text) => change({ text })} />
      </div>
    );
  });
}

export function OutputFields({ fields, onChange }: FieldsProps) {
  if (fields.outputs.length === 0)
    return <p className="rs-muted">{t('The activity has no output that could be compared.')}</p>;
  return fields.outputs.map((output, at) => {
    const change = (part: Partial<ExpectedField>): void =>
      onChange({ ...fields, outputs: replaced(fields.outputs, at, part) });
    return (
      <div
        key={output.Name}
        className="rs-testbed-value"
        role="group"
        aria-label={t('Output {name}', { name: output.Name })}
      >
        <Checkbox
          label={t('Compared')}
          checked={output.isGiven}
          onChange={(event) => change({ isGiven: event.currentTarget.checked })}
        />
        <ValueField field={output} otherwise={t('not looked at')} onChange={(text) => change({ text })} />
        <div className="rs-testbed-tolerances">
          <TextField
            label={t('Tolerance')}
            value={output.tolerance}
            inputMode="decimal"
            disabled={!output.isGiven}
            onChange={(tolerance) => change({ tolerance })}
          />
          <TextField
            label={t('Tolerance in percent')}
            value={output.relative}
            inputMode="decimal"
            disabled={!output.isGiven}
            onChange={(relative) => change({ relative })}
          />
        </div>
      </div>
    );
  });
}

interface ValueFieldProps {
  field: CaseField;
  /** What is taken where the case says nothing. */
  otherwise: string;
  onChange: (text: string) => void;
}

const ROWS = 5;

function ValueField({ field: { Name, Description, isGiven, text, isTable }, otherwise, onChange }: ValueFieldProps) {
  return (
    <TextField
      label={Name}
      labelInfo={isGiven ? undefined : otherwise}
      helper={isTable && isGiven ? TABLE_HELP : Description}
      value={text}
      disabled={!isGiven}
      {...(isTable ? { rows: ROWS } : {})}
      onChange={onChange}
    />
  );
}
