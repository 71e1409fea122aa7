import { Button, Classes } from '@blueprintjs/core';
import { Cross, Error as ErrorIcon, InfoSign, WarningSign } from '@blueprintjs/icons';
import { useState, type UIEvent } from 'react';
import { Link } from 'react-router-dom';
import { dismissApproval } from '#shared/contract/approvals.ts';
import { dismissAlertNotice, seeAlertFiring } from '#shared/contract/alert-firings.ts';
import {
  clearNotifications,
  dismissChecklistNotification,
  dismissNotification,
  dismissSucceededGroup,
  NOTIFICATION_CHOICE_MAX,
  notifications,
  readNotifications,
  type AlertNotification,
  type ApprovalNotification,
  type ChecklistNotification,
  type Notification,
  type SucceededGroup,
} from '#shared/contract/notifications.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { AccessNotice } from '#renderer/features/access/AccessNotice.tsx';
import { FailureState } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { combineRepeated, type Repeated } from './notice-groups.ts';
import type { useNotifications } from './use-notifications.ts';

/** Pixels above the end of the list at which the next page is fetched. */
const NEAR_END = 40;

export function NotificationItems({ query }: { query: ReturnType<typeof useNotifications> }) {
  const items = query.data?.pages.flatMap((page) => page.Items) ?? [];
  const approvals = query.data?.pages[0]?.Approvals ?? [];
  const checklists = query.data?.pages[0]?.Checklists ?? [];
  const alerts = query.data?.pages[0]?.Alerts ?? [];
  const accesses = query.data?.pages[0]?.Access ?? [];
  const succeeded = query.data?.pages[0]?.Succeeded ?? [];
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>): void => {
    const isNearEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    if (isNearEnd && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  };
  const all = [items, approvals, checklists, alerts, accesses, succeeded];
  if (all.every(({ length }) => length === 0)) {
    return (
      <>
        {query.error && !query.data ? (
          <FailureState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <p className="rs-notices-none">{query.data ? t('No notifications') : t('Loading')}</p>
        )}
        <AllLink />
      </>
    );
  }
  return (
    <>
      <ul className="rs-notices" aria-label={t('Notifications')} onScroll={onScroll}>
        {combineRepeated(alerts).map((group) => (
          <AlertNotice key={`alert ${group.newest.NoticeId}`} group={group} />
        ))}
        {accesses.map((item) => (
          <AccessNotice key={`access ${item.Kind} ${item.Id}`} item={item} />
        ))}
        {approvals.map((item) => (
          <ApprovalNotice key={`approval ${item.ApprovalId}`} item={item} />
        ))}
        {combineRepeated(checklists).map((group) => (
          <ChecklistNotice key={`checklist ${group.newest.ChecklistRunId}`} group={group} />
        ))}
        {combineRepeated(items.map(named)).map((group) => (
          <NotificationItem key={group.newest.ActivityRunId} group={group} />
        ))}
        {succeeded.map((item) => (
          <SucceededNotice key={`succeeded ${item.ActivityId} ${item.ActivityRunId}`} item={item} />
        ))}
      </ul>
      <AllLink />
    </>
  );
}

const AllLink = () => (
  <Link className={`rs-notices-all ${Classes.POPOVER_DISMISS}`} to="/notifications">
    {t('All notifications')}
  </Link>
);

/** 1 or lower is information, 2 is a warning, above 2 is an error. Source: specification of security, section 3. */
function lookOf(category: number) {
  if (category <= 1) return { Icon: InfoSign, kind: 'primary', word: t('Information') };
  if (category === 2) return { Icon: WarningSign, kind: 'warning', word: t('Warning') };
  return { Icon: ErrorIcon, kind: 'danger', word: t('Error') };
}

export type NamedNotification = Notification & { Name: string };

/** Names the activity as the other notifications do. */
export const named = (item: Notification): NamedNotification => ({ ...item, Name: item.ActivityName });

export function NotificationItem({ group: { newest, all } }: { group: Repeated<NamedNotification> }) {
  const { ActivityRunId, LogEntryId } = newest;
  const ids = all.slice(0, NOTIFICATION_CHOICE_MAX).map((item) => item.ActivityRunId);
  return (
    <Notice
      item={newest}
      count={all.length}
      to={`/activities/runstatus/${ActivityRunId}/`}
      dismiss={() =>
        all.length > 1
          ? call(clearNotifications, { body: { ActivityRunIds: ids } })
          : call(dismissNotification, { params: { activityRunId: ActivityRunId, logEntryId: LogEntryId } })
      }
      onOpen={all.every(({ IsRead }) => IsRead) ? null : () => void markAsRead(ActivityRunId)}
    />
  );
}

