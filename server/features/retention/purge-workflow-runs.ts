/**
 * Deletes ended runs of checklists and workflows, each with the runs of its steps, their files and their logs. Runs
 * with thousands of rows are deleted in small parts. Such a run is marked first; from then on, nobody sees it or can
 * resume it. If the server stops, any server that finds the mark later continues.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { deleteUnusedPlan } from '#server/workflows/workflow-plans.ts';
import { createPurgePace, type PurgePace } from './purge-pace.ts';
import { purgeThese, type PurgeDeps } from './purge-runs.ts';
import { isAnyPending, lowestRuns, pendingDescendants } from './run-descendants.ts';

/** Restricts the ended runs. The query only contains the table ChecklistRuns. */
export type WorkflowRunFilter = (query: Knex.QueryBuilder) => void;

const WORKFLOW_RUN_BATCH_SIZE = 20;

/**
 * Returns the number of deleted runs. A run that another run resumes is not deleted, because that run reuses its
 * results. Newest runs are therefore deleted first, then the ones they resumed.
 */
export async function purgeWorkflowRuns(
  deps: PurgeDeps,
  where: WorkflowRunFilter,
  signal?: AbortSignal,
): Promise<number> {
  const pace = paceOf(deps);
  let count = 0;
  for (;;) {
    if (signal?.aborted) break;
    const ids = await inTransaction(deps.database.knex, (trx) => mark(deps.database, trx, where));
    if (ids === null) break;
    for (const id of ids) if (await deleteMarked(deps, id, { pace, signal })) count += 1;
  }
  return count;
}

/** Continues the purge of marked runs, for example after a server stopped. */
export async function finishPurges(deps: PurgeDeps, signal?: AbortSignal): Promise<void> {
  const { knex } = deps.database;
  const ids = await knex('ChecklistRuns').whereNotNull('PurgeTime').orderBy('Id', 'desc').pluck('Id');
  const pace = paceOf(deps);
  for (const id of ids) await deleteMarked(deps, id, { pace, signal });
}

const paceOf = ({ createPace = createPurgePace }: PurgeDeps): PurgePace => createPace();

/** Returns queries that find a row if a step of a checklist run started runs, at any depth, that have not ended. */
const pendingStarted = (db: Db): Knex.QueryBuilder[] =>
  pendingDescendants(db, 'Step.Id').map((pending) =>
    db('ActivityRuns as Step')
      .select(db.raw('1'))
      .whereRaw('?? = ??', ['Step.ChecklistRunId', 'ChecklistRuns.Id'])
      .whereExists(pending),
  );

/** Returns whether a step of the checklist run started runs, at any depth, that have not ended. */
export async function hasPendingStarted(db: Db, workflowRunId: number): Promise<boolean> {
  const query = db('ChecklistRuns').where('Id', workflowRunId);
  void query.where((any) => pendingStarted(db).forEach((pending) => void any.orWhereExists(pending)));
  return (await query.first('Id')) !== undefined;
}

/** Returns the ids of the marked runs; null if no further run can be marked. */
async function mark({ dialect }: Database, trx: Knex.Transaction, where: WorkflowRunFilter): Promise<number[] | null> {
  const resumed = trx('ChecklistRuns as Later')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['Later.ResumeOf', 'ChecklistRuns.Id']);
  const rows = await dialect.lockRows<{ Id: number }>(trx, {
    table: 'ChecklistRuns',
    columns: ['Id'],
    where: (query) => {
      void query.whereNotNull('EndTime').whereNull('PurgeTime').whereNotExists(resumed);
      for (const pending of pendingStarted(trx)) void query.whereNotExists(pending);
      where(query);
    },
    orderBy: [{ column: 'Id', direction: 'desc' }],
    limit: WORKFLOW_RUN_BATCH_SIZE,
    locked: 'skip',
  });
  if (rows.length === 0) return null;
  const locked = rows.map(({ Id }) => Id);
  // Checks again for resumed runs, because a run may have been resumed just before it was locked. Now that the runs are
  // locked, nobody else can resume them. If all of them were resumed, older runs may remain: the next query finds them.
  const later = await trx('ChecklistRuns').whereIn('ResumeOf', locked).pluck('ResumeOf');
  const ids = locked.filter((id) => !later.includes(id));
  await trx('ChecklistRuns')
    .whereIn('Id', ids)
    .update({ PurgeTime: dialect.now(trx) });
  return ids;
}

/** Returns whether this call deleted the last part of the run. */
async function deleteMarked(
  { database, store }: PurgeDeps,
  workflowRunId: number,
  { pace, signal }: { pace: PurgePace; signal: AbortSignal | undefined },
): Promise<boolean> {
  for (;;) {
    if (signal?.aborted) return false;
    const began = performance.now();
    const { keys, state } = await inTransaction(database.knex, (trx) =>
      deletePart(database, trx, { workflowRunId, limit: pace.size() }),
    );
    await Promise.all(keys.map((key) => store.delete(key)));
    await pace.rest(performance.now() - began, signal);
    if (state !== 'more') return state === 'deleted';
  }
}

interface Part {
  /** Keys of files to delete from the store. */
  keys: string[];
  /** 'left' if another server has locked the run, or if one of its runs or their descendants has not ended. */
  state: 'more' | 'deleted' | 'left';
}

async function deletePart(
  database: Database,
  trx: Knex.Transaction,
  { workflowRunId, limit }: { workflowRunId: number; limit: number },
): Promise<Part> {
  const [held] = await database.dialect.lockRows(trx, {
    table: 'ChecklistRuns',
    columns: ['Id'],
    where: (query) => void query.where('Id', workflowRunId).whereNotNull('PurgeTime'),
    orderBy: [{ column: 'Id' }],
    locked: 'skip',
  });
  if (!held) return { keys: [], state: 'left' };
  const ids = await lowestRuns(trx, trx('ActivityRuns').where('ChecklistRunId', workflowRunId), limit);
  if (await isAnyPending(trx, ids)) return { keys: [], state: 'left' };
  if (ids.length === 0) {
    // Foreign keys cascade to its steps, log, approvals and the records of reused runs.
    const { PlanId } = await trx('ChecklistRuns').where('Id', workflowRunId).first<{ PlanId: number }>('PlanId');
    await trx('ChecklistRuns').where('Id', workflowRunId).delete();
    await deleteUnusedPlan(trx, PlanId);
    return { keys: [], state: 'deleted' };
  }
  const { keys } = await purgeThese(database, trx, { target: 'runs', message: '' }, ids);
  return { keys, state: 'more' };
}
