import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

export interface Mark {
  /** Differs from the one before when something that is told has changed. */
  mark: string;
}

export interface RunMark extends Mark {
  Status: RunStatus;
}

export interface VersionMark extends Mark {
  Version: number;
}

/** The newest versions of activities; those that are not there are left out. */
export async function listVersionMarks(db: Db, activityIds: readonly number[]): Promise<Map<number, VersionMark>> {
  const rows = (await db('Activities').whereIn('Id', activityIds).select('Id', 'Version')) as {
    Id: number;
    Version: number;
  }[];
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

/** How far runs are; those that are not there are left out. One query, however many people watch. */
export async function listRunMarks(db: Db, runIds: readonly number[]): Promise<Map<number, RunMark>> {
  const lastEntry = db('RunLogEntries as L').max('L.Id').whereRaw('?? = ??', ['L.ActivityRunId', 'R.Id']);
  const answered = db('RunPrompts as P')
    .count()
    .whereRaw('?? = ??', ['P.ActivityRunId', 'R.Id'])
    .where((over) => void over.whereNotNull('P.AnswerTime').orWhereNotNull('P.ClosedTime'));
  // Of those that it started.
  const pending = whereStatus(db('ActivityRuns as W'), PENDING_STATUSES, 'W.Status')
    .count()
    .whereRaw('?? = ??', ['W.ParentRunId', 'R.Id']);
  const rows = (await db('ActivityRuns as R')
    .whereIn('R.Id', runIds)
    .select('R.Id', 'R.Status', 'R.Phase', 'R.Share')
    .select({ LastEntry: lastEntry, Answered: answered, Children: pending })) as MarkRow[];
  return new Map(rows.map(({ Id, Status, ...rest }) => [Id, { Status, mark: JSON.stringify({ Status, ...rest }) }]));
}

/** Those whose runs, of the ones named, have ended. */
export async function listOwnersOfEnded(db: Db, runIds: readonly number[]): Promise<number[]> {
  return db('ActivityRuns').whereIn('Id', runIds).whereNotNull('EndTime').distinct().pluck('UserId');
}

interface ChainCount {
  ChecklistRunId: number;
  Status: RunStatus;
  Count: number;
}

/** How far runs of checklists are: how many of their steps stand where. Three queries, however many people watch and however many steps there are. */
export async function listChainMarks(db: Db, chainIds: readonly number[]): Promise<Map<number, RunMark>> {
  if (chainIds.length === 0) return new Map();
  const count = (table: 'ActivityRuns' | 'ChecklistRunSteps'): Promise<ChainCount[]> =>
    db(table)
      .whereIn('ChecklistRunId', chainIds)
      .groupBy('ChecklistRunId', 'Status')
      .select('ChecklistRunId', 'Status')
      .count({ Count: '*' }) as unknown as Promise<ChainCount[]>;
  const [chains, runs, steps] = await Promise.all([
    db('ChecklistRuns').whereIn('Id', chainIds).whereNull('PurgeTime').select('Id', 'Status', 'CancelTime'),
    count('ActivityRuns'),
    count('ChecklistRunSteps'),
  ]);
  const markOf = (of: readonly ChainCount[], id: number): string[] =>
    of.flatMap(({ ChecklistRunId, Status, Count }) => (ChecklistRunId === id ? [`${Status} ${Count}`] : [])).sort();
  return new Map(
    (chains as { Id: number; Status: RunStatus; CancelTime: Date | null }[]).map(({ Id, Status, CancelTime }) => [
      Id,
      { Status, mark: JSON.stringify([Status, CancelTime, markOf(runs, Id), markOf(steps, Id)]) },
    ]),
  );
}
