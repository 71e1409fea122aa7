import { Button } from '@blueprintjs/core';
import { Cross, Tick } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { dismissAccessNotice } from '#shared/contract/access-requests.ts';
import { dismissAlertNotice } from '#shared/contract/alert-firings.ts';
import { dismissApproval } from '#shared/contract/approvals.ts';
import {
  clearNotifications,
  dismissChecklistNotification,
  dismissSucceededGroup,
  NOTIFICATION_CHOICE_MAX,
  notifications,
  readNotifications,
  type AccessNotification,
  type AlertNotification,
  type ApprovalNotification,
  type ChecklistNotification,
  type NotificationChoice,
  type SucceededGroup,
} from '#shared/contract/notifications.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { AccessNotice } from '#renderer/features/access/AccessNotice.tsx';
import { t } from '#renderer/language/translate.ts';
import { LoadMore } from '#renderer/ui/LoadMore.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { combineRepeated, groupNotices, type Grouping, type NoticeGroup } from './notice-groups.ts';
import {
  AlertNotice,
  ApprovalNotice,
  ChecklistNotice,
  named,
  NotificationItem,
  SucceededNotice,
} from './NotificationItems.tsx';
import { useNotifications } from './use-notifications.ts';
import './notifications.css';

const CHOICES: readonly { value: Grouping; text: string }[] = [
  { value: 'day', text: t('By day') },
  { value: 'activity', text: t('By activity') },
];

const TOUCHED = [notifications];

