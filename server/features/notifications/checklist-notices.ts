/**
 * Notifications about runs of checklists and workflows: scheduled runs that did not start or that succeeded, and
 * problems that no step reports.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { NOTIFICATION_COUNT_MAX, type ChecklistNotification } from '#shared/contract/notifications.ts';
import { LogCategory, OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import {
  countChecklistNotices,
  dismissChecklistNotice,
  isChecklistNotice,
  listChecklistNotices,
  listNoticeLines,
  type ChecklistNoticeRow,
  type NoticeLine,
} from './checklist-notices-repository.ts';

/** Maximum number of notifications listed. */
const MAX_NOTIFICATIONS = 20;

export interface ChecklistNotices {
  /**
   * Returns the newest notifications, and their total number up to the maximum that the bell counts.
   * @param isOfAll true to include runs that succeeded
   */
  list(person: Person, isOfAll: boolean): Promise<{ items: ChecklistNotification[]; count: number }>;
  /** Dismisses the notification for this person only. Throws an AppError 404 if they have no such notification. */
  dismiss(person: Person, runId: number): Promise<void>;
}

export function createChecklistNotices(
  { knex, dialect }: Database,
  access: Pick<ChecklistAccess, 'scopes'>,
): ChecklistNotices {
  const readerOf = async (person: Person, isOfAll: boolean) => ({
    userId: person.UserId,
    isOfAll,
    scopes: await access.scopes(person),
  });

  return {
    list: async (person, isOfAll) => {
      const reader = await readerOf(person, isOfAll);
      const rows = await listChecklistNotices(knex, dialect, reader, MAX_NOTIFICATIONS);
      const toExplain = rows.filter(({ Status }) => Status !== 'Succeeded').map(({ Id }) => Id);
      const lines = Map.groupBy(await listNoticeLines(knex, toExplain), ({ ChecklistRunId }) => ChecklistRunId);
      const isCut = rows.length === MAX_NOTIFICATIONS;
      return {
        items: rows.map((row) => noticeOf(row, lines.get(row.Id) ?? [])),
        count: isCut ? await countChecklistNotices(knex, dialect, reader, NOTIFICATION_COUNT_MAX) : rows.length,
      };
    },
    dismiss: async (person, runId) => {
      if (!(await isChecklistNotice(knex, dialect, await readerOf(person, true), runId)))
        throw new AppError('notificationNotFound', 404, 'There is no such notification');
      await dismissChecklistNotice(knex, dialect, { ChecklistRunId: runId, UserId: person.UserId });
    },
  };
}

function noticeOf(row: ChecklistNoticeRow, lines: readonly NoticeLine[]): ChecklistNotification {
  const { Id, Name, WorkflowVersion, Status, EndTime, NotStartedTime } = row;
  // For a run that did not start, the last entry gives the reason.
  const reason = NotStartedTime === null ? lines.find(({ Category }) => Category >= LogCategory.Error) : lines.at(-1);
  return {
    ChecklistRunId: Id,
    Name,
    IsWorkflow: WorkflowVersion !== null,
    Message: reason?.Message ?? OUTCOME_TEXT[Status] ?? '',
    Category: CATEGORIES[Status] ?? LogCategory.Error,
    Time: EndTime.toISOString(),
  };
}

/** Skipped runs have the status Cancelled. */
const CATEGORIES: Partial<Record<ChecklistNoticeRow['Status'], number>> = {
  Succeeded: LogCategory.Information,
  SucceededWarn: LogCategory.Warning,
  Cancelled: LogCategory.Warning,
};
