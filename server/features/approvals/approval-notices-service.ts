/**
 * Approvals in the notification bell: approvals that wait for the person, and the results of approvals in runs that
 * they started.
 */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { NOTIFICATION_COUNT_MAX, type ApprovalNotification } from '#shared/contract/notifications.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { lateText } from './approval-views.ts';
import {
  countWaiting,
  listDecisions,
  listEnded,
  listWaiting,
  type ApprovalItemRow,
  type DecisionRow,
} from './approvals-repository.ts';

/** Maximum number of each kind. */
const MAX_PER_KIND = 20;
const MAX_NOTICE_AGE_SECONDS = 30 * 86_400;

/** Returns the newest approvals, and their total number up to the maximum that the bell counts. */
export type ApprovalNotices = (person: Person) => Promise<{ items: ApprovalNotification[]; count: number }>;

export function createApprovalNotices({ knex, dialect }: Database): ApprovalNotices {
  return async ({ UserId, keyScope }) => {
    if (keyScope !== undefined) return { items: [], count: 0 };
    const waiting = await listWaiting(knex, UserId, { before: null, limit: MAX_PER_KIND });
    const since = dialect.nowPlus(knex, -MAX_NOTICE_AGE_SECONDS);
    const ended = await listEnded(knex, { since, userId: UserId, limit: MAX_PER_KIND });
    const decisions = await listDecisions(
      knex,
      ended.map(({ Id }) => Id),
    );
    const isCut = waiting.length === MAX_PER_KIND;
    return {
      items: [...waiting.map(waitingNotice), ...ended.map((row) => endedNotice(row, decisions.get(row.Id) ?? []))],
      count: ended.length + (isCut ? await countWaiting(knex, UserId, NOTIFICATION_COUNT_MAX) : waiting.length),
    };
  };
}

function waitingNotice(row: ApprovalItemRow): ApprovalNotification {
  const { Id, Name, ChecklistName, RemindedTime, StartTime } = row;
  return {
    ApprovalId: Id,
    Name: `${ChecklistName}: ${Name}`,
    Message: RemindedTime
      ? 'Still waiting for your approval, and expires soon'
      : `${fullName(row)} asks for your approval`,
    Category: RemindedTime ? LogCategory.Warning : LogCategory.Information,
    Time: (RemindedTime ?? StartTime).toISOString(),
    IsWaiting: true,
  };
}

function endedNotice(row: ApprovalItemRow, decisions: readonly DecisionRow[]): ApprovalNotification {
  const { Id, Name, ChecklistName, Status, EndTime, StartTime } = row;
  const by = lateText(row, decisions).replace('Too late: it was', 'Was');
  return {
    ApprovalId: Id,
    Name: `${ChecklistName}: ${Name}`,
    Message: Status === 'Expired' ? EXPIRED[row.OnExpiry] : Status === 'NoApprovers' ? NO_APPROVERS : by,
    Category: Status === 'Approved' ? LogCategory.Information : LogCategory.Error,
    Time: (EndTime ?? StartTime).toISOString(),
    IsWaiting: false,
  };
}

const NO_APPROVERS = 'Has failed: too few people are left who can approve';
const EXPIRED = { Fail: 'Has expired', Approve: 'Has expired, and counts as approved' } as const;