/** Opening the run marks its notification as read. */
async function markAsRead(ActivityRunId: number): Promise<void> {
  // Ignore failures: the notification then stays new, which does no harm.
  await call(readNotifications, { body: { ActivityRunIds: [ActivityRunId] } }).catch(() => undefined);
  await queryClient.invalidateQueries({ queryKey: keyOf(notifications) });
}

/** Runs of an activity that succeeded, as one line. */
export function SucceededNotice({ item }: { item: SucceededGroup }) {
  const { ActivityId, ActivityRunId, Name, Count, Time } = item;
  const Message = t('{count, plural, one {The run succeeded} other {# runs succeeded}}', { count: Count });
  return (
    <Notice
      item={{ Name, Message, Category: 1, Time }}
      to={Count === 1 ? `/activities/runstatus/${ActivityRunId}/` : `/activities/runhistory/${ActivityId}/`}
      dismiss={() => call(dismissSucceededGroup, { body: { ActivityId, UpTo: ActivityRunId } })}
      onOpen={() => undefined}
    />
  );
}

/** A notification of an approval. While the approval waits, it stays until the decision. */
export function ApprovalNotice({ item }: { item: ApprovalNotification }) {
  const { ApprovalId, IsWaiting } = item;
  const dismiss = () => call(dismissApproval, { params: { id: ApprovalId } });
  return (
    <Notice item={item} to={`/approvals/${ApprovalId}`} dismiss={IsWaiting ? null : dismiss} onOpen={() => undefined} />
  );
}

export function ChecklistNotice({ group: { newest, all } }: { group: Repeated<ChecklistNotification> }) {
  const { ChecklistRunId, IsWorkflow } = newest;
  const dismiss = () =>
    Promise.all(all.map((item) => call(dismissChecklistNotification, { params: { runId: item.ChecklistRunId } })));
  return (
    <Notice
      item={newest}
      count={all.length}
      to={`/${IsWorkflow ? 'workflows' : 'checklists'}/runstatus/${ChecklistRunId}/`}
      dismiss={dismiss}
      onOpen={() => undefined}
    />
  );
}

/** A notification of an alert. Opening it marks it as read. */
export function AlertNotice({ group: { newest, all } }: { group: Repeated<AlertNotification> }) {
  const { AlertFiringId } = newest;
  return (
    <Notice
      item={newest}
      count={all.length}
      to={`/alerts/firings/${AlertFiringId}`}
      dismiss={() => Promise.all(all.map(({ NoticeId }) => call(dismissAlertNotice, { params: { id: NoticeId } })))}
      onOpen={() => void call(seeAlertFiring, { params: { id: AlertFiringId } }).catch(() => undefined)}
    />
  );
}

interface NoticeProps {
  item: { Name: string; Message: string; Category: number; Time: string };
  /** Number of notifications that say this; 1 if absent. */
  count?: number;
  to: string;
  dismiss: (() => Promise<unknown>) | null;
  /** Null if the notification is already read. */
  onOpen: (() => void) | null;
}

function Notice({ item: { Name, Message, Category, Time }, count = 1, to, dismiss, onOpen }: NoticeProps) {
  const [isBusy, setBusy] = useState(false);
  const { Icon, kind, word } = lookOf(Category);
  const message = said(Message);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await dismiss?.();
    } catch (error) {
      showError(toFailure(error).message);
      setBusy(false);
    }
    await queryClient.invalidateQueries({ queryKey: keyOf(notifications) });
  };
  return (
    <li className={onOpen ? 'rs-notice' : 'rs-notice rs-notice-read'}>
      <span className={`rs-status rs-status-${kind}`}>
        <Icon size={16} title={word} />
      </span>
      <Link className={`rs-notice-text ${Classes.POPOVER_DISMISS}`} to={to} onClick={() => onOpen?.()}>
        <strong>{Name}</strong>
        <span className="rs-notice-message">{message}</span>
        <span className="rs-muted">
          {count > 1 ? (
            rich('{count} times, last {time}', { count, time: <DateText value={Time} as="relative" /> })
          ) : (
            <DateText value={Time} as="relative" />
          )}
        </span>
      </Link>
      {dismiss && (
        <Button
          variant="minimal"
          size="small"
          icon={<Cross />}
          aria-label={t('Dismiss {name}: {message}', { name: Name, message })}
          loading={isBusy}
          onClick={() => void remove()}
        />
      )}
    </li>
  );
}
