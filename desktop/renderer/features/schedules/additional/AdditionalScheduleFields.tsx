import { Checkbox } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { holidayCalendars } from '#shared/contract/holiday-calendars.ts';
import { BUSINESS_DAY_MAX } from '#shared/contract/additional-schedules.ts';
import { RELATIVE_DATE_EXAMPLES } from '#shared/rules/schedules/relative-dates.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { TimeField } from '#renderer/ui/date/TimeField.tsx';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { calendarOptions } from '#renderer/features/schedules/holidays/calendar-options.ts';
import { Choice, fieldId, NameField, OverlapField, PausedNote, TimeZoneField } from './schedule-fields.tsx';
import {
  KINDS,
  typedText,
  WEEKDAYS,
  type AskedInput,
  type AdditionalScheduleFields,
} from './additional-schedule-form.ts';

export interface PartProps {
  fields: AdditionalScheduleFields;
  write: (change: Partial<AdditionalScheduleFields>) => void;
  errorOf: (field: string) => string | null;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));
const WEEKS = [t('First'), t('Second'), t('Third'), t('Fourth'), t('Last')].map((label, index) => ({
  value: String(index + 1),
  label,
}));
const WEEKDAY_OPTIONS = WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }));
const ENDS = [
  { value: 'start', label: t('From the start of the month') },
  { value: 'end', label: t('From the end of the month') },
];

export function WhenPart({ fields, write, errorOf }: PartProps) {
  return (
    <Card title={t('When')}>
      {fields.isPaused && <PausedNote />}
      <NameField value={fields.Name} onChange={(Name) => write({ Name })} error={errorOf('Name')} />
      <Choice
        label={t('Schedule Type')}
        field="Kind"
        value={fields.Kind}
        options={KINDS}
        onChange={(Kind) => write({ Kind })}
      />
      <DayPart fields={fields} write={write} errorOf={errorOf} />
      {fields.Kind === 'Cron' ? (
        <TextField
          id={fieldId('Cron')}
          label={t('Cron')}
          maxLength={120}
          value={fields.Cron}
          onChange={(Cron) => write({ Cron })}
          error={errorOf('Cron')}
          helper={t('Minute, hour, day of the month, month, day of the week, as in 0 6 * * 1-5')}
        />
      ) : (
        <FormField label={t('Schedule Time')} required id={fieldId('time')} error={errorOf('time')}>
          {(field) => <TimeField field={field} value={fields.time} onChange={(time) => write({ time })} />}
        </FormField>
      )}
      <TimeZoneField
        value={fields.TimeZone}
        onChange={(TimeZone) => write({ TimeZone })}
        error={errorOf('TimeZone')}
        helper={t('For example Europe/Berlin or America/New_York')}
      />
      <HolidayPart fields={fields} write={write} errorOf={errorOf} />
    </Card>
  );
}

function DayPart({ fields, write }: PartProps) {
  switch (fields.Kind) {
    case 'Weekly':
      return <WeekdayBoxes chosen={fields.Weekdays} onChange={(Weekdays) => write({ Weekdays })} label={t('Days')} />;
    case 'MonthlyDay':
      return (
        <Choice
          label={t('Day')}
          field="Day"
          value={fields.Day}
          options={numbered(31)}
          onChange={(Day) => write({ Day })}
          helper={t('In shorter months, the last day')}
        />
      );
    case 'MonthlyWeekday':
      return (
        <>
          <Choice
            label={t('Week')}
            field="Week"
            value={fields.Week}
            options={WEEKS}
            onChange={(Week) => write({ Week })}
          />
          <Choice
            label={t('Weekday')}
            field="Weekday"
            value={fields.Weekday}
            options={WEEKDAY_OPTIONS}
            onChange={(Weekday) => write({ Weekday })}
          />
        </>
      );
    case 'MonthlyBusinessDay':
      return (
        <>
          <Choice
            label={t('Business day')}
            field="BusinessDay"
            value={fields.BusinessDay}
            options={numbered(BUSINESS_DAY_MAX)}
            onChange={(BusinessDay) => write({ BusinessDay })}
          />
          <Choice
            label={t('Counting direction')}
            field="FromEnd"
            value={fields.FromEnd ? 'end' : 'start'}
            options={ENDS}
            onChange={(end) => write({ FromEnd: end === 'end' })}
          />
        </>
      );
    default:
      return null;
  }
}

