import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteHolidayCalendar,
  holidayCalendar,
  holidayCalendars,
  type HolidayCalendar,
  type HolidayCalendarEntry,
} from '#shared/contract/holiday-calendars.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { HolidayCalendarForm } from './HolidayCalendarForm.tsx';
import { WEEKDAYS } from '#renderer/features/schedules/additional/additional-schedule-form.ts';
import '#renderer/features/schedules/schedules.css';

const NEW: HolidayCalendar = { Id: 0, Name: '', Weekend: [6, 7], Days: [], Revision: 0 };
const TOUCHED = [holidayCalendars];

/** /holidayCalendars */
export function HolidayCalendarsPage() {
  const query = useQuery(queryOf(holidayCalendars));
  const mayChange = useProfile()?.IsUserAdmin === true;
  const [edited, setEdited] = useState<HolidayCalendar | null>(null);
  const { data } = query;
  const refresh = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: keyOf(holidayCalendars) });
    setEdited(null);
  };
  const add = mayChange && <Button intent="primary" text={t('Add calendar')} onClick={() => setEdited(NEW)} />;
  return (
    <Page title={t('Holiday calendars')} narrow>
      {!data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
      {!data && !query.error && <Skeleton kind="form" />}
      {data && edited && (
        <HolidayCalendarForm key={edited.Id} initial={edited} onSaved={refresh} onCancel={() => setEdited(null)} />
      )}
      {data && !edited && data.length === 0 && (
        <EmptyState title={t('There are no holiday calendars')} action={add}>
          {t('Schedules use them: occurrences on non-working days are skipped or moved.')}
        </EmptyState>
      )}
      {data && !edited && data.length > 0 && (
        <>
          <div className="rs-schedule-form-add">{add}</div>
          {data.map((entry) => (
            <CalendarCard key={entry.Id} entry={entry} mayChange={mayChange} onEdit={setEdited} />
          ))}
        </>
      )}
    </Page>
  );
}

interface CalendarCardProps {
  entry: HolidayCalendarEntry;
  /** Administrators of users change calendars; others only read which there are. */
  mayChange: boolean;
  onEdit: (calendar: HolidayCalendar) => void;
}

function CalendarCard({ entry, mayChange, onEdit }: CalendarCardProps) {
  const { Id, Name, Weekend, DayCount, ScheduleCount } = entry;
  const { isBusy, change } = useChange(TOUCHED);
  const [isAsking, setAsking] = useState(false);
  const params = { id: Id };
  const open = () => change(async () => onEdit(await call(holidayCalendar, { params })));
  return (
    <Card title={Name}>
      <p>
        {t('{count, plural, one {# day} other {# days}}', { count: DayCount })}
        {Weekend.length > 0 &&
          t(', and every {weekdays}', { weekdays: Weekend.map((day) => WEEKDAYS[day - 1]).join(t(' and ')) })}
        <br />
        <span className="rs-muted">
          {ScheduleCount === 0
            ? t('Not used by any schedule')
            : t('Schedules that use it: {scheduleCount}', { scheduleCount: ScheduleCount })}
        </span>
      </p>
      {mayChange && (
        <div className="rs-schedule-form-actions">
          <Button
            size="small"
            text={t('Edit')}
            aria-label={t('Edit {name}', { name: Name })}
            loading={isBusy}
            onClick={() => void open()}
          />
          <Button
            size="small"
            intent="danger"
            variant="outlined"
            text={t('Delete')}
            aria-label={t('Delete {name}', { name: Name })}
            onClick={() => setAsking(true)}
          />
        </div>
      )}
      <DeleteDialog
        isOpen={isAsking}
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() =>
          void change(() => call(deleteHolidayCalendar, { params }), t('Calendar deleted')).then(
            (isDone) => isDone && setAsking(false),
          )
        }
      >
        {t('Delete the holiday calendar {name}?', { name: Name })}
      </DeleteDialog>
    </Card>
  );
}
