/** Counts the runs that a run started, by state. A row that was retried counts by its newest attempt. */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import { hasSucceeded, isPending, RUN_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { RowCount } from '#shared/rules/workflows/for-each.ts';
import type { OfStart } from '#server/queue/run-starts.ts';

export interface ChildCounts {
  SuccessfulChildRuns: number;
  FailedChildRuns: number;
  RunningChildRuns: number;
  MaxChildRunEndTime: Date | null;
}

export const NO_CHILDREN: ChildCounts = {
  SuccessfulChildRuns: 0,
  FailedChildRuns: 0,
  RunningChildRuns: 0,
  MaxChildRunEndTime: null,
};

/** Also counts successful runs with warnings, and failed runs that were cancelled. */
export interface EndedChildCounts extends ChildCounts {
  WarnedChildRuns: number;
  CancelledChildRuns: number;
}

export const NO_ENDED_CHILDREN: EndedChildCounts = { ...NO_CHILDREN, WarnedChildRuns: 0, CancelledChildRuns: 0 };

/**
 * Selects the newest attempt of the row of child run R. A scalar subquery is looked up in the index row by row. With
 * `not exists`, the database could join all rows with all rows if its statistics are not up to date, as right after the
 * rows were inserted.
 */
const newestAttempt = (db: Db): Knex.QueryBuilder =>
  db('ActivityRuns as Again')
    .max('Again.Attempt')
    .whereRaw('?? = ??', ['Again.ParentRunId', 'R.ParentRunId'])
    .whereRaw('?? = ??', ['Again.StepKey', 'R.StepKey'])
    .whereRaw('?? = ??', ['Again.RowKey', 'R.RowKey']);

/** Selects the child runs R that were not retried. */
export function newestChildren(db: Db, of: Partial<OfStart> & Pick<OfStart, 'ParentRunId'>): Knex.QueryBuilder {
  const query = db('ActivityRuns as R').where('R.ParentRunId', of.ParentRunId).where('R.Attempt', newestAttempt(db));
  return of.StepKey === undefined ? query : query.where('R.StepKey', of.StepKey);
}

/**
 * Counts the child runs of a run. For a run without Start steps this is a single index lookup.
 * @param StepKey the step to count; all if absent
 */
export async function countChildRuns(db: Db, ParentRunId: number, StepKey?: string): Promise<ChildCounts> {
  const of = { ParentRunId, ...(StepKey === undefined ? {} : { StepKey }) };
  const starts = await prepared(db('RunStarts').where(of).select<{ Unmade: number }[]>(unmade(db)));
  if (starts.length === 0) return NO_CHILDREN;
  const rows = await newestChildren(db, of)
    .groupBy('R.Status')
    .select('R.Status')
    .count({ Count: '*' })
    .max<StatusCount[]>({ LastEnd: 'R.EndTime' });
  return countsOf(rows, starts);
}

/** Counts the child runs of several runs, including how they ended, by run id. Runs that started none have no entry. */
export async function countChildRunsOf(db: Db, parentIds: readonly number[]): Promise<Map<number, EndedChildCounts>> {
  if (parentIds.length === 0) return new Map();
  const starts = await db('RunStarts')
    .whereIn('ParentRunId', parentIds)
    .select<{ ParentRunId: number; Unmade: number }[]>('ParentRunId', unmade(db));
  const rows = await db('ActivityRuns as R')
    .whereIn('R.ParentRunId', parentIds)
    .where('R.Attempt', newestAttempt(db))
    .groupBy('R.ParentRunId', 'R.Status')
    .select('R.ParentRunId', 'R.Status')
    .count({ Count: '*' })
    .max<(StatusCount & { ParentRunId: number })[]>({ LastEnd: 'R.EndTime' });
  const byParent = Map.groupBy(rows, ({ ParentRunId }) => ParentRunId);
  const startsOf = Map.groupBy(starts, ({ ParentRunId }) => ParentRunId);
  return new Map(
    [...startsOf].map(([id, of]) => {
      const counts = byParent.get(id) ?? [];
      const WarnedChildRuns = sumOf(counts, (status) => status === 'SucceededWarn');
      const CancelledChildRuns = sumOf(counts, (status) => status === 'Cancelled');
      return [id, { ...countsOf(counts, of), WarnedChildRuns, CancelledChildRuns }];
    }),
  );
}

interface StatusCount {
  Status: RunStatus;
  Count: number;
  LastEnd: Date | null;
}

const unmade = (db: Db) => db.raw('case when ?? is null then 0 else ?? end as ??', ['Rows', 'RowCount', 'Unmade']);

const sumOf = (rows: readonly StatusCount[], of: (status: RunStatus) => boolean): number =>
  rows.filter(({ Status }) => of(Status)).reduce((total, { Count }) => total + Count, 0);

function countsOf(rows: readonly StatusCount[], starts: readonly { Unmade: number }[]): ChildCounts {
  const sum = (of: (status: RunStatus) => boolean): number => sumOf(rows, of);
  const ends = rows.flatMap(({ LastEnd }) => (LastEnd === null ? [] : [LastEnd.getTime()]));
  return {
    SuccessfulChildRuns: sum(hasSucceeded),
    FailedChildRuns: sum((status) => !isPending(status) && !hasSucceeded(status)),
    RunningChildRuns: sum(isPending) + starts.reduce((total, { Unmade }) => total + Unmade, 0),
    MaxChildRunEndTime: ends.length === 0 ? null : new Date(Math.max(...ends)),
  };
}

/** Returns the statuses of the given runs that this run started. */
export async function childStatuses(
  db: Db,
  ParentRunId: number,
  ids: readonly number[],
): Promise<Record<string, RunStatus>> {
  if (ids.length === 0) return {};
  const rows = await db('ActivityRuns').where({ ParentRunId }).whereIn('Id', ids).select('Id', 'Status');
  return Object.fromEntries(rows.map(({ Id, Status }) => [String(Id), Status]));
}

const COUNTED = RUN_STATUSES.filter((status) => status !== 'Succeeded' && status !== 'QueuedInSeq');

/**
 * Counts the rows that determine the next move of a Start step. Succeeded rows are not read, and only as many waiting
 * rows as can begin at once.
 */
export async function countForMove(db: Db, of: OfStart, AtOnce: number): Promise<RowCount[]> {
  const columns = ['R.Status', 'R.NotRunBecause', 'R.WaitsForSteps'];
  const counts = await newestChildren(db, of)
    .whereIn('R.Status', COUNTED)
    .groupBy(columns)
    .select(columns)
    .count<RowCount[]>({ Count: '*' });
  const waiting = await db('ActivityRuns')
    .where({ ...of, Status: 'QueuedInSeq' })
    .orderBy('Id')
    .limit(2 * AtOnce)
    .select('WaitsForSteps');
  for (const WaitsForSteps of [true, false]) {
    const Count = waiting.filter((row) => row.WaitsForSteps === WaitsForSteps).length;
    if (Count > 0) counts.push({ Status: 'QueuedInSeq', NotRunBecause: null, WaitsForSteps, Count });
  }
  return counts;
}
