/** What the bell tells of checklists and workflows as a whole: what schedules did not start, what they started and succeeded, and what no step tells of. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/features/checklists/checklist-access.ts';
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

/** At most. */
const MOST = 20;

export interface ChecklistNotices {
  /** The newest, and how many there are, up to what the bell counts. */
  list(person: Person): Promise<{ items: ChecklistNotification[]; count: number }>;
  /** For this person alone. Throws an AppError 404 where they are not told of it. */
  dismiss(person: Person, runId: number): Promise<void>;
}

export function createChecklistNotices(
  { knex, dialect }: Database,
  access: Pick<ChecklistAccess, 'scopes'>,
): ChecklistNotices {
  const readerOf = async (person: Person) => ({ userId: person.UserId, scopes: await access.scopes(person) });

  return {
    list: async (person) => {
      const reader = await readerOf(person);
      const rows = await listChecklistNotices(knex, dialect, reader, MOST);
      const toExplain = rows.filter(({ Status }) => Status !== 'Succeeded').map(({ Id }) => Id);
      const lines = Map.groupBy(await listNoticeLines(knex, toExplain), ({ ChecklistRunId }) => ChecklistRunId);
      const isCut = rows.length === MOST;
      return {
        items: rows.map((row) => noticeOf(row, lines.get(row.Id) ?? [])),
        count: isCut ? await countChecklistNotices(knex, dialect, reader, NOTIFICATION_COUNT_MAX) : rows.length,
      };
    },
    dismiss: async (person, runId) => {
      if (!(await isChecklistNotice(knex, dialect, await readerOf(person), runId)))
        throw new AppError('notificationNotFound', 404, 'There is no such notification');
      await dismissChecklistNotice(knex, dialect, { ChecklistRunId: runId, UserId: person.UserId });
    },
  };
}

function noticeOf(row: ChecklistNoticeRow, lines: readonly NoticeLine[]): ChecklistNotification {
  const { Id, Name, WorkflowVersion, Status, EndTime, NotStartedTime } = row;
  // Of one that was not started the last line says why.
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

/** A run that was left out is Cancelled. */
const CATEGORIES: Partial<Record<ChecklistNoticeRow['Status'], number>> = {
  Succeeded: LogCategory.Information,
  SucceededWarn: LogCategory.Warning,
  Cancelled: LogCategory.Warning,
};
