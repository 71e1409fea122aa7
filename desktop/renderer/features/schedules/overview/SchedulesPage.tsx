import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { listSchedules, SCHEDULE_SEARCH_MAX } from '#shared/contract/schedule-overview.ts';
import { useMayEditAny } from '#renderer/features/activities/use-may-edit.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf, pagesInterval } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { ListBar, useListSearch } from '#renderer/ui/ListSearch.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { PagedItems } from '#renderer/ui/PagedItems.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { ScheduledEntry } from './ScheduledEntry.tsx';
import './overview.css';

const INTERVAL = 30_000;

/** /schedules: all schedules, with the earliest next run first. */
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
    refetchInterval: pagesInterval(INTERVAL),
    ...keepPrevious,
  });
}

function ScheduleItems({ query, isSearching }: { query: ReturnType<typeof useSchedules>; isSearching: boolean }) {
  const mayEdit = useMayEditAny();
  const empty = isSearching ? (
    <EmptyState title={t('No schedules match the search')} />
  ) : (
    <EmptyState
      title={t('No schedules yet')}
      action={mayEdit && <LinkButton to="/activities/" text={t('Choose an activity')} />}
    >
      {mayEdit
        ? t('An activity or checklist can run daily, weekly, or monthly. Edit it and set its Run Schedule.')
        : t(
            'An activity or checklist can run daily, weekly, or monthly. Anyone who can edit it can set its Run Schedule.',
          )}
    </EmptyState>
  );
  return (
    <PagedItems query={query} label={t('Schedules')} className="rs-schedules" empty={empty}>
      {(item) => <ScheduledEntry key={`${item.Kind} ${item.Id} ${item.Timetable?.Id ?? ''}`} item={item} />}
    </PagedItems>
  );
}
