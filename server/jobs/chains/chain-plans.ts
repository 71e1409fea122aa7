/** What runs of checklists and workflows were started with. A plan never changes, so that what was read once is good for ever. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { ChainPlan } from '#shared/rules/chains/types.ts';

/** Answers the id of the plan; an equal one that was stored before is used again. */
export async function storePlan(trx: Knex.Transaction, plan: ChainPlan): Promise<number> {
  const Plan = JSON.stringify(plan);
  const Hash = createHash('sha256').update(Plan).digest('base64url');
  // Shared, so that it is not deleted with the last run before while this one is stored.
  const find = (): Promise<{ Id: number } | undefined> => trx('ChecklistPlans').where({ Hash }).forShare().first('Id');
  const found = await find();
  if (found) return found.Id;
  await dialectOf(trx).upsert(trx, { table: 'ChecklistPlans', rows: [{ Hash, Plan }], key: ['Hash'], update: [] });
  return (await find())!.Id;
}

/** Deletes a plan that no run has any more, in the transaction that deleted one. */
export async function deleteUnusedPlan(trx: Knex.Transaction, PlanId: number): Promise<void> {
  // Waits for whoever is about to store a run with it, so that the look after it sees that run.
  await trx('ChecklistPlans').where('Id', PlanId).forUpdate().first('Id');
  const used = await trx('ChecklistRuns').where({ PlanId }).first('Id');
  if (!used) await trx('ChecklistPlans').where('Id', PlanId).delete();
}

export type ReadPlan = (db: Knex, planId: number) => Promise<ChainPlan>;

const CACHED_PLANS = 200;

export function createPlanReader(): ReadPlan {
  // In the order of last use.
  const cache = new Map<number, ChainPlan>();
  return async (db, planId) => {
    const cached = cache.get(planId);
    const plan = cached ?? (await readPlan(db, planId));
    cache.delete(planId);
    cache.set(planId, plan);
    if (cache.size > CACHED_PLANS) cache.delete(cache.keys().next().value!);
    return plan;
  };
}

/** Throws where there is no such plan: runs keep theirs from being deleted. */
export async function readPlan(db: Knex, planId: number): Promise<ChainPlan> {
  const row = (await db('ChecklistPlans').where('Id', planId).first('Plan')) as { Plan: string } | undefined;
  if (!row) throw new Error(`there is no plan ${planId}`);
  return JSON.parse(row.Plan) as ChainPlan;
}
