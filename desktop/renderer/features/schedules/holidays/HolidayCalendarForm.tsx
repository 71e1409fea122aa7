import { Button } from '@blueprintjs/core';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import {
  CALENDAR_FILE_MAX,
  CALENDAR_NAME_MAX,
  HOLIDAY_NAME_MAX,
  holidayCalendar,
  readCalendarFile,
  saveHolidayCalendar,
  type Holiday,
  type HolidayCalendar,
} from '#shared/contract/holiday-calendars.ts';
import { AppFailure, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useSaving } from '#renderer/ui/query/use-saving.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DateField } from '#renderer/ui/date/DateField.tsx';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { WeekdayBoxes } from '#renderer/features/schedules/additional/AdditionalScheduleFields.tsx';

type CalendarFields = Omit<HolidayCalendar, 'Revision'>;

const openedOf = ({ Revision, ...fields }: HolidayCalendar): Opened<CalendarFields> => ({
  fields,
  revision: fields.Id === 0 ? null : Revision,
});

interface HolidayCalendarFormProps {
  initial: HolidayCalendar;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

const inOrder = (days: readonly Holiday[]): Holiday[] => days.toSorted((a, b) => (a.Day < b.Day ? -1 : 1));

export function HolidayCalendarForm({ initial, onSaved, onCancel }: HolidayCalendarFormProps) {
  const edit = useEdited(openedOf(initial), async () =>
    openedOf(await call(holidayCalendar, { params: { id: initial.Id } })),
  );
  const { fields: calendar, setFields: setCalendar } = edit;
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [attempt, setAttempt] = useState(0);
  const saving = useSaving();
  const all = issuesOf(calendar, typed);
  const shown = attempt > 0 ? all : [];
  const errorOf = (fieldId: string) => shown.find((issue) => issue.fieldId === fieldId)?.message ?? null;
  const write = (change: Partial<CalendarFields>): void => setCalendar((before) => ({ ...before, ...change }));
  /** Adds days; days that already exist take the new name. */
  const add = (days: readonly Holiday[]): void =>
    setCalendar((before) => {
      const known = new Map([...before.Days, ...days].map((holiday) => [holiday.Day, holiday]));
      return { ...before, Days: inOrder([...known.values()]) };
    });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (all.length > 0) return;
    void saving.run(t('Calendar saved'), async () => {
      await edit.save(async (Revision) => {
        await call(saveHolidayCalendar, { body: { ...calendar, Revision } });
      });
      await onSaved();
    });
  };
  return (
    <form onSubmit={submit} noValidate aria-label={t('Holiday calendar')}>
      <LeaveWarning isUnsaved={!saving.isDone && (edit.isChanged || isTyped(typed))} />
      <Card>
        <TextField
          id={NAME_ID}
          label={t('Name')}
          required
          maxLength={CALENDAR_NAME_MAX}
          value={calendar.Name}
          onChange={(Name) => write({ Name })}
          error={errorOf(NAME_ID)}
        />
        <WeekdayBoxes label={t('Weekend')} chosen={calendar.Weekend} onChange={(Weekend) => write({ Weekend })} />
      </Card>
      <Card title={t('Non-working days')}>
        <AddDay typed={typed} onType={setTyped} error={errorOf(DAY_ID)} onAdd={(holiday) => add([holiday])} />
        <AddFile onAdd={add} />
        <Days
          days={calendar.Days}
          onRemove={(day) => write({ Days: calendar.Days.filter(({ Day }) => Day !== day) })}
        />
      </Card>
      <ErrorSummary
        title={saving.failure ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={shown}
        attempt={attempt}
      />
      <EditConflict edit={edit} isSaving={saving.isSaving} />
      <div className="rs-form-actions">
        <SubmitButton text={calendar.Id === 0 ? t('Add') : t('Update')} loading={saving.isSaving} />
        <Button text={t('Cancel')} onClick={onCancel} />
      </div>
    </form>
  );
}

/** A day that is typed but not added yet. */
interface TypedDay {
  day: string;
  name: string;
}

const NOTHING_TYPED: TypedDay = { day: '', name: '' };
const NAME_ID = 'calendar-name';
const DAY_ID = 'calendar-day';

const isTyped = ({ day, name }: TypedDay): boolean => `${day}${name}`.trim() !== '';

/** A typed day that was not added would be missing without a message. */
function issuesOf({ Name }: CalendarFields, typed: TypedDay): { fieldId: string; message: string }[] {
  return [
    ...(Name.trim() === '' ? [{ fieldId: NAME_ID, message: t('Enter a name') }] : []),
    ...(isTyped(typed) ? [{ fieldId: DAY_ID, message: t('Add this day, or clear it and its name') }] : []),
  ];
}

interface AddDayProps {
  typed: TypedDay;
  onType: (typed: TypedDay) => void;
  error: string | null;
  onAdd: (holiday: Holiday) => void;
}

function AddDay({ typed, onType, error, onAdd }: AddDayProps) {
  const { day, name } = typed;
  const isDay = /^(19|20|21)\d\d-\d\d-\d\d$/.test(day);
  const add = (): void => {
    onAdd({ Day: day, Name: name.trim() });
    onType(NOTHING_TYPED);
  };
  /** Enter adds the day, instead of saving the calendar without it. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !isDay || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    add();
  };
  return (
    <div role="group" aria-label={t('Add day')} onKeyDown={onKeyDown}>
      <FormField label={t('Day')} id={DAY_ID} error={error}>
        {(field) => <DateField {...field} value={day} onChange={(value) => onType({ ...typed, day: value })} />}
      </FormField>
      <TextField
        label={t('Name of the day')}
        maxLength={HOLIDAY_NAME_MAX}
        value={name}
        onChange={(value) => onType({ ...typed, name: value })}
      />
      <div className="rs-schedule-form-actions">
        <Button text={t('Add day')} disabled={!isDay} onClick={add} />
      </div>
    </div>
  );
}

function AddFile({ onAdd }: { onAdd: (days: readonly Holiday[]) => void }) {
  const [note, setNote] = useState('');
  const chooser = useRef<HTMLInputElement>(null);
  const read = async (file: File): Promise<void> => {
    try {
      if (file.size > CALENDAR_FILE_MAX) throw new AppFailure(t('The file is larger than 1 MB'));
      const { Days, LeftOut } = await call(readCalendarFile, { body: { Text: await file.text() } });
      onAdd(Days);
      setNote(
        t(LeftOut > 0 ? 'Days from {file}: {count}; skipped entries: {leftOut}' : 'Days from {file}: {count}', {
          file: file.name,
          count: Days.length,
          leftOut: LeftOut,
        }),
      );
    } catch (error) {
      setNote(said(toFailure(error).message));
    }
  };
  return (
    <>
      <p className="rs-muted">{t('All-day events of an .ics file, from last year on, are added to the days below.')}</p>
      <div className="rs-schedule-form-actions">
        <Button text={t('Add days from file')} onClick={() => chooser.current?.click()} />
        <input
          ref={chooser}
          hidden
          type="file"
          aria-label={t('Calendar file')}
          accept=".ics,text/calendar"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            if (file) void read(file);
          }}
        />
      </div>
      <p role="status">{note}</p>
    </>
  );
}

function Days({ days, onRemove }: { days: readonly Holiday[]; onRemove: (day: string) => void }) {
  if (days.length === 0) return <p className="rs-muted">{t('None yet.')}</p>;
  return (
    <table className="rs-calendar-days" aria-label={t('Non-working days')}>
      <tbody>
        {days.map(({ Day, Name }) => (
          <tr key={Day}>
            <td>
              <DateText value={`${Day}T12:00:00Z`} as="day" />
            </td>
            <td>{Name}</td>
            <td>
              <Button
                size="small"
                variant="minimal"
                text={t('Remove')}
                aria-label={t('Remove {day}', { day: Day })}
                onClick={() => onRemove(Day)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
