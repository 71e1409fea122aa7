import { Button, Checkbox, Tag } from '@blueprintjs/core';
import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import type { ParameterSettings } from '#shared/contract/procedure-settings.ts';
import type { ProcedureParameter } from '#shared/contract/procedures.ts';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { PickerEditor } from './PickerEditor.tsx';
import {
  askedAs,
  isAsked,
  isFile,
  isTable,
  mayBeNumber,
  pickerAt,
  usageText,
  withPicker,
  type EditedParameter,
} from './procedure-settings.ts';

interface ParameterRowProps {
  edited: EditedParameter;
  isFirst: boolean;
  isLast: boolean;
  onChange: (change: Partial<ParameterSettings>) => void;
  onMove: (by: -1 | 1) => void;
}

/** A parameter: one line that says how it is asked for, and its settings when expanded. */
export function ParameterRow(props: ParameterRowProps) {
  const { edited, isFirst, isLast, onMove } = props;
  const { parameter, settings } = edited;
  const { Name } = parameter;
  return (
    <div className="rs-parameter">
      <details>
        <summary>
          <span className="rs-parameter-name">{settings.DisplayName.trim() || Name}</span>
          <span className="rs-muted rs-parameter-type">
            {isAsked(parameter) ? askedAs(parameter) : t('Output')} · {parameter.DataType}
          </span>
          <Marks {...edited} />
        </summary>
        <ParameterFields {...props} />
      </details>
      <span className="rs-parameter-order">
        <Button
          variant="minimal"
          size="small"
          icon={<ArrowUp />}
          aria-label={t('Move {name} up', { name: Name })}
          disabled={isFirst}
          onClick={() => onMove(-1)}
        />
        <Button
          variant="minimal"
          size="small"
          icon={<ArrowDown />}
          aria-label={t('Move {name} down', { name: Name })}
          disabled={isLast}
          onClick={() => onMove(1)}
        />
      </span>
    </div>
  );
}

function Marks({ parameter, settings }: EditedParameter) {
  if (!isAsked(parameter)) return null;
  const marks = [
    parameter.Direction === 'InOut' && t('Input and output'),
    settings.Hidden && t('Hidden'),
    settings.Required && t('Required'),
    settings.MayBeLeftOut &&
      (parameter.DefaultText === null
        ? t('Optional')
        : t('Default {value}', { value: parameter.DefaultText.slice(0, 60) })),
  ].filter((mark) => mark !== false);
  return marks.map((mark) => (
    <Tag key={mark} minimal>
      {mark}
    </Tag>
  ));
}

function ParameterFields({ edited, onChange }: ParameterRowProps) {
  const { parameter, settings } = edited;
  const { Name } = parameter;
  return (
    <div className="rs-parameter-fields">
      <TextField
        label={t('Display name of {name}', { name: Name })}
        value={settings.DisplayName}
        maxLength={255}
        helper={t('{name}, if you leave this empty', { name: Name })}
        onChange={(DisplayName) => onChange({ DisplayName })}
      />
      <TextField
        label={t('Description of {name}', { name: Name })}
        rows={2}
        value={settings.Description}
        maxLength={1000}
        onChange={(Description) => onChange({ Description })}
      />
      {isTable(parameter) && <ColumnList parameter={parameter} />}
      {isAsked(parameter) && (
        <>
          <AskingChoices parameter={parameter} settings={settings} onChange={onChange} />
          {!isFile(parameter) && !parameter.Items && <Pickers edited={edited} onChange={onChange} />}
        </>
      )}
    </div>
  );
}

/** Pickers of a parameter. A table has one per column, collapsed, because most columns have none. */
function Pickers({ edited, onChange }: Pick<ParameterRowProps, 'edited' | 'onChange'>) {
  const { parameter, settings } = edited;
  const editorOf = (label: string, index: number) => (
    <PickerEditor
      key={index}
      label={label}
      picker={pickerAt(settings, index)}
      onChange={(picker) => onChange({ Pickers: withPicker(edited, index, picker) })}
    />
  );
  if (!isTable(parameter)) return editorOf(t('Picker of {name}', { name: parameter.Name }), 0);
  const picked = settings.Pickers.filter(({ Type }) => Type !== 'None').length;
  return (
    <details className="rs-parameter-pickers">
      <summary>
        {t('Pickers of the columns')} <span className="rs-muted">{picked === 0 ? t('none') : picked}</span>
      </summary>
      {parameter.Columns.map(({ Name }, index) =>
        editorOf(t('Picker of {name}, {name2}', { name: parameter.Name, name2: Name }), index),
      )}
    </details>
  );
}

function ColumnList({ parameter: { Columns } }: { parameter: ProcedureParameter }) {
  return (
    <div className="rs-field">
      <span className="rs-field-label">{t('Columns')}</span>
      <ul className="rs-plain-list rs-parameter-columns">
        {Columns.map(({ Name, DataType, CellUsage }) => (
          <li key={Name}>
            {Name} <span className="rs-muted">{`${usageText(CellUsage)} · ${DataType}`}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Further choices for an input, apart from its kind. */
function AskingChoices({
  parameter,
  settings,
  onChange,
}: {
  parameter: ProcedureParameter;
  settings: ParameterSettings;
  onChange: (change: Partial<ParameterSettings>) => void;
}) {
  return (
    <>
      <Checkbox
        label={t('Hidden: the form does not show it; its preset or default value is used')}
        checked={settings.Hidden}
        onChange={(event) => onChange({ Hidden: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('Required: a value must be entered')}
        checked={settings.Required}
        onChange={(event) => onChange({ Required: event.currentTarget.checked })}
      />
      {parameter.HasDefault !== false && (
        <Checkbox
          label={t('Optional: if no value is specified, the default of the procedure is used')}
          checked={settings.MayBeLeftOut}
          onChange={(event) => onChange({ MayBeLeftOut: event.currentTarget.checked })}
        />
      )}
      {mayBeNumber(parameter) && (
        <Checkbox
          label={t('Treat as a number: values of more than 15 digits are rejected')}
          checked={settings.AsNumber}
          onChange={(event) => onChange({ AsNumber: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
