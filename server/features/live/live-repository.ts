import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereRunVisible } from '#server/access/find-run.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

export interface Mark {
  /** Changes when anything that is published has changed. */
  mark: string;
}

export interface RunMark extends Mark {
  Status: RunStatus;
}

export interface VersionMark extends Mark {
  Version: number;
}

/** Returns the newest versions of the activities. Missing activities have no entry. */
export async function listVersionMarks(db: Db, activityIds: readonly number[]): Promise<Map<number, VersionMark>> {
  const rows = await db('Activities').whereIn('Id', activityIds).select('Id', 'Version');
  return new Map(rows.map(({ Id, Version }) => [Id, { Version, mark: String(Version) }]));
}

interface MarkRow {
  Id: number;
  Status: RunStatus;
  Phase: string;
  Share: number | null;
  LastEntry: number | null;
  Answered: number;
  Children: number;
}

/** Returns the progress of runs, with one query for all streams. Missing runs have no entry. */
export async function listRunMarks(db: Db, runIds: readonly number[]): Promise<Map<number, RunMark>> {
  const lastEntry = db('RunLogEntries as L').max('L.Id').whereRaw('?? = ??', ['L.ActivityRunId', 'R.Id']);
  const answered = db('RunPrompts as P')
    .count()
    .whereRaw('?? = ??', ['P.ActivityRunId', 'R.Id'])
    .where((over) => void over.whereNotNull('P.AnswerTime').orWhereNotNull('P.ClosedTime'));
  // Runs that this run started.
  const pending = whereStatus(db('ActivityRuns as W'), PENDING_STATUSES, 'W.Status')
    .count()
    .whereRaw('?? = ??', ['W.ParentRunId', 'R.Id']);
  const rows = await db('ActivityRuns as R')
    .whereIn('R.Id', runIds)
    .select({ LastEntry: lastEntry, Answered: answered, Children: pending })
    .select<MarkRow[]>('R.Id', 'R.Status', 'R.Phase', 'R.Share');
  return new Map(rows.map(({ Id, Status, ...rest }) => [Id, { Status, mark: JSON.stringify({ Status, ...rest }) }]));
}

/** Returns whether the person may see any of the runs. */
export async function isAnyVisible(
  db: Db,
  runIds: readonly number[],
  scopes: ActivityScopes,
  userId: number,
): Promise<boolean> {
  const query = db('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId').whereIn('R.Id', runIds);
  whereRunVisible(query, scopes, userId);
  return (await query.first('R.Id')) !== undefined;
}

/** Returns the users of those of the given runs that have ended. */
export async function listOwnersOfEnded(db: Db, runIds: readonly number[]): Promise<number[]> {
  return db('ActivityRuns').whereIn('Id', runIds).whereNotNull('EndTime').distinct().pluck('UserId');
}

interface WorkflowStepCount {
  ChecklistRunId: number;
  Status: RunStatus;
  Count: number;
}

/**
 * Returns the progress of checklist runs: how many of their steps have which status. It takes three queries, regardless
 * of the number of streams and steps.
 */
export async function listWorkflowRunMarks(db: Db, workflowRunIds: readonly number[]): Promise<Map<number, RunMark>> {
  if (workflowRunIds.length === 0) return new Map();
  const count = (table: 'ActivityRuns' | 'ChecklistRunSteps'): Promise<WorkflowStepCount[]> =>
    db(table)
      .whereIn('ChecklistRunId', workflowRunIds)
      .groupBy('ChecklistRunId', 'Status')
      .select('ChecklistRunId', 'Status')
      .count<WorkflowStepCount[]>({ Count: '*' });
  const [workflowRuns, runs, steps] = await Promise.all([
    db('ChecklistRuns').whereIn('Id', workflowRunIds).whereNull('PurgeTime').select('Id', 'Status', 'CancelTime'),
    count('ActivityRuns'),
    count('ChecklistRunSteps'),
  ]);
  const markOf = (of: readonly WorkflowStepCount[], id: number): string[] =>
    of.flatMap(({ ChecklistRunId, Status, Count }) => (ChecklistRunId === id ? [`${Status} ${Count}`] : [])).sort();
  return new Map(
    workflowRuns.map(({ Id, Status, CancelTime }) => [
      Id,
      { Status, mark: JSON.stringify([Status, CancelTime, markOf(runs, Id), markOf(steps, Id)]) },
    ]),
  );
}
