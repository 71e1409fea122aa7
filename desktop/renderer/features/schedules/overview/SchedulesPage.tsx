import { Button } from '@blueprintjs/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { listSchedules, SCHEDULE_SEARCH_MAX } from '#shared/contract/schedule-overview.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { ListBar, useListSearch } from '#renderer/ui/ListSearch.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { ScheduledEntry } from './ScheduledEntry.tsx';
import './overview.css';

const INTERVAL = 30_000;

/** /schedules: what runs by itself, soonest first. */
export function SchedulesPage() {
  const [search, setSearch] = useListSearch();
  const query = useSchedules(useDeferredValue(search.trim().slice(0, SCHEDULE_SEARCH_MAX)));
  return (
    <Page title={t('Schedules')}>
      <ListBar label={t('Search schedules')} search={search} onSearch={setSearch} query={query} />
      <ScheduleItems query={query} isSearching={search.trim() !== ''} />
    </Page>
  );
}

function useSchedules(name: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(listSchedules), name],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(listSchedules, { query: { Name: name === '' ? undefined : name, After: pageParam }, signal, polls: true }),
    getNextPageParam: (page) => page.Next ?? undefined,
    refetchInterval: INTERVAL,
    ...keepPrevious,
  });
}

function ScheduleItems({ query, isSearching }: { query: ReturnType<typeof useSchedules>; isSearching: boolean }) {
  if (!query.data) {
    return query.error ? (
      <FailureState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton kind="grid" />
    );
  }
  const items = query.data.pages.flatMap(({ Items }) => Items);
  if (items.length === 0) {
    return isSearching ? (
      <EmptyState title={t('No schedule has this in its name')} />
    ) : (
      <EmptyState
        title={t('Nothing runs by itself yet')}
        action={<LinkButton to="/activities/" text={t('Choose an activity')} />}
      >
        {t('An activity or checklist can run each day, or by weeks and months. Edit it, and set its Run Schedule.')}
      </EmptyState>
    );
  }
  return (
    <Card>
      <ul className="rs-plain-list rs-schedules" aria-label={t('Schedules')}>
        {items.map((item) => (
          <ScheduledEntry key={`${item.Kind} ${item.Id} ${item.Timetable?.Id ?? ''}`} item={item} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button text={t('Load More')} loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} />
      )}
    </Card>
  );
}
