import { Button } from '@blueprintjs/core';
import { useRef, useState, type FormEvent } from 'react';
import {
  CALENDAR_FILE_MAX,
  CALENDAR_NAME_MAX,
  HOLIDAY_NAME_MAX,
  readCalendarFile,
  saveHolidayCalendar,
  type Holiday,
  type HolidayCalendar,
} from '#shared/contract/holiday-calendars.ts';
import { AppFailure, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useSaving } from '#renderer/ui/query/use-saving.ts';
import { t } from '#renderer/language/translate.ts';
import { DateField } from '#renderer/ui/date/DateField.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { withDays } from './holiday-days.ts';
import { WeekdayBoxes } from '#renderer/features/schedules/additional/AdditionalScheduleFields.tsx';

interface HolidayCalendarFormProps {
  initial: HolidayCalendar;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

const NO_DAY: Holiday = { Day: '', Name: '' };

const isWholeDay = ({ Day }: Holiday): boolean => /^(19|20|21)\d\d-\d\d-\d\d$/.test(Day);

const trimmed = ({ Day, Name }: Holiday): Holiday => ({ Day, Name: Name.trim() });

export function HolidayCalendarForm({ initial, onSaved, onCancel }: HolidayCalendarFormProps) {
  const [calendar, setCalendar] = useState(initial);
  const [typed, setTyped] = useState<Holiday>(NO_DAY);
  const [attempt, setAttempt] = useState(0);
  const saving = useSaving();
  const isNameless = calendar.Name.trim() === '';
  const error = attempt > 0 && isNameless ? t('Enter a name') : null;
  const write = (change: Partial<HolidayCalendar>): void => setCalendar((before) => ({ ...before, ...change }));
  const add = (days: readonly Holiday[]): void =>
    setCalendar((before) => ({ ...before, Days: withDays(before.Days, days) }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (isNameless) return;
    void saving.run(t('Calendar saved'), async () => {
      // A day that was typed but not added is meant too.
      const Days = isWholeDay(typed) ? withDays(calendar.Days, [trimmed(typed)]) : calendar.Days;
      await call(saveHolidayCalendar, { body: { ...calendar, Days } });
      await onSaved();
    });
  };
  return (
    <form onSubmit={submit} noValidate aria-label={t('Holiday calendar')}>
      <LeaveWarning isUnsaved={!saving.isDone && (calendar !== initial || typed.Day + typed.Name !== '')} />
      <Card>
        <TextField
          id="calendar-name"
          label={t('Name')}
          required
          maxLength={CALENDAR_NAME_MAX}
          value={calendar.Name}
          onChange={(Name) => write({ Name })}
          error={error}
        />
        <WeekdayBoxes label={t('Weekend')} chosen={calendar.Weekend} onChange={(Weekend) => write({ Weekend })} />
      </Card>
      <Card title={t('Non-working days')}>
        <AddDay typed={typed} onType={setTyped} onAdd={(day) => add([day])} />
        <AddFile onAdd={add} />
        <Days
          days={calendar.Days}
          onRemove={(day) => write({ Days: calendar.Days.filter(({ Day }) => Day !== day) })}
        />
      </Card>
      <ErrorSummary
        title={saving.failure ?? (error && t('Please correct the errors shown.'))}
        issues={error ? [{ fieldId: 'calendar-name', message: error }] : []}
        attempt={attempt}
      />
      <div className="rs-form-actions">
        <SubmitButton text={calendar.Id === 0 ? t('Add') : t('Update')} loading={saving.isSaving} />
        <Button text={t('Cancel')} onClick={onCancel} />
      </div>
    </form>
  );
}

interface AddDayProps {
  typed: Holiday;
  onType: (typed: Holiday) => void;
  onAdd: (holiday: Holiday) => void;
}

function AddDay({ typed, onType, onAdd }: AddDayProps) {
  const { Day, Name } = typed;
  return (
    <>
      <FormField label={t('Day')}>
        {(field) => <DateField {...field} value={Day} onChange={(day) => onType({ Day: day, Name })} />}
      </FormField>
      <TextField
        label={t('Name of the day')}
        maxLength={HOLIDAY_NAME_MAX}
        value={Name}
        onChange={(name) => onType({ Day, Name: name })}
      />
      <div className="rs-schedule-form-actions">
        <Button
          text={t('Add day')}
          disabled={!isWholeDay(typed)}
          onClick={() => {
            onAdd(trimmed(typed));
            onType(NO_DAY);
          }}
        />
      </div>
    </>
  );
}

function AddFile({ onAdd }: { onAdd: (days: readonly Holiday[]) => void }) {
  const [said, setSaid] = useState('');
  const chooser = useRef<HTMLInputElement>(null);
  const read = async (file: File): Promise<void> => {
    try {
      if (file.size > CALENDAR_FILE_MAX) throw new AppFailure(t('The file is larger than 1 MB'));
      const { Days, LeftOut } = await call(readCalendarFile, { body: { Text: await file.text() } });
      onAdd(Days);
      setSaid(
        t(LeftOut > 0 ? 'Days from {file}: {count}; skipped entries: {leftOut}' : 'Days from {file}: {count}', {
          file: file.name,
          count: Days.length,
          leftOut: LeftOut,
        }),
      );
    } catch (error) {
      setSaid(toFailure(error).message);
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
      <p role="status">{said}</p>
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
