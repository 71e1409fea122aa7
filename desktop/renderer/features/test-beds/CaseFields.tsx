import { Checkbox } from '@blueprintjs/core';
import { useMemo } from 'react';
import { t } from '#renderer/language/translate.ts';
import { FieldError, TextField } from '#renderer/ui/FormField.tsx';
import type { CaseField, CaseFields, CaseIssues, ExpectedField } from './case-fields.ts';
import { valueOfText } from './case-values.ts';

interface FieldsProps {
  fields: CaseFields;
  issues: CaseIssues;
  onChange: (fields: CaseFields) => void;
}

const TABLE_HELP = t('One line per row, with a tab between cells, as copied from Excel.');
const replaced = <T,>(list: readonly T[], at: number, part: Partial<T>): T[] =>
  list.map((one, index) => (index === at ? { ...one, ...part } : one));

export function InputFields({ fields, issues, onChange }: FieldsProps) {
  if (fields.inputs.length === 0)
    return <p className="rs-muted">{t('The activity has no inputs that a test case can fill in.')}</p>;
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
          label={t('Specify value')}
          checked={input.isSpecified}
          onChange={(event) => change({ isSpecified: event.currentTarget.checked })}
        />
        <ValueField
          field={input}
          otherwise={t("the workbook's value")}
          error={issues[`Inputs/${input.Name}`] ?? null}
          onChange={(text) => change({ text })}
        />
      </div>
    );
  });
}

export function OutputFields({ fields, issues, onChange }: FieldsProps) {
  if (fields.outputs.length === 0)
    return <p className="rs-muted">{t('The activity has no outputs that can be compared.')}</p>;
  const list = fields.outputs.map((output, at) => {
    const change = (part: Partial<ExpectedField>): void =>
      onChange({ ...fields, outputs: replaced(fields.outputs, at, part) });
    const field = `Expected/${output.Name}`;
    return (
      <div
        key={output.Name}
        className="rs-testbed-value"
        role="group"
        aria-label={t('Output {name}', { name: output.Name })}
      >
        <Checkbox
          label={t('Compared')}
          checked={output.isSpecified}
          onChange={(event) => change({ isSpecified: event.currentTarget.checked })}
        />
        <ValueField
          field={output}
          otherwise={t('not compared')}
          error={issues[field] ?? null}
          onChange={(text) => change({ text })}
        />
        <div className="rs-testbed-tolerances">
          <TextField
            label={t('Tolerance')}
            value={output.tolerance}
            inputMode="decimal"
            disabled={!output.isSpecified}
            onChange={(tolerance) => change({ tolerance })}
            error={issues[`${field}/Tolerance`] ?? null}
          />
          <TextField
            label={t('Tolerance in percent')}
            value={output.relative}
            inputMode="decimal"
            disabled={!output.isSpecified}
            onChange={(relative) => change({ relative })}
            error={issues[`${field}/RelativeTolerance`] ?? null}
          />
        </div>
      </div>
    );
  });
  return (
    <>
      {list}
      <FieldError id="test-case-expected-note" error={issues['Expected'] ?? null} />
    </>
  );
}

interface ValueFieldProps {
  field: CaseField;
  /** Describes what applies if the case specifies nothing. */
  otherwise: string;
  error: string | null;
  onChange: (text: string) => void;
}

const ROWS = 5;

function ValueField({ field, otherwise, error, onChange }: ValueFieldProps) {
  const { Name, Description, isSpecified, text, isTable, shape, stored } = field;
  const note = useMemo(() => {
    const read = isSpecified ? valueOfText(shape, text, stored) : null;
    return read && 'note' in read ? read.note : null;
  }, [isSpecified, shape, text, stored]);
  return (
    <TextField
      label={Name}
      labelInfo={isSpecified ? undefined : otherwise}
      helper={note ?? (isTable && isSpecified ? TABLE_HELP : Description)}
      error={error}
      value={text}
      disabled={!isSpecified}
      {...(isTable ? { rows: ROWS } : {})}
      onChange={onChange}
    />
  );
}
