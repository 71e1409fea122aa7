import { Button, Tag } from '@blueprintjs/core';
import { Add, Cog, Edit, Trash } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-router-dom';
import { allAlerts, type AlertEntry } from '#shared/contract/alert-rules.ts';
import { deleteAlert, testAlert } from '#shared/contract/alerts.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { ListBar, useListSearch } from '#renderer/ui/ListSearch.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { PagedItems } from '#renderer/ui/PagedItems.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { EmptyState } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { conditionText } from './alert-fields.ts';
import { MuteButton } from './MuteButton.tsx';
import { RuleDialog } from './RuleDialog.tsx';
import { scopeText } from './rule-fields.ts';
import './alerts.css';

const INTERVAL = 30_000;
const SEARCH_MAX = 100;
const TOUCHED = [allAlerts];

/** Id of the rule that is being edited; 'new' for a new rule. */
type Edited = number | 'new' | null;

/** /alerts: the alerts of activities and checklists, and rules that cover many of them. */
export function AllAlertsPage() {
  const [search, setSearch] = useListSearch();
  const [edited, setEdited] = useState<Edited>(null);
  const query = useAlerts(useDeferredValue(search.trim().slice(0, SEARCH_MAX)));
  const create = <Button icon={<Add />} intent="primary" text={t('New alert rule')} onClick={() => setEdited('new')} />;
  return (
    <Page
      title={t('Alerts')}
      description={rich('You are also notified of failures of what you own and of your own runs. {link}', {
        link: <Link to="/notifications/settings">{t('Notification settings')}</Link>,
      })}
      actions={create}
    >
      <ListBar label={t('Search alerts')} search={search} onSearch={setSearch} query={query} />
      <PagedItems
        query={query}
        label={t('Alerts')}
        className="rs-alert-list"
        empty={<NoAlerts isSearching={search.trim() !== ''} />}
      >
        {(item) => <Entry key={item.Id} item={item} onEdit={() => setEdited(item.Id)} />}
      </PagedItems>
      {edited !== null && <RuleDialog id={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function useAlerts(name: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(allAlerts), name],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(allAlerts, { query: { Name: name === '' ? undefined : name, Before: pageParam }, signal, polls: true }),
    getNextPageParam: ({ Items, HasMore }) => (HasMore ? Items.at(-1)?.Id : undefined),
    refetchInterval: INTERVAL,
    ...keepPrevious,
  });
}

function NoAlerts({ isSearching }: { isSearching: boolean }) {
  return isSearching ? (
    <EmptyState title={t('No alerts match the search')} />
  ) : (
    <EmptyState title={t('No alerts yet')}>
      {t(
        'A rule notifies you when runs of many activities fail or take too long. Alerts of a single activity are created on its page.',
      )}
    </EmptyState>
  );
}

interface EntryProps {
  item: AlertEntry;
  onEdit: () => void;
}

function Entry({ item, onEdit }: EntryProps) {
  const { Name, IsActive, Condition, Scope, UserFullName, CanEdit, LastTime } = item;
  return (
    <li>
      <div className="rs-alert-what">
        <strong>{Name}</strong> {!IsActive && <Tag minimal>{t('Off')}</Tag>}
        <div className="rs-muted">{conditionText(Condition)}</div>
      </div>
      <div className="rs-alert-where">
        <Where item={item} />
        {Scope !== null && !CanEdit && <div className="rs-muted">{t('Rule of {name}', { name: UserFullName })}</div>}
      </div>
      <div className="rs-muted">
        {LastTime === null
          ? t('It has not fired yet')
          : rich('Fired {time}', { time: <DateText value={LastTime} as="relative" /> })}
      </div>
      <div className="rs-alert-actions">
        <MuteButton item={item} />
        {CanEdit && <EditButtons item={item} onEdit={onEdit} />}
        {item.CanDelete && <DeleteButton item={item} />}
      </div>
    </li>
  );
}

function Where({ item: { OwnerKind, OwnerId, OwnerName, Scope, ScopeValue } }: { item: AlertEntry }) {
  if (Scope !== null || OwnerId === null) return scopeText(Scope ?? 'All', ScopeValue);
  const isActivity = OwnerKind === 'Activity';
  return <Link to={isActivity ? `/activities/${OwnerId}/` : `/checklists/runhistory/${OwnerId}/`}>{OwnerName}</Link>;
}

/** Alerts of a single activity are edited on the page of the activity. */
function EditButtons({ item: { Id, Name, OwnerKind, OwnerId }, onEdit }: EntryProps) {
  const { isBusy, change } = useChange(TOUCHED);
  if (OwnerKind !== 'Rule' || OwnerId !== null) {
    const root = OwnerKind === 'Activity' ? 'activities' : 'checklists';
    return (
      <LinkButton
        variant="minimal"
        size="small"
        to={`/${root}/alerts/${OwnerId}`}
        icon={<Cog />}
        text={t('Open')}
        aria-label={t('Open the alert {name}', { name: Name })}
      />
    );
  }
  return (
    <>
      <Button
        variant="minimal"
        size="small"
        text={t('Test')}
        aria-label={t('Send a test of {name}', { name: Name })}
        loading={isBusy}
        onClick={() => void change(() => call(testAlert, { params: { id: Id } }), t('Sending a test'))}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<Edit />}
        text={t('Edit')}
        aria-label={t('Edit {name}', { name: Name })}
        onClick={onEdit}
      />
    </>
  );
}

function DeleteButton({ item: { Id, Name } }: { item: AlertEntry }) {
  const { isBusy, change } = useChange(TOUCHED);
  const [isAsking, setAsking] = useState(false);
  const confirm = async (): Promise<void> => {
    if (await change(() => call(deleteAlert, { params: { id: Id } }), t('Alert deleted'))) setAsking(false);
  };
  return (
    <>
      <Button
        variant="minimal"
        size="small"
        icon={<Trash />}
        aria-label={t('Delete {name}', { name: Name })}
        onClick={() => setAsking(true)}
      />
      <DeleteDialog
        isOpen={isAsking}
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirm()}
      >
        {t('Delete the alert “{name}” and its last firings?', { name: Name })}
      </DeleteDialog>
    </>
  );
}
