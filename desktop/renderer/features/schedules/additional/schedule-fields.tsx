/** Fields that the forms of schedules and triggers share. */
import { HTMLSelect } from '@blueprintjs/core';
import { MAX_SCHEDULE_NAME_LENGTH } from '#shared/contract/additional-schedules.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';

export const fieldId = (field: string): string => `schedule-${field.replaceAll(/\W/g, '-')}`;

interface ChoiceProps<T extends string> {
  label: string;
  field: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  error?: string | null;
  helper?: string;
}

export function Choice<T extends string>({ label, field, value, options, onChange, error, helper }: ChoiceProps<T>) {
  return (
    <FormField label={label} id={fieldId(field)} error={error} helper={helper}>
      {({ intent: _intent, ...control }) => (
        <HTMLSelect
          {...control}
          value={value}
          options={[...options]}
          onChange={(event) => onChange(event.currentTarget.value as T)}
        />
      )}
    </FormField>
  );
}

interface FieldProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  error: string | null;
}

export function NameField({ value, onChange, error }: FieldProps<string>) {
  return (
    <TextField
      id={fieldId('Name')}
      label={t('Name')}
      required
      maxLength={MAX_SCHEDULE_NAME_LENGTH}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}

export function TimeZoneField({ value, onChange, error, helper }: FieldProps<string> & { helper: string }) {
  return (
    <TextField
      id={fieldId('TimeZone')}
      label={t('Time zone')}
      maxLength={64}
      value={value}
      onChange={onChange}
      error={error}
      helper={helper}
    />
  );
}

export function PausedNote() {
  return <p role="note">{t('It is paused. If you save it, it resumes and runs under your name.')}</p>;
}

const OVERLAPS = [
  { value: 'Wait', label: t('Wait until it has ended') },
  { value: 'Skip', label: t('Skip this one') },
  { value: 'Start', label: t('Start anyway') },
] as const;
type Overlap = (typeof OVERLAPS)[number]['value'];

export function OverlapField({ value, onChange }: Omit<FieldProps<Overlap>, 'error'>) {
  return (
    <Choice
      label={t('If the previous run has not ended')}
      field="Overlap"
      value={value}
      options={OVERLAPS}
      onChange={onChange}
    />
  );
}
