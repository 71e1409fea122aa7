import { Tag } from '@blueprintjs/core';
import { Edit } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link } from 'react-router-dom';
import { listTriggers, type TriggerEntry } from '#shared/contract/triggers.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf, pagesInterval } from '#renderer/api/queries.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { ListBar, useListSearch } from '#renderer/ui/ListSearch.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { PagedItems } from '#renderer/ui/PagedItems.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { EVENTS } from './trigger-form.ts';
import { OutcomeTag } from './TriggerCard.tsx';
import { useMayEditAny } from '#renderer/features/activities/use-may-edit.ts';
import '#renderer/features/schedules/overview/overview.css';
import './triggers.css';

const INTERVAL = 30_000;
const SEARCH_MAX = 100;

/** /triggers: all triggers, which start runs on events. */
export function AllTriggersPage() {
  const [search, setSearch] = useListSearch();
  const query = useTriggers(useDeferredValue(search.trim().slice(0, SEARCH_MAX)));
  return (
    <Page title={t('Triggers')}>
      <ListBar label={t('Search triggers')} search={search} onSearch={setSearch} query={query} />
      <Entries query={query} isSearching={search.trim() !== ''} />
    </Page>
  );
}

function useTriggers(name: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(listTriggers), name],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(listTriggers, { query: { Name: name === '' ? undefined : name, Before: pageParam }, signal, polls: true }),
    getNextPageParam: ({ Items, HasMore }) => (HasMore ? Items.at(-1)?.Id : undefined),
    refetchInterval: pagesInterval(INTERVAL),
    ...keepPrevious,
  });
}

function Entries({ query, isSearching }: { query: ReturnType<typeof useTriggers>; isSearching: boolean }) {
  const mayEdit = useMayEditAny();
  const empty = isSearching ? (
    <EmptyState title={t('No triggers match the search')} />
  ) : (
    <EmptyState
      title={t('There are no triggers yet')}
      action={mayEdit && <LinkButton to="/activities/" text={t('Choose an activity')} />}
    >
      {mayEdit
        ? t(
            'An activity or checklist can start when a file arrives, a run ends, a program calls, or a query returns something new. Edit it and add a trigger.',
          )
        : t(
            'An activity or checklist can start when a file arrives, a run ends, a program calls, or a query returns something new. Anyone who can edit it can add a trigger.',
          )}
    </EmptyState>
  );
  return (
    <PagedItems query={query} label={t('Triggers')} className="rs-schedules rs-triggers" empty={empty}>
      {(item) => <Entry key={item.Id} item={item} />}
    </PagedItems>
  );
}

function Entry({ item }: { item: TriggerEntry }) {
  const { Name, Kind, OwnerKind, OwnerId, OwnerName, UserFullName, PausedTime, PausedReason, LookMessage } = item;
  const isActivity = OwnerKind === 'Activity';
  const root = isActivity ? 'activities' : 'checklists';
  return (
    <li>
      <div className="rs-schedule-name">
        <Link to={isActivity ? `/activities/${OwnerId}/` : `/checklists/runhistory/${OwnerId}/`}>
          <strong>{OwnerName}</strong>
        </Link>
        {!isActivity && <Tag minimal>{t('Checklist')}</Tag>}
        <span className="rs-muted rs-schedule-plan">
          {t('{name}: {event}, as {userFullName}', { name: Name, event: EVENTS[Kind], userFullName: UserFullName })}
        </span>
      </div>
      <div>
        {PausedTime !== null && rich('Paused since {time}', { time: <DateText value={PausedTime} /> })}
        <span className="rs-muted"> {said(PausedReason ?? LookMessage ?? '')}</span>
      </div>
      <LastFiring item={item} runPath={`/${root}/runstatus/`} />
      {item.CanEdit && (
        <div className="rs-schedule-actions">
          <LinkButton
            variant="minimal"
            size="small"
            to={`/${root}/triggers/${OwnerId}`}
            icon={<Edit />}
            text={t('Edit')}
            aria-label={t('Edit the trigger {name} of {ownerName}', { name: Name, ownerName: OwnerName })}
          />
        </div>
      )}
    </li>
  );
}

function LastFiring({ item: { Firing }, runPath }: { item: TriggerEntry; runPath: string }) {
  if (!Firing) return <div className="rs-muted">{t('It has not fired yet')}</div>;
  const { Outcome, Time, RunId, Message } = Firing;
  return (
    <div className="rs-schedule-last">
      <span>
        <OutcomeTag outcome={Outcome} /> <DateText value={Time} />
      </span>
      {RunId !== null && (
        <div>
          <Link to={`${runPath}${RunId}/`}>{t('Run {runId}', { runId: RunId })}</Link>
        </div>
      )}
      <div className="rs-muted">{said(Message)}</div>
    </div>
  );
}
