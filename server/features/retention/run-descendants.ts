/**
 * The descendants of runs: the runs that they started, directly or through others. A purge deletes them with the run,
 * lowest level first, so that no run remains without its parent.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';

/**
 * Returns queries for the pending descendants of a run that no other run started. If any of them finds a row, the run
 * has a descendant that is pending or not created yet. A manual retry adds a pending run to a Start step that has
 * already ended, so the Start steps alone do not tell.
 * @param runId column of the outer query that contains the run's id, such as 'ActivityRuns.Id'
 */
export function pendingDescendants(db: Db, runId: string): Knex.QueryBuilder[] {
  const steps = (): Knex.QueryBuilder =>
    db('RunStarts as S').select(db.raw('1')).whereRaw('?? = ??', ['S.RootRunId', runId]);
  const children = db('ActivityRuns as Child')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['Child.ParentRunId', runId])
    .whereNull('Child.EndTime');
  const deeper = steps()
    .join('ActivityRuns as Child', 'Child.ParentRunId', 'S.ParentRunId')
    .whereRaw('?? <> ??', ['S.ParentRunId', runId])
    .whereNull('Child.EndTime');
  return [steps().whereNull('S.EndTime'), children, deeper];
}

export async function hasPendingDescendants(db: Db, runId: number): Promise<boolean> {
  const query = db('ActivityRuns as R').where('R.Id', runId);
  void query.where((any) => pendingDescendants(db, 'R.Id').forEach((pending) => void any.orWhereExists(pending)));
  return (await query.first('R.Id')) !== undefined;
}

/** The error for people who try to purge a run whose descendants are pending. */
export const startedPending = (): AppError =>
  new AppError('runPending', 409, 'Some runs that this run started have not ended yet');

/**
 * Returns the ids of the runs that a query selects, or of some of their descendants. The returned runs have no child
 * runs.
 */
export async function lowestRuns(trx: Knex.Transaction, of: Knex.QueryBuilder, limit: number): Promise<number[]> {
  const ids = await of.orderBy('Id').limit(limit).pluck<number[]>('Id');
  if (ids.length === 0) return ids;
  const started = await lowestRuns(trx, trx('ActivityRuns').whereIn('ParentRunId', ids), limit);
  return started.length > 0 ? started : ids;
}

/** Returns whether any of the runs has not ended, or still has child runs to create. */
export async function isAnyPending(trx: Knex.Transaction, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const run = await trx('ActivityRuns').whereIn('Id', ids).whereNull('EndTime').first('Id');
  if (run !== undefined) return true;
  return (await trx('RunStarts').whereIn('ParentRunId', ids).whereNull('EndTime').first('ParentRunId')) !== undefined;
}
