/** A cache of the parts of a workflow run that every advance needs: its user and the plan it was started with. */
import type { Knex } from 'knex';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { ChainPlan } from '#shared/rules/chains/types.ts';
import { createPlanReader } from './chain-plans.ts';

export interface ChainRow {
  Id: number;
  PlanId: number;
  UserId: number;
  Status: RunStatus;
  EndTime: Date | null;
  CancelTime: Date | null;
  ResumeOf: number | null;
}

export const CHAIN_COLUMNS = ['Id', 'PlanId', 'UserId', 'Status', 'EndTime', 'CancelTime', 'ResumeOf'];

export interface ChainHead {
  /** The row as of the read. Whether the run has ended or was cancelled since is checked again under the lock. */
  chain: ChainRow;
  plan: ChainPlan;
}

/** Returns undefined if the run does not exist or has ended. */
export type ReadHead = (db: Knex, chainId: number) => Promise<ChainHead | undefined>;

const CACHED_HEADS = 200;

export function createHeadReader(): ReadHead {
  const readPlan = createPlanReader();
  // In order of last use.
  const cache = new Map<number, ChainHead>();
  return async (db, chainId) => {
    const head = cache.get(chainId) ?? (await readHead(db, chainId, readPlan));
    cache.delete(chainId);
    if (head) cache.set(chainId, head);
    if (cache.size > CACHED_HEADS) cache.delete(cache.keys().next().value!);
    return head;
  };
}

async function readHead(
  db: Knex,
  chainId: number,
  readPlan: ReturnType<typeof createPlanReader>,
): Promise<ChainHead | undefined> {
  const chain = (await db('ChecklistRuns').where('Id', chainId).first(CHAIN_COLUMNS)) as ChainRow | undefined;
  if (!chain || chain.EndTime) return undefined;
  return { chain, plan: await readPlan(db, chain.PlanId) };
}
