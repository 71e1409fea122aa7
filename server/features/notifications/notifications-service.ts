/**
 * Notifications about a person's runs. Nothing is written when a run ends; the notifications are read from the runs
 * themselves.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ApprovalNotices } from '#server/features/approvals/approval-notices-service.ts';
import type { NotificationChoicesService } from '#server/features/alerts/notification-choices-service.ts';
import type { AlertNotices } from '#server/features/alerts/alert-notices-service.ts';
import type { AccessNotices } from '#server/features/sharing/access-notices-service.ts';
import type { ChecklistNotices } from './checklist-notices.ts';
import type { ListSucceeded } from './succeeded-runs.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import type { Person } from '#server/base/person.ts';
import {
  NOTIFICATION_COUNT_MAX,
  NOTIFICATION_PAGE_SIZE,
  type Notification,
  type NotificationChoice,
  type NotificationList,
  type SucceededGroup,
} from '#shared/contract/notifications.ts';
import type { NotificationChoices } from '#shared/contract/notification-choices.ts';
import { dismissSucceeded, listSucceededGroups } from './succeeded-groups-repository.ts';
import { FIRST_SYSTEM_STATUS_CODE, hasSucceeded, LogCategory, OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import {
  countNotableRuns,
  insertDismissal,
  insertMarks,
  isOwnRun,
  listNotableEntries,
  listNotableRuns,
  listOwnRuns,
  listUnmarked,
  type Mark,
  type NotableEntry,
  type NotableRun,
} from './notifications-repository.ts';

const MARK_BATCH_SIZE = 500;

export interface NotificationsService {
  /** @param before run id of the last notification shown; null for the first page */
  list(person: Person, before: number | null): Promise<NotificationList>;
  succeeded: ListSucceeded;
  dismiss(person: Person, runId: number, logEntryId: number): Promise<void>;
  dismissChecklist(person: Person, runId: number): Promise<void>;
  /** @param upTo the newest run that the notification counted */
  dismissSucceeded(person: Person, activityId: number, upTo: number): Promise<void>;
  read(person: Person, choice: NotificationChoice): Promise<void>;
  clear(person: Person, choice: NotificationChoice): Promise<void>;
}

/** What the bell shows besides activity runs. */
export interface OtherNotices {
  approvals: ApprovalNotices;
  checklists: ChecklistNotices;
  alerts: AlertNotices;
  accessNotices: Pick<AccessNotices, 'list'>;
  succeeded: ListSucceeded;
  choices: Pick<NotificationChoicesService, 'get'>;
}

export function createNotificationsService(
  database: Database,
  access: ActivityAccess,
  notices: OtherNotices,
): NotificationsService {
  const { knex, dialect } = database;
  async function markChosen(person: Person, choice: NotificationChoice, mark: Mark): Promise<void> {
    const userId = person.UserId;
    if ('ActivityRunIds' in choice) {
      return insertMarks(knex, dialect, mark, await listOwnRuns(knex, choice.ActivityRunIds, userId));
    }
    const scopes = await access.scopes(person);
    const page = { userId, upTo: choice.UpTo, mark, limit: MARK_BATCH_SIZE };
    for (let full = true; full;) {
      const ids = await listUnmarked(knex, dialect, scopes, page);
      await insertMarks(knex, dialect, mark, ids);
      full = ids.length === MARK_BATCH_SIZE;
    }
  }

  return {
    list: async (person, before) => {
      const scopes = await access.scopes(person);
      const choices = await notices.choices.get(person);
      const reader = { scopes, userId: person.UserId };
      const { counts, ...runs } = choices.Runs.Portal ? await readRuns(database, reader, before) : NO_RUNS;
      const { count, ...others } = await readOthers(notices, person, choices);
      const isOfAll = choices.Runs.Portal && choices.RunLevel === 'All';
      const Succeeded = isOfAll ? await readSucceeded(database, reader) : [];
      const further = count + Succeeded.length;
      return {
        ...runs,
        ...(before === null ? { ...others, Succeeded } : NO_OTHERS),
        Count: Math.min(counts.Count + further, NOTIFICATION_COUNT_MAX),
        Unread: Math.min(counts.Unread + further, NOTIFICATION_COUNT_MAX),
      };
    },
    succeeded: notices.succeeded,
    dismiss: async (person, ActivityRunId, LogEntryId) => {
      if (!(await isOwnRun(knex, ActivityRunId, person.UserId))) {
        throw new AppError('notificationNotFound', 404, 'There is no such notification');
      }
      await insertDismissal(knex, dialect, { ActivityRunId, LogEntryId });
    },
    dismissChecklist: (person, runId) => notices.checklists.dismiss(person, runId),
    dismissSucceeded: ({ UserId }, ActivityId, ActivityRunId) =>
      dismissSucceeded(knex, dialect, { UserId, ActivityId, ActivityRunId }),
    read: (person, choice) => markChosen(person, choice, 'NotificationReads'),
    clear: (person, choice) => markChosen(person, choice, 'NotificationDismissals'),
  };
}

