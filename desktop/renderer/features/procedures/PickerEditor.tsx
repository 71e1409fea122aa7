import { Checkbox, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { COLUMN_KINDS } from '#shared/codecs/condition-columns.ts';
import type { ParameterPicker } from '#shared/contract/procedure-settings.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { NamedColumns } from './NamedColumns.tsx';
import { pickerOfType } from './procedure-settings.ts';

interface PickerEditorProps {
  label: string;
  picker: ParameterPicker;
  onChange: (picker: ParameterPicker) => void;
}

const TYPES: { value: ParameterPicker['Type']; label: string }[] = [
  { value: 'None', label: t('None') },
  { value: 'List', label: t('List') },
  { value: 'Database', label: t('Database') },
  { value: 'Condition', label: t('Condition') },
];

/** Edits the picker from which users choose the values of an input or column. */
export function PickerEditor({ label, picker, onChange }: PickerEditorProps) {
  const { Type } = picker;
  return (
    <div className="rs-picker-editor">
      <FormField label={label}>
        {({ intent: _intent, ...field }) => (
          <HTMLSelect
            {...field}
            value={Type}
            options={TYPES}
            onChange={(event) => onChange(pickerOfType(picker, event.currentTarget.value as ParameterPicker['Type']))}
          />
        )}
      </FormField>
      {Type === 'List' && (
        <TextField
          label={t('Values for {label}', { label })}
          helper={t('One per line.')}
          rows={4}
          value={(picker.Items ?? []).join('\n')}
          onChange={(text) => onChange({ ...picker, Items: text === '' ? [] : text.split('\n') })}
        />
      )}
      {Type === 'Database' && <QueryFields label={label} picker={picker} onChange={onChange} />}
      {Type === 'Condition' && (
        <NamedColumns
          label={label}
          items={(picker.Columns ?? []).map(({ Name, Kind }) => ({ Name, kind: Kind }))}
          kinds={COLUMN_KINDS}
          onChange={(items) => onChange({ ...picker, Columns: items.map(({ Name, kind }) => ({ Name, Kind: kind })) })}
        />
      )}
      {(Type === 'List' || Type === 'Database') && (
        <Checkbox
          label={t('Reject other values')}
          checked={picker.PreventOtherValues}
          onChange={(event) => onChange({ ...picker, PreventOtherValues: event.currentTarget.checked })}
        />
      )}
    </div>
  );
}

function QueryFields({ label, picker, onChange }: PickerEditorProps) {
  return (
    <>
      <FormField label={t('Connection for {label}', { label })} limit={{ value: picker.ConnectionName ?? '', max: 60 }}>
        {(field) => (
          <InputGroup
            {...field}
            value={picker.ConnectionName ?? ''}
            onValueChange={(ConnectionName) => onChange({ ...picker, ConnectionName })}
          />
        )}
      </FormField>
      <TextField
        label={t('Query for {label}', { label })}
        helper={t(
          'A SELECT statement. Users choose from its first column. @Name stands for the value of another input.',
        )}
        rows={3}
        value={picker.Query ?? ''}
        maxLength={20_000}
        onChange={(Query) => onChange({ ...picker, Query })}
      />
    </>
  );
}
