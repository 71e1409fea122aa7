import { Button, ButtonGroup, Callout } from '@blueprintjs/core';
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { HistorySearch } from '#shared/contract/run-history.ts';
import { runTimeline, TIMELINE_RUNS_MAX } from '#shared/contract/run-timeline.ts';
import { listSchedules } from '#shared/contract/schedule-overview.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf, queryOf } from '#renderer/api/queries.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { isIsoDay } from '#renderer/ui/date/iso-day.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { formatDay } from '#renderer/ui/format-date.ts';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';
import { useNow } from '#renderer/ui/use-now.ts';
import { TimelineBars } from './TimelineBars.tsx';
import { TimelineTable } from './TimelineTable.tsx';
import { placeRows, type Day } from './timeline-layout.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const isoDay = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Returns the day that begins at midnight of the user's time zone; `later` days after the given one. */
function dayOf(text: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}

/** All runs of a day that the search finds, as bars per activity, with the starts that schedules will make. */
export function RunTimeline({ search }: { search: HistorySearch }) {
  const [address, changeAddress] = useAddressValues();
  const wanted = address.get('day') ?? '';
  const [today] = useState(() => isoDay(new Date()));
  const text = isIsoDay(wanted) ? wanted : today;
  const day: Day = useMemo(() => ({ begin: dayOf(text).getTime(), end: dayOf(text, 1).getTime() }), [text]);
  const go = (later: number | null): void =>
    changeAddress((present) => {
      if (later === null) present.delete('day');
      else present.set('day', isoDay(dayOf(text, later)));
      return present;
    });
  const { Sort: _, ...narrowed } = search;
  const body = {
    ...narrowed,
    QueuedFrom: new Date(day.begin).toISOString(),
    QueuedBefore: new Date(day.end).toISOString(),
  };
  const runs = useQuery({
    ...keepPrevious,
    queryKey: [...keyOf(runTimeline), body],
    // Refreshes by events are no use of the session.
    queryFn: ({ signal, client, queryKey }) =>
      call(runTimeline, { body, signal, polls: client.getQueryData(queryKey) !== undefined }),
  });
  const schedules = useQuery({ ...queryOf(listSchedules, { query: {} }), staleTime: 60_000 });
  const seconds = useNow(true);
  // A bar in progress grows by less than a pixel per minute.
  const now = Math.floor(seconds / 60_000) * 60_000;
  const rows = useMemo(
    () => placeRows(runs.data?.Rows ?? [], schedules.data?.Items ?? [], day, now),
    [runs.data, schedules.data, day, now],
  );
  return (
    <>
      <div className="rs-bar rs-timeline-head">
        <ButtonGroup>
          <Button
            icon={<ChevronLeft />}
            aria-label={t('Previous day')}
            title={t('Previous day')}
            onClick={() => go(-1)}
          />
          <Button text={t('Today')} onClick={() => go(null)} />
          <Button icon={<ChevronRight />} aria-label={t('Next day')} title={t('Next day')} onClick={() => go(1)} />
        </ButtonGroup>
        <strong role="status">{formatDay(new Date(day.begin))}</strong>
      </div>
      <FetchFailure query={schedules} text={t('The upcoming schedules could not be loaded.')} />
      {runs.data === undefined ? (
        runs.error ? (
          <FailureState error={runs.error} onRetry={() => void runs.refetch()} />
        ) : (
          <Skeleton kind="grid" />
        )
      ) : rows.length === 0 ? (
        <EmptyState title={t('No runs on this day')} />
      ) : (
        <>
          {runs.data.IsPartial && (
            <Callout compact>
              {t('Only the newest {most} runs of the day are shown. Search for an activity to see its others.', {
                most: numberText(TIMELINE_RUNS_MAX),
              })}
            </Callout>
          )}
          <TimelineBars rows={rows} day={day} now={now} />
          <TimelineTable rows={rows} />
        </>
      )}
    </>
  );
}
