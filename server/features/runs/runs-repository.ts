import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { columnsOf, prepared } from '#server/db/prepared.ts';
import type { RunInputsRow, RunLogEntriesRow, RunOutputsRow } from '#server/db/tables.ts';
import { whereInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import { ON_ACTIVITY, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import { runs, withChecklistName, whereRunVisible, type RunRow } from '#server/access/find-run.ts';

export type InputRow = Pick<
  RunInputsRow,
  | 'ActivityParameterId'
  | 'ArrayIndex'
  | 'Value'
  | 'UseDefault'
  | 'HasPresetValue'
  | 'FileId'
  | 'FileName'
  | 'ContentLength'
>;

export type OutputRow = Pick<
  RunOutputsRow,
  'ActivityParameterId' | 'ArrayIndex' | 'Value' | 'FileId' | 'FileName' | 'ContentLength'
>;

export type LogRow = Pick<RunLogEntriesRow, 'Id' | 'Message' | 'StatusCode' | 'Category' | 'PromptKey' | 'Time'>;

const OUTPUT_COLUMNS = columnsOf<OutputRow>({
  ActivityParameterId: true,
  ArrayIndex: true,
  Value: true,
  FileId: true,
  FileName: true,
  ContentLength: true,
});
const LOG_COLUMNS = columnsOf<LogRow>({
  Id: true,
  Message: true,
  StatusCode: true,
  Category: true,
  PromptKey: true,
  Time: true,
});

export interface PendingRow extends RunRow {
  Schema: string;
  Name: string;
  ChecklistName: string | null;
}

/** Maximum number of pending runs returned, and of those counted beyond them. */
export const PENDING_SHOWN = 500;
export const PENDING_COUNTED = 10_000;

/**
 * Returns the newest runs in progress, then the newest waiting runs, up to `PENDING_SHOWN`. Also returns how many more
 * there are, up to a maximum.
 */
export async function listPendingRuns(
  db: Db,
  scopes: ActivityScopes,
  userId: number,
): Promise<{ rows: PendingRow[]; more: number }> {
  const visible = (statuses: readonly RunStatus[]): Knex.QueryBuilder => {
    // A step that waits for earlier steps belongs to a checklist run. It neither waits for a worker nor runs.
    const query = whereStatus(runs(db), statuses, 'R.Status').where('R.WaitsForSteps', false);
    whereRunVisible(query, scopes, userId);
    return query;
  };
  const newest = async (statuses: readonly RunStatus[], limit: number): Promise<PendingRow[]> => {
    const query = withChecklistName(visible(statuses))
      .orderBy('R.Id', 'desc')
      .limit(limit)
      .select<PendingRow[]>('A.Schema', 'A.Name');
    return query;
  };
  const atWork = await newest(['PickedUp', 'Started'], PENDING_SHOWN);
  const remaining = PENDING_SHOWN - atWork.length;
  const waiting = remaining === 0 ? [] : await newest(['Queued', 'QueuedInSeq'], remaining);
  const rows = [...atWork, ...waiting].sort((one, other) => other.Id - one.Id);
  if (rows.length < PENDING_SHOWN) return { rows, more: 0 };
  const counted = visible(PENDING_STATUSES)
    .clearSelect()
    .select('R.Id')
    .limit(PENDING_SHOWN + PENDING_COUNTED);
  const [total] = await db.from(counted.as('Counted')).count<{ Total: number }[]>({ Total: '*' });
  return { rows, more: Math.max((total?.Total ?? 0) - rows.length, 0) };
}

/** Returns the pending runs that the person may cancel. */
export async function listCancellableRuns(
  db: Db,
  scopes: ActivityScopes,
  cancelAny: RightScope,
  userId: number,
): Promise<RunRow[]> {
  const query = whereStatus(runs(db), PENDING_STATUSES, 'R.Status').orderBy('R.Id');
  whereRunVisible(query, scopes, userId);
  void query.where((either) => {
    void either.where('R.UserId', userId);
    void either.orWhere((others) => whereInScope(others.whereRaw('1 = 1'), cancelAny, ON_ACTIVITY));
  });
  return query;
}

export async function listInputs(db: Db, runId: number): Promise<InputRow[]> {
  return db('RunInputs').where('ActivityRunId', runId).orderBy(['ActivityParameterId', 'ArrayIndex']);
}

export async function listOutputs(db: Db, runId: number): Promise<OutputRow[]> {
  const outputs = db('RunOutputs').where('ActivityRunId', runId).orderBy(['ActivityParameterId', 'ArrayIndex']);
  return prepared(outputs.select<OutputRow[]>(OUTPUT_COLUMNS));
}

export async function listLogEntries(db: Db, runId: number): Promise<LogRow[]> {
  const lines = db('RunLogEntries').where('ActivityRunId', runId).orderBy('Id');
  return prepared(lines.select<LogRow[]>(LOG_COLUMNS));
}

/** The fields of a run that a form has started. */
export type RunOfForm = Pick<
  RunRow,
  'Id' | 'ActivityId' | 'ActivityVersion' | 'Status' | 'EndTime' | 'ActivityLinkId' | 'SourceRunId'
>;

export async function findByUniqueId(db: Db, userId: number, uniqueId: string): Promise<RunOfForm | undefined> {
  const run = db('ActivityRuns')
    .where({ UserId: userId, UniqueId: uniqueId })
    .first('Id', 'ActivityId', 'ActivityVersion', 'Status', 'EndTime', 'ActivityLinkId', 'SourceRunId');
  return prepared(run);
}

/** Returns those of the given runs that have ended. */
export async function listEnded(db: Db, runIds: readonly number[]): Promise<number[]> {
  const ended = db('ActivityRuns').whereIn('Id', runIds).whereNotNull('EndTime').select('Id');
  // Nearly always there is one id. With more, the statement text varies, so preparing it would not help.
  const rows = await (runIds.length === 1 ? prepared(ended) : ended);
  return rows.map(({ Id }) => Id);
}

/** @param userId if set, only this user's runs */
export async function findLastRunId(db: Db, activityId: number, userId?: number): Promise<number | null> {
  const query = db('ActivityRuns').where('ActivityId', activityId).max<{ Id: number | null }[]>({ Id: 'Id' });
  if (userId !== undefined) void query.where('UserId', userId);
  const [row] = await query;
  return row?.Id ?? null;
}
