/**
 * Deletes ended runs of checklists and workflows, each with the runs of its steps, their files and all that is said of them. A run with
 * thousands of rows goes a few at a time: it is marked first, from when on nobody sees it and nothing goes on from it, and whoever finds the
 * mark later, as a server was stopped meanwhile, goes on.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { deleteUnusedPlan } from '#server/jobs/chains/chain-plans.ts';
import { createPurgePace, type PurgePace } from './purge-pace.ts';
import { purgeThese, type PurgeDeps } from './purge-runs.ts';

/** Narrows the ended runs; the query is of the table ChecklistRuns alone. */
export type ChainFilter = (query: Knex.QueryBuilder) => void;

const CHAINS = 20;

/**
 * Answers how many it deleted. A run that another goes on from stays, as that one keeps what had succeeded in it: so the newest goes first, and
 * those before it after it.
 */
export async function purgeChains(deps: PurgeDeps, where: ChainFilter, signal?: AbortSignal): Promise<number> {
  const pace = paceOf(deps);
  let count = 0;
  for (;;) {
    if (signal?.aborted) break;
    const ids = await inTransaction(deps.database.knex, (trx) => mark(deps.database, trx, where));
    if (ids.length === 0) break;
    for (const id of ids) if (await deleteMarked(deps, id, { pace, signal })) count += 1;
  }
  return count;
}

/** Goes on with what is marked: where a server ended meanwhile. */
export async function finishPurges(deps: PurgeDeps, signal?: AbortSignal): Promise<void> {
  const { knex } = deps.database;
  const ids = (await knex('ChecklistRuns').whereNotNull('PurgeTime').orderBy('Id', 'desc').pluck('Id')) as number[];
  const pace = paceOf(deps);
  for (const id of ids) await deleteMarked(deps, id, { pace, signal });
}

const paceOf = ({ createPace = createPurgePace }: PurgeDeps): PurgePace => createPace();

async function mark({ dialect }: Database, trx: Knex.Transaction, where: ChainFilter): Promise<number[]> {
  const resumed = trx('ChecklistRuns as Later')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['Later.ResumeOf', 'ChecklistRuns.Id']);
  const child = trx('ActivityRuns as Child')
    .join('ActivityRuns as Step', 'Step.Id', 'Child.ParentRunId')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['Step.ChecklistRunId', 'ChecklistRuns.Id'])
    .whereNull('Child.EndTime');
  // Of rows that are not yet runs.
  const unmade = trx('RunStarts as S')
    .join('ActivityRuns as Step', 'Step.Id', 'S.ParentRunId')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['Step.ChecklistRunId', 'ChecklistRuns.Id'])
    .whereNull('S.EndTime');
  const rows = await dialect.lockRows<{ Id: number }>(trx, {
    table: 'ChecklistRuns',
    columns: ['Id'],
    where: (query) => {
      void query
        .whereNotNull('EndTime')
        .whereNull('PurgeTime')
        .whereNotExists(resumed)
        .whereNotExists(child)
        .whereNotExists(unmade);
      where(query);
    },
    orderBy: [{ column: 'Id', direction: 'desc' }],
    limit: CHAINS,
    locked: 'skip',
  });
  const locked = rows.map(({ Id }) => Id);
  // What was resumed while this waited for its turn is seen only now that nobody else can resume it.
  const later = (await trx('ChecklistRuns').whereIn('ResumeOf', locked).pluck('ResumeOf')) as number[];
  const ids = locked.filter((id) => !later.includes(id));
  await trx('ChecklistRuns')
    .whereIn('Id', ids)
    .update({ PurgeTime: dialect.now(trx) });
  return ids;
}

/** Answers whether all of it is gone, and was not before. */
async function deleteMarked(
  { database, store }: PurgeDeps,
  chainId: number,
  { pace, signal }: { pace: PurgePace; signal: AbortSignal | undefined },
): Promise<boolean> {
  for (;;) {
    if (signal?.aborted) return false;
    const began = performance.now();
    const { keys, state } = await inTransaction(database.knex, (trx) =>
      deletePart(database, trx, { chainId, most: pace.size() }),
    );
    await Promise.all(keys.map((key) => store.delete(key)));
    await pace.rest(performance.now() - began, signal);
    if (state !== 'more') return state === 'deleted';
  }
}

interface Part {
  /** Keys of files to be deleted from the store. */
  keys: string[];
  /** 'left' to somebody else, or to a later time. */
  state: 'more' | 'deleted' | 'left';
}

async function deletePart(
  database: Database,
  trx: Knex.Transaction,
  { chainId, most }: { chainId: number; most: number },
): Promise<Part> {
  const [held] = await database.dialect.lockRows(trx, {
    table: 'ChecklistRuns',
    columns: ['Id'],
    where: (query) => void query.where('Id', chainId).whereNotNull('PurgeTime'),
    orderBy: [{ column: 'Id' }],
    locked: 'skip',
  });
  if (!held) return { keys: [], state: 'left' };
  const runs = await lastOfThem(trx, trx('ActivityRuns').where('ChecklistRunId', chainId), most);
  if (runs.some(({ EndTime }) => EndTime === null)) return { keys: [], state: 'left' };
  if (runs.length === 0) {
    // Steps, log, approvals and what it keeps of others go with it by their foreign keys.
    const { PlanId } = (await trx('ChecklistRuns').where('Id', chainId).first('PlanId')) as { PlanId: number };
    await trx('ChecklistRuns').where('Id', chainId).delete();
    await deleteUnusedPlan(trx, PlanId);
    return { keys: [], state: 'deleted' };
  }
  const ids = runs.map(({ Id }) => Id);
  const { keys } = await purgeThese(database, trx, { target: 'runs', message: '' }, ids);
  return { keys, state: 'more' };
}

interface PurgedRun {
  Id: number;
  EndTime: Date | null;
}

/** Some of the runs; of runs that started others some of these, so that none is left without the one it belongs to. */
async function lastOfThem(trx: Knex.Transaction, of: Knex.QueryBuilder, most: number): Promise<PurgedRun[]> {
  const runs = (await of.orderBy('Id').limit(most).select('Id', 'EndTime')) as PurgedRun[];
  if (runs.length === 0) return [];
  const ids = runs.map(({ Id }) => Id);
  const started = await lastOfThem(trx, trx('ActivityRuns').whereIn('ParentRunId', ids), most);
  return started.length > 0 ? started : runs;
}