interface RunReader {
  scopes: ActivityScopes;
  userId: number;
}

const NO_RUNS = { Items: [], HasMore: false, counts: { Count: 0, Unread: 0 } };

/** Returns a page of notifications of single runs, and how many there are. */
async function readRuns({ knex, dialect }: Database, { scopes, userId }: RunReader, before: number | null) {
  const page = { before, limit: NOTIFICATION_PAGE_SIZE + 1 };
  const rows = await listNotableRuns(knex, dialect, scopes, userId, page);
  const shown = rows.slice(0, NOTIFICATION_PAGE_SIZE);
  const HasMore = rows.length > shown.length;
  const entries = await listNotableEntries(
    knex,
    shown.map(({ Id }) => Id),
  );
  const byRun = Map.groupBy(entries, ({ ActivityRunId }) => ActivityRunId);
  const counts =
    before === null && !HasMore
      ? { Count: shown.length, Unread: shown.filter(({ ReadRunId }) => ReadRunId === null).length }
      : await countNotableRuns(knex, dialect, scopes, userId, NOTIFICATION_COUNT_MAX);
  return { Items: shown.map((run) => notificationOf(run, byRun.get(run.Id) ?? [])), HasMore, counts };
}

async function readSucceeded({ knex, dialect }: Database, reader: RunReader): Promise<SucceededGroup[]> {
  const rows = await listSucceededGroups(knex, dialect, { ...reader, limit: NOTIFICATION_PAGE_SIZE });
  return rows.map(({ Time, ...row }) => ({ ...row, Time: Time.toISOString() }));
}

type Others = Pick<NotificationList, 'Approvals' | 'Checklists' | 'Alerts' | 'Access'>;

const NO_OTHERS: Others & Pick<NotificationList, 'Succeeded'> = {
  Approvals: [],
  Checklists: [],
  Alerts: [],
  Access: [],
  Succeeded: [],
};

const NONE = { items: [], count: 0 };

/** Returns what the first page shows besides activity runs, and how many of these there are. */
async function readOthers(
  { approvals, checklists, alerts, accessNotices }: OtherNotices,
  person: Person,
  { Runs, RunLevel, Approvals, Shares, Requests }: NotificationChoices,
): Promise<Others & { count: number }> {
  const ofApprovals = Approvals.Portal ? await approvals(person) : NONE;
  const ofChecklists = Runs.Portal ? await checklists.list(person, RunLevel === 'All') : NONE;
  const Alerts = await alerts(person);
  const ofAccess = await accessNotices.list(person, { shares: Shares.Portal, requests: Requests.Portal });
  return {
    Approvals: ofApprovals.items,
    Checklists: ofChecklists.items,
    Alerts,
    Access: ofAccess.items,
    count: ofApprovals.count + ofChecklists.count + Alerts.length + ofAccess.count,
  };
}

/**
 * Returns the most informative entry: the first error that a person can fix, else the first error, else the first
 * warning.
 */
function mostRelevantEntry(entries: readonly NotableEntry[]): NotableEntry | undefined {
  const errors = entries.filter(({ Category }) => Category >= LogCategory.Error);
  return errors.find(({ StatusCode }) => StatusCode < FIRST_SYSTEM_STATUS_CODE) ?? errors[0] ?? entries[0];
}

function notificationOf(run: NotableRun, entries: readonly NotableEntry[]): Notification {
  const { Id, Name, ChecklistName, Status, EndTime, ReadRunId } = run;
  // A run that plainly succeeded or was cancelled by a person has no problem to report.
  const entry = Status === 'Succeeded' || Status === 'Cancelled' ? undefined : mostRelevantEntry(entries);
  const outcome = hasSucceeded(Status)
    ? LogCategory.Information
    : Status === 'Cancelled'
      ? LogCategory.Warning
      : LogCategory.Error;
  return {
    ActivityRunId: Id,
    LogEntryId: entry?.Id ?? 0,
    ActivityName: ChecklistName === null ? Name : `${ChecklistName}: ${Name}`,
    Message: entry?.Message ?? OUTCOME_TEXT[Status] ?? '',
    Category: Status === 'SucceededWarn' ? LogCategory.Warning : (entry?.Category ?? outcome),
    Time: EndTime.toISOString(),
    IsRead: ReadRunId !== null,
  };
}
