import { HTMLSelect, type Intent } from '@blueprintjs/core';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { CellField } from '#renderer/ui/CellField.tsx';
import { pickerSource } from '#renderer/features/run-form/fields/picker-sources.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { cellKind } from '#renderer/features/run-form/form-inputs.ts';
import { t } from '#renderer/language/translate.ts';
import '#renderer/features/run-form/run-form.css';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { loadStaticFolders } from './static-folders.ts';
import type { PresetEditing } from './use-presets.ts';

const fieldId = ({ Id }: Input): string => `preset-${Id}`;

/** Card of values that the run page no longer asks for. Renders nothing if the activity has no single-value inputs. */
export function PresetValues({ editing, version }: { editing: PresetEditing; version: number }) {
  const { inputs, issues, failure, attempt, isUnsaved, isSaving, save } = editing;
  if (inputs.length === 0) return null;
  const listed = inputs.flatMap((input) => {
    const message = issues[input.Id];
    return message ? [{ fieldId: fieldId(input), message: `${input.Name}: ${message}` }] : [];
  });
  return (
    <Card title={t('Preset Values')}>
      <p className="rs-muted">
        {t('An input with a preset value is shown on the run page and cannot be changed there.')}
      </p>
      <form
        aria-label={t('Preset Values')}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <ErrorSummary title={failure} issues={listed} attempt={attempt} />
        {inputs.map((input) => (
          <PresetField key={input.Id} input={input} version={version} editing={editing} />
        ))}
        <div className="rs-form-actions">
          <SubmitButton text={t('Save')} disabled={!isUnsaved} loading={isSaving} />
          <span className="rs-muted" role="status">
            {isUnsaved ? t('Changes not saved') : ''}
          </span>
        </div>
      </form>
    </Card>
  );
}

function PresetField({ input, version, editing }: { input: Input; version: number; editing: PresetEditing }) {
  const value = editing.values[input.Id] ?? null;
  const kind = cellKind(input.Info, 0, 0);
  const change = (cell: FormCell): void => editing.change(input.Id, cell);
  return (
    <FormField
      label={input.Name}
      id={fieldId(input)}
      helper={input.Description}
      error={editing.issues[input.Id] ?? input.PresetValueError}
    >
      {(field) =>
        kind.usage === 'Boolean' ? (
          <BooleanPreset field={field} value={value} onChange={change} />
        ) : (
          <CellField
            field={field}
            label={input.Name}
            kind={kind}
            value={value}
            picker={presetSource(input, version)}
            disabled={false}
            readOnly={false}
            onChange={change}
          />
        )
      }
    </FormField>
  );
}

/**
 * Returns the picker source of an input. Server folders have a separate list that only users who edit activities see.
 */
function presetSource(input: Input, version: number): PickerSource | null {
  const source = pickerSource({ Id: input.ActivityId, Version: version }, input, 0);
  if (source === null || input.Info.CellUsages[0] !== 'StaticFolder') return source;
  return { ...source, key: ['static-folders', ...source.key], load: loadStaticFolders };
}

/** Select field for a Boolean preset value. "No preset value" needs its own option because it differs from FALSE. */
function BooleanPreset(props: {
  field: { id: string; intent: Intent };
  value: FormCell;
  onChange: (value: FormCell) => void;
}) {
  const { intent: _intent, ...field } = props.field;
  return (
    <HTMLSelect
      {...field}
      value={props.value === null ? '' : String(props.value)}
      onChange={(event) => {
        const { value } = event.currentTarget;
        props.onChange(value === '' ? null : value === 'true');
      }}
      options={[
        { value: '', label: t('blank') },
        { value: 'true', label: t('Yes') },
        { value: 'false', label: t('No') },
      ]}
    />
  );
}