interface WeekdayBoxesProps {
  label: string;
  chosen: readonly number[];
  onChange: (weekdays: number[]) => void;
}

export function WeekdayBoxes({ label, chosen, onChange }: WeekdayBoxesProps) {
  return (
    <fieldset className="rs-schedule-weekdays">
      <legend className="rs-field-label">{label}</legend>
      {WEEKDAYS.map((name, index) => (
        <Checkbox
          key={name}
          inline
          label={name}
          checked={chosen.includes(index + 1)}
          onChange={(event) => {
            const others = chosen.filter((day) => day !== index + 1);
            onChange(event.currentTarget.checked ? [...others, index + 1].toSorted((a, b) => a - b) : others);
          }}
        />
      ))}
    </fieldset>
  );
}

const RULES = [
  { value: 'Keep', label: t('Start anyway') },
  { value: 'Skip', label: t('Skip') },
  { value: 'Before', label: t('On the business day before') },
  { value: 'After', label: t('On the business day after') },
] as const;

function HolidayPart({ fields, write, errorOf }: PartProps) {
  const query = useQuery(queryOf(holidayCalendars));
  const calendars = query.data ?? [];
  return (
    <>
      <FetchFailure query={query} text={t('The holiday calendars could not be loaded.')} />
      <Choice
        label={t('Holiday calendar')}
        field="CalendarId"
        value={fields.CalendarId}
        options={[
          { value: '', label: t('None (Monday to Friday are business days)') },
          ...calendarOptions(calendars, fields.CalendarId),
        ]}
        onChange={(CalendarId) => write(CalendarId === '' ? { CalendarId, HolidayRule: 'Keep' } : { CalendarId })}
        error={errorOf('CalendarId')}
      />
      {fields.CalendarId !== '' && (
        <Choice
          label={t('On non-working days')}
          field="HolidayRule"
          value={fields.HolidayRule}
          options={RULES}
          onChange={(HolidayRule) => write({ HolidayRule })}
        />
      )}
    </>
  );
}

export function InputsPart({ fields, write, errorOf, asked }: PartProps & { asked: readonly AskedInput[] }) {
  if (asked.length === 0) return null;
  return (
    <Card title={t('Inputs')}>
      <p className="rs-muted">
        {t(
          'If you leave an input empty, its preset or default value is used. A date can be relative to the day of the run: {examples} …',
          {
            examples: RELATIVE_DATE_EXAMPLES.slice(0, 5).join(', '),
          },
        )}
      </p>
      {asked.map(({ Name, Kind, IsNeeded }) => (
        <TextField
          key={Name}
          id={fieldId(Name)}
          label={Name}
          labelInfo={Kind === 'Text' ? undefined : said(Kind.toLowerCase())}
          required={IsNeeded}
          maxLength={1000}
          value={typedText(fields, Name)}
          onChange={(typed) => write({ inputs: { ...fields.inputs, [Name]: typed } })}
          error={errorOf(Name)}
        />
      ))}
    </Card>
  );
}

const MISSED = [
  { value: 'None', label: t('None') },
  { value: 'Last', label: t('The last one') },
  { value: 'All', label: t('All, up to a limit') },
] as const;

export function RulesPart({ fields, write, errorOf }: PartProps) {
  return (
    <Card title={t('Rules')}>
      <OverlapField value={fields.Overlap} onChange={(Overlap) => write({ Overlap })} />
      <Choice
        label={t('Start missed occurrences')}
        field="Missed"
        value={fields.Missed}
        options={MISSED}
        onChange={(Missed) => write({ Missed })}
        helper={t('Missed occurrences came due while no server was running')}
      />
      {fields.Missed === 'All' && (
        <TextField
          id={fieldId('MissedMax')}
          label={t('At most')}
          inputMode="numeric"
          value={fields.MissedMax}
          onChange={(MissedMax) => write({ MissedMax })}
          error={errorOf('MissedMax')}
        />
      )}
      {(['RetryCount', 'RetryInterval'] as const).map((field) => (
        <TextField
          key={field}
          id={fieldId(field)}
          label={field === 'RetryCount' ? t('Retry Attempts') : t('Retry Interval')}
          labelInfo={field === 'RetryCount' ? undefined : t('minutes')}
          inputMode="numeric"
          value={fields[field]}
          onChange={(text) => write({ [field]: text })}
          error={errorOf(field)}
        />
      ))}
    </Card>
  );
}
