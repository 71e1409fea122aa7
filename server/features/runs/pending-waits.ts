/** Says until when pending runs wait: for an answer of a person, or for the next attempt of a schedule. */
import { fullName, type NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { whereChecklistVisible, type ChecklistScopes } from '#server/access/checklist-access.ts';
import { bySchema, whereInScope } from '#server/access/rights/right-scope.ts';
import { whereRunVisible } from '#server/access/find-run.ts';
import { whereIds } from '#server/db/where-ids.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import type { PendingRetry } from '#shared/contract/runs.ts';

/** Returns until when each of the runs waits for a person's answer; runs that ask nothing have no entry. */
export async function listAnswerTimes(db: Db, runIds: readonly number[]): Promise<Map<number, Date>> {
  if (runIds.length === 0) return new Map();
  const open = db('RunPrompts')
    .whereNull('AnswerTime')
    .whereNull('ClosedTime')
    .where('ExpiryTime', '>', dialectOf(db).now(db));
  whereIds(open, 'ActivityRunId', runIds);
  const rows = await open
    .groupBy('ActivityRunId')
    .select('ActivityRunId')
    .max<{ ActivityRunId: number; Until: Date }[]>({
      Until: 'ExpiryTime',
    });
  return new Map(rows.map(({ ActivityRunId, Until }) => [ActivityRunId, Until]));
}

interface RetryRow extends NameColumns {
  RunId: number;
  /** Null for a workflow or checklist. */
  ActivityId: number | null;
  Name: string;
  Schema: string;
  EndTime: Date;
  Attempt: number;
  RetryCount: number;
  /** In minutes. */
  RetryInterval: number;
}

const MINUTE_MS = 60_000;
const RETRY_COLUMNS = [
  'R.EndTime',
  'S.Attempt',
  'S.RetryCount',
  'S.RetryInterval',
  'U.FirstName',
  'U.MiddleName',
  'U.LastName',
];

/** Returns the failed runs that a schedule will try again, the next ones first, up to `limit`. */
export async function listPendingRetries(
  db: Db,
  scopes: ActivityScopes,
  userId: number,
  limit: number,
): Promise<PendingRetry[]> {
  const failed = whereStatus(
    db('ScheduledRuns as S'),
    ['Failed', 'LogicError', 'InternalError', 'Abandoned'],
    'R.Status',
  )
    .join('ActivityRuns as R', 'R.Id', 'S.ActivityRunId')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .join('Users as U', 'U.UserId', 'S.UserId')
    .whereNull('S.SettledTime')
    .whereNotNull('R.EndTime')
    .whereRaw('?? < ??', ['S.Attempt', 'S.RetryCount'])
    .where('A.IsActive', true);
  whereRunVisible(failed, scopes, userId);
  const rows = await failed
    .orderBy('R.EndTime')
    .limit(limit)
    .select<RetryRow[]>('R.Id as RunId', 'R.ActivityId', 'A.Name', 'A.Schema', ...RETRY_COLUMNS);
  return rows.map(retryView);
}

/** The same for workflows and checklists. */
export async function listPendingWorkflowRetries(
  db: Db,
  { userId, scopes }: { userId: number; scopes: ChecklistScopes },
  limit: number,
): Promise<PendingRetry[]> {
  const rows = await whereStatus(
    db('ScheduledChecklistRuns as S'),
    ['Failed', 'LogicError', 'InternalError', 'Abandoned'],
    'R.Status',
  )
    .join('ChecklistRuns as R', 'R.Id', 'S.ChecklistRunId')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .join('Users as U', 'U.UserId', 'S.UserId')
    .whereNull('S.SettledTime')
    .whereNotNull('R.EndTime')
    .whereRaw('?? < ??', ['S.Attempt', 'S.RetryCount'])
    .where((either) => {
      void either.where('R.UserId', userId);
      void either.orWhere((others) => whereInScope(others, bySchema(scopes.viewRuns), { Schema: 'C.Schema' }));
    })
    .where((visible) => whereChecklistVisible(db, visible, scopes))
    .orderBy('R.EndTime')
    .limit(limit)
    .select<RetryRow[]>('R.Id as RunId', db.raw('null as ??', ['ActivityId']), 'C.Name', 'C.Schema', ...RETRY_COLUMNS);
  return rows.map(retryView);
}

function retryView(row: RetryRow): PendingRetry {
  const { RunId, ActivityId, Name, Schema, EndTime, Attempt, RetryCount, RetryInterval } = row;
  return {
    Kind: ActivityId === null ? 'Checklist' : 'Activity',
    RunId,
    Schema,
    Name,
    UserFullName: fullName(row),
    Time: new Date(EndTime.getTime() + RetryInterval * MINUTE_MS).toISOString(),
    Attempt: Attempt + 1,
    RetryCount,
  };
}
