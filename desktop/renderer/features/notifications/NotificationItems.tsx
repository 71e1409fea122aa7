import { Button, Classes } from '@blueprintjs/core';
import { Cross, Error as ErrorIcon, InfoSign, WarningSign } from '@blueprintjs/icons';
import { useState, type UIEvent } from 'react';
import { Link } from 'react-router-dom';
import { dismissApproval } from '#shared/contract/approvals.ts';
import { dismissAlertNotice, seeAlertFiring } from '#shared/contract/alert-firings.ts';
import {
  dismissChecklistNotification,
  dismissNotification,
  notifications,
  readNotifications,
  type AlertNotification,
  type ApprovalNotification,
  type ChecklistNotification,
  type Notification,
} from '#shared/contract/notifications.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { AccessNotice } from '#renderer/features/access/AccessNotice.tsx';
import { FailureState } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import type { useNotifications } from './use-notifications.ts';

/** Pixels above the end of the list at which the next page is fetched. */
const NEAR_END = 40;

export function NotificationItems({ query }: { query: ReturnType<typeof useNotifications> }) {
  const items = query.data?.pages.flatMap((page) => page.Items) ?? [];
  const approvals = query.data?.pages[0]?.Approvals ?? [];
  const checklists = query.data?.pages[0]?.Checklists ?? [];
  const alerts = query.data?.pages[0]?.Alerts ?? [];
  const accesses = query.data?.pages[0]?.Access ?? [];
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>): void => {
    const isNearEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    if (isNearEnd && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  };
  if (items.length + approvals.length + checklists.length + alerts.length + accesses.length === 0) {
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
        {alerts.map((item) => (
          <AlertNotice key={`alert ${item.NoticeId}`} item={item} />
        ))}
        {accesses.map((item) => (
          <AccessNotice key={`access ${item.Kind} ${item.Id}`} item={item} />
        ))}
        {approvals.map((item) => (
          <ApprovalNotice key={`approval ${item.ApprovalId}`} item={item} />
        ))}
        {checklists.map((item) => (
          <ChecklistNotice key={`checklist ${item.ChecklistRunId}`} item={item} />
        ))}
        {items.map((item) => (
          <NotificationItem key={item.ActivityRunId} item={item} />
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

export function NotificationItem({ item }: { item: Notification }) {
  const { ActivityRunId, LogEntryId, ActivityName } = item;
  return (
    <Notice
      item={{ ...item, Name: ActivityName }}
      to={`/activities/runstatus/${ActivityRunId}/`}
      dismiss={() => call(dismissNotification, { params: { activityRunId: ActivityRunId, logEntryId: LogEntryId } })}
      onOpen={item.IsRead ? null : () => void markAsRead(ActivityRunId)}
    />
  );
}

/** Opening the run marks its notification as read. */
async function markAsRead(ActivityRunId: number): Promise<void> {
  // Ignore failures: the notification then stays new, which does no harm.
  await call(readNotifications, { body: { ActivityRunIds: [ActivityRunId] } }).catch(() => undefined);
  await queryClient.invalidateQueries({ queryKey: keyOf(notifications) });
}

/** A notification of an approval. While the approval waits, it stays until the decision. */
export function ApprovalNotice({ item }: { item: ApprovalNotification }) {
  const { ApprovalId, IsWaiting } = item;
  const dismiss = () => call(dismissApproval, { params: { id: ApprovalId } });
  return (
    <Notice item={item} to={`/approvals/${ApprovalId}`} dismiss={IsWaiting ? null : dismiss} onOpen={() => undefined} />
  );
}

export function ChecklistNotice({ item }: { item: ChecklistNotification }) {
  const { ChecklistRunId, IsWorkflow } = item;
  return (
    <Notice
      item={item}
      to={`/${IsWorkflow ? 'workflows' : 'checklists'}/runstatus/${ChecklistRunId}/`}
      dismiss={() => call(dismissChecklistNotification, { params: { runId: ChecklistRunId } })}
      onOpen={() => undefined}
    />
  );
}

/** A notification of an alert. Opening it marks it as read. */
export function AlertNotice({ item }: { item: AlertNotification }) {
  const { NoticeId, AlertFiringId } = item;
  return (
    <Notice
      item={item}
      to={`/alerts/firings/${AlertFiringId}`}
      dismiss={() => call(dismissAlertNotice, { params: { id: NoticeId } })}
      onOpen={() => void call(seeAlertFiring, { params: { id: AlertFiringId } }).catch(() => undefined)}
    />
  );
}

interface NoticeProps {
  item: { Name: string; Message: string; Category: number; Time: string };
  to: string;
  dismiss: (() => Promise<unknown>) | null;
  /** Null if the notification is already read. */
  onOpen: (() => void) | null;
}

function Notice({ item: { Name, Message, Category, Time }, to, dismiss, onOpen }: NoticeProps) {
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
          <DateText value={Time} as="relative" />
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