/** /notifications: the notifications of the bell, with more room. */
export function NotificationsPage() {
  const [params, setParams] = useSearchParams();
  const by: Grouping = params.get('by') === 'activity' ? 'activity' : 'day';
  const query = useNotifications();
  const items = query.data?.pages.flatMap(({ Items }) => Items) ?? [];
  const first = query.data?.pages[0];
  const approvals = first?.Approvals ?? [];
  const checklists = first?.Checklists ?? [];
  const alerts = first?.Alerts ?? [];
  const accesses = first?.Access ?? [];
  const succeeded = first?.Succeeded ?? [];
  const isEmpty = [items, approvals, checklists, alerts, accesses, succeeded].every(({ length }) => length === 0);
  return (
    <Page
      title={t('Notifications')}
      actions={
        <ForAll
          upTo={items[0]?.ActivityRunId ?? null}
          approvals={approvals.filter(({ IsWaiting }) => !IsWaiting)}
          checklists={checklists}
          accesses={accesses.filter(({ Kind }) => Kind !== 'Requested')}
          owned={alerts.filter(({ IsOfOwnActivity }) => IsOfOwnActivity)}
          succeeded={succeeded}
          hasUnread={items.some(({ IsRead }) => !IsRead) || query.hasNextPage}
        />
      }
    >
      <div className="rs-bar" role="group" aria-label={t('Group')}>
        {CHOICES.map(({ value, text }) => (
          <Button
            key={value}
            text={text}
            active={by === value}
            aria-pressed={by === value}
            onClick={() => setParams(value === 'activity' ? { by: value } : {}, { replace: true })}
          />
        ))}
      </div>
      {!query.data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
      {!query.data && !query.error && <Skeleton kind="grid" />}
      {query.data && isEmpty && (
        <EmptyState title={t('No notifications')}>
          {t(
            'Here you are notified of your runs that failed, were cancelled or ended with warnings, of failures of what you own, and of approvals.',
          )}
        </EmptyState>
      )}
      <NoticeCard title={t('Alerts')}>
        {combineRepeated(alerts).map((group) => (
          <AlertNotice key={group.newest.NoticeId} group={group} />
        ))}
      </NoticeCard>
      <NoticeCard title={t('Access')}>
        {accesses.map((item) => (
          <AccessNotice key={`${item.Kind} ${item.Id}`} item={item} />
        ))}
      </NoticeCard>
      <NoticeCard title={t('Approvals')}>
        {approvals.map((item) => (
          <ApprovalNotice key={item.ApprovalId} item={item} />
        ))}
      </NoticeCard>
      <NoticeCard title={t('Scheduled checklists')}>
        {combineRepeated(checklists).map((group) => (
          <ChecklistNotice key={group.newest.ChecklistRunId} group={group} />
        ))}
      </NoticeCard>
      {groupNotices(items, by).map((group) => (
        <Group key={group.title} group={group} />
      ))}
      <LoadMore query={query} />
      <NoticeCard title={t('Succeeded')}>
        {succeeded.map((item) => (
          <SucceededNotice key={`${item.ActivityId} ${item.ActivityRunId}`} item={item} />
        ))}
      </NoticeCard>
    </Page>
  );
}

/** A card is not shown without notifications. */
function NoticeCard({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Card title={title}>
      <ul className="rs-plain-list rs-notice-page">{children}</ul>
    </Card>
  );
}

interface ForAllProps {
  /** The newest notification that is shown; null if there is none. */
  upTo: number | null;
  /** Notifications of ended approvals. */
  approvals: readonly ApprovalNotification[];
  checklists: readonly ChecklistNotification[];
  /** Without requests, which stay until they are decided. */
  accesses: readonly AccessNotification[];
  /** Failures of what the person owns. Other alerts stay, because removing them counts as having looked. */
  owned: readonly AlertNotification[];
  succeeded: readonly SucceededGroup[];
  hasUnread: boolean;
}

function ForAll({ upTo, approvals, checklists, accesses, owned, succeeded, hasUnread }: ForAllProps) {
  const { isBusy, change } = useChange(TOUCHED);
  const reason = useServerReason();
  const clear = async (): Promise<void> => {
    if (upTo !== null) await call(clearNotifications, { body: { UpTo: upTo } });
    await Promise.all(approvals.map(({ ApprovalId }) => call(dismissApproval, { params: { id: ApprovalId } })));
    await Promise.all(
      checklists.map(({ ChecklistRunId }) => call(dismissChecklistNotification, { params: { runId: ChecklistRunId } })),
    );
    await Promise.all(accesses.map(({ Id }) => call(dismissAccessNotice, { params: { id: Id } })));
    await Promise.all(owned.map(({ NoticeId }) => call(dismissAlertNotice, { params: { id: NoticeId } })));
    await Promise.all(
      succeeded.map(({ ActivityId, ActivityRunId: UpTo }) =>
        call(dismissSucceededGroup, { body: { ActivityId, UpTo } }),
      ),
    );
  };
  const others = [approvals, checklists, accesses, owned, succeeded];
  const isOff = isBusy || reason !== undefined;
  return (
    <>
      <Button
        icon={<Tick />}
        text={t('Mark all as read')}
        disabled={isOff || upTo === null || !hasUnread}
        title={reason}
        onClick={() => void change(() => call(readNotifications, { body: { UpTo: upTo! } }))}
      />
      <Button
        icon={<Cross />}
        text={t('Clear all')}
        disabled={isOff || (upTo === null && others.every(({ length }) => length === 0))}
        title={reason}
        onClick={() => void change(clear, t('Notifications cleared'))}
      />
    </>
  );
}

function Group({ group: { title, items } }: { group: NoticeGroup }) {
  const { isBusy, change } = useChange(TOUCHED);
  const reason = useServerReason();
  const ids = items.slice(0, NOTIFICATION_CHOICE_MAX).map(({ ActivityRunId }) => ActivityRunId);
  const choice: NotificationChoice = { ActivityRunIds: ids };
  return (
    <Card className="rs-notice-group">
      <div className="rs-notice-group-head">
        <h2>{title}</h2>
        <Button
          variant="minimal"
          size="small"
          text={t('Clear')}
          aria-label={t('Clear {title}', { title })}
          loading={isBusy}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void change(() => call(clearNotifications, { body: choice }))}
        />
      </div>
      <ul className="rs-plain-list rs-notice-page" aria-label={title}>
        {combineRepeated(items.map(named)).map((repeated) => (
          <NotificationItem key={repeated.newest.ActivityRunId} group={repeated} />
        ))}
      </ul>
    </Card>
  );
}
