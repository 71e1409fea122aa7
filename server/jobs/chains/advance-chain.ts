/**
 * Lets follow what follows: reads where the steps of a chain stand and begins or ends others accordingly. Whoever calls it, whenever and how
 * often: everything is decided in a transaction that holds the chain, from the rows of its steps alone.
 */
import type { Knex } from 'knex';
import { inTransaction } from '#server/db/transaction.ts';
import { advance, type Advance } from '#shared/rules/chains/advance.ts';
import { stepsByKey } from '#shared/rules/chains/graph-order.ts';
import type { ChainPlan, ChainStep } from '#shared/rules/chains/types.ts';
import { prepareBegin, type BeginStep } from './begin-step.ts';
import type { ChainContext } from './chain-context.ts';
import type { ReadPlan } from './chain-plans.ts';
import { CHAIN_COLUMNS, readStates, type ChainRow } from './chain-states.ts';
import { endNotRun } from './step-runs.ts';

export interface AdvanceContext extends ChainContext {
  readPlan: ReadPlan;
}

/** Goes on until nothing follows any more from how the chain stands. */
export async function advanceChain(context: AdvanceContext, chainId: number): Promise<void> {
  while (await advanceOnce(context, chainId));
}

const hasWork = ({ start, notRun, result }: Advance): boolean =>
  start.length > 0 || notRun.length > 0 || result !== null;

/** Answers whether more may follow. */
async function advanceOnce(context: AdvanceContext, chainId: number): Promise<boolean> {
  const { database, signals, readPlan } = context;
  const { knex } = database;
  const chain = await findChain(knex, chainId);
  if (!chain || chain.EndTime) return false;
  const plan = await readPlan(knex, chain.PlanId);
  const found = await followUp(knex, chain, plan);
  if (!hasWork(found)) return false;
  const steps = stepsByKey(plan.Graph);
  const ready = new Map<string, BeginStep>();
  for (const key of found.start) ready.set(key, await prepareBegin({ ...context, chain, plan }, steps.get(key)!));
  const done = await inTransaction(knex, (trx) => carryOn(context, trx, { chainId, plan, ready, steps }));
  for (const runId of done.queued) signals.changed(runId);
  if (done.queued.length > 0) signals.queued();
  return done.isMore;
}

interface Ready {
  chainId: number;
  plan: ChainPlan;
  steps: ReadonlyMap<string, ChainStep>;
  /** Of the steps that were found to begin before the chain was held. */
  ready: ReadonlyMap<string, BeginStep>;
}

async function carryOn(
  { database }: AdvanceContext,
  trx: Knex.Transaction,
  { chainId, plan, ready }: Ready,
): Promise<{ queued: number[]; isMore: boolean }> {
  const chain = await lockChain(trx, chainId);
  if (!chain || chain.EndTime) return { queued: [], isMore: false };
  const next = await followUp(trx, chain, plan);
  for (const { Key, ...why } of next.notRun) await endNotRun(trx, chainId, Key, why);
  const queued: number[] = [];
  let isMore = false;
  for (const key of next.start) {
    const begin = ready.get(key);
    const begun = await begin?.(trx);
    queued.push(...(begun?.queued ?? []));
    // What ended as soon as it began, and what was found only now, may be followed by something.
    isMore ||= !begun || begun.queued.length === 0;
  }
  if (next.result !== null) {
    const end = { Status: next.result, EndTime: database.dialect.now(trx) };
    await trx('ChecklistRuns').where('Id', chainId).update(end);
  }
  return { queued, isMore };
}

async function followUp(db: Knex, chain: ChainRow, { Graph }: ChainPlan): Promise<Advance> {
  const { steps } = await readStates(db, chain, Graph);
  return advance(Graph, steps, chain.CancelTime !== null);
}

export async function findChain(db: Knex, chainId: number): Promise<ChainRow | undefined> {
  return db('ChecklistRuns').where('Id', chainId).first(CHAIN_COLUMNS) as Promise<ChainRow | undefined>;
}

/** Keeps all others from changing the chain until the transaction ends. */
export async function lockChain(trx: Knex.Transaction, chainId: number): Promise<ChainRow | undefined> {
  return trx('ChecklistRuns').where('Id', chainId).forUpdate().first(CHAIN_COLUMNS) as Promise<ChainRow | undefined>;
}
