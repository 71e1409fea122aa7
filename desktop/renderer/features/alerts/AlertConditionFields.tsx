import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { ALERT_CONDITION_MAX, ALERT_STATUSES, type AlertList } from '#shared/contract/alerts.ts';
import { holidayCalendars } from '#shared/contract/holiday-calendars.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { calendarOptions } from '#renderer/features/schedules/holidays/calendar-options.ts';
import { t } from '#renderer/language/translate.ts';
import { TimeField } from '#renderer/ui/date/TimeField.tsx';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FieldError, FormField, TextField } from '#renderer/ui/FormField.tsx';
import { DAYS, OUTCOME_LABELS, type AlertFields } from './alert-fields.ts';
import type { AlertErrorOf } from './use-alert-form.ts';

interface ConditionProps {
  fields: AlertFields;
  write: (changed: Partial<AlertFields>) => void;
  errorOf: AlertErrorOf;
}

const toggled = <T,>(chosen: readonly T[], one: T, isChosen: boolean): T[] =>
  isChosen ? [...chosen, one] : chosen.filter((other) => other !== one);

export function AlertConditionFields(props: ConditionProps & { outputs: AlertList['Outputs'] }) {
  const { fields, write, errorOf, outputs } = props;
  if (fields.Kind === 'Late') return <LateFields fields={fields} write={write} errorOf={errorOf} />;
  if (fields.Kind === 'Outcome') {
    return (
      <Choices label={t('Outcomes')} error={errorOf('Statuses')}>
        {ALERT_STATUSES.map((status) => (
          <Checkbox
            key={status}
            label={OUTCOME_LABELS[status]}
            checked={fields.Statuses.includes(status)}
            onChange={({ currentTarget }) =>
              write({ Statuses: toggled(fields.Statuses, status, currentTarget.checked) })
            }
          />
        ))}
      </Choices>
    );
  }
  if (fields.Kind === 'Long') {
    return (
      <TextField
        label={t('Times the usual duration')}
        inputMode="decimal"
        value={fields.Factor}
        onChange={(Factor) => write({ Factor })}
        helper={t('Usual = the 95th percentile of the last 50 successful runs')}
        error={errorOf('Factor')}
      />
    );
  }
  return (
    <TextField
      label={t('Condition')}
      maxLength={ALERT_CONDITION_MAX}
      value={fields.Condition}
      onChange={(Condition) => write({ Condition })}
      helper={outputsText(outputs)}
      error={errorOf('Condition')}
    />
  );
}

interface ChoicesProps {
  label: string;
  error: string | null;
  children: ReactNode;
}

function Choices({ label, error, children }: ChoicesProps) {
  const noteId = useId();
  return (
    <div role="group" aria-label={label} aria-describedby={error === null ? undefined : noteId} className="rs-field">
      <div className="rs-alert-choices">{children}</div>
      <FieldError id={noteId} error={error} />
    </div>
  );
}

function outputsText(outputs: AlertList['Outputs']): string {
  if (outputs.length === 0) return t('The activity has no output that is a single value');
  const names = outputs.map(({ Name }) => (/^\w+$/.test(Name) ? Name : `[${Name}]`));
  return t('For example {names} > 1000. You can use {names2}', {
    names: names[0],
    names2: names.slice(0, 10).join(', '),
  });
}

function LateFields({ fields, write, errorOf }: ConditionProps) {
  const query = useQuery(queryOf(holidayCalendars));
  const calendars = query.data ?? [];
  return (
    <>
      <FormField label={t('Deadline')} error={errorOf('by')}>
        {(field) => <TimeField field={field} value={fields.by} onChange={(by) => write({ by })} />}
      </FormField>
      <TextField
        label={t('Time zone')}
        maxLength={64}
        value={fields.TimeZone}
        onChange={(TimeZone) => write({ TimeZone })}
        helper={t('For example Europe/Berlin')}
        error={errorOf('TimeZone')}
      />
      <Choices label={t('Days')} error={errorOf('Days')}>
        {DAYS.map((day, index) => (
          <Checkbox
            key={day}
            label={day}
            checked={fields.Days.includes(index + 1)}
            onChange={({ currentTarget }) => write({ Days: toggled(fields.Days, index + 1, currentTarget.checked) })}
          />
        ))}
      </Choices>
      <FetchFailure query={query} text={t('The holiday calendars could not be loaded.')} />
      {(calendars.length > 0 || fields.CalendarId !== '') && (
        <FormField
          label={t('Except on non-working days of')}
          helper={t('The weekends and holidays of a holiday calendar')}
          error={errorOf('CalendarId')}
        >
          {({ intent: _intent, ...field }) => (
            <HTMLSelect
              {...field}
              value={fields.CalendarId}
              onChange={({ currentTarget }) => write({ CalendarId: currentTarget.value })}
              options={[{ value: '', label: t('No calendar') }, ...calendarOptions(calendars, fields.CalendarId)]}
            />
          )}
        </FormField>
      )}
    </>
  );
}
