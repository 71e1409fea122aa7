/** The plans that checklist and workflow runs were started with. A plan never changes, so it can be cached forever. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';

/** Returns the id of the plan. An equal plan that is already stored is used again. */
export async function storePlan(trx: Knex.Transaction, plan: WorkflowPlan): Promise<number> {
  const Plan = JSON.stringify(plan);
  const Hash = createHash('sha256').update(Plan).digest('base64url');
  // The share lock keeps a transaction that deletes the last run of this plan from deleting the plan while the new run
  // is stored.
  const find = (): Promise<{ Id: number } | undefined> => trx('ChecklistPlans').where({ Hash }).forShare().first('Id');
  const found = await find();
  if (found) return found.Id;
  await dialectOf(trx).upsert(trx, { table: 'ChecklistPlans', rows: [{ Hash, Plan }], key: ['Hash'], update: [] });
  return (await find())!.Id;
}

/** Deletes a plan that no run uses any more, in the transaction that deleted a run. */
export async function deleteUnusedPlan(trx: Knex.Transaction, PlanId: number): Promise<void> {
  // Waits for transactions that are storing a run with this plan, so the query below sees that run.
  await trx('ChecklistPlans').where('Id', PlanId).forUpdate().first('Id');
  const used = await trx('ChecklistRuns').where({ PlanId }).first('Id');
  if (!used) await trx('ChecklistPlans').where('Id', PlanId).delete();
}

export type ReadPlan = (db: Knex, planId: number) => Promise<WorkflowPlan>;

const CACHED_PLANS = 200;

export function createPlanReader(): ReadPlan {
  // In order of last use.
  const cache = new Map<number, WorkflowPlan>();
  return async (db, planId) => {
    const cached = cache.get(planId);
    const plan = cached ?? (await readPlan(db, planId));
    cache.delete(planId);
    cache.set(planId, plan);
    if (cache.size > CACHED_PLANS) cache.delete(cache.keys().next().value!);
    return plan;
  };
}

/** Throws if the plan does not exist, which cannot happen while a run uses it. */
export async function readPlan(db: Knex, planId: number): Promise<WorkflowPlan> {
  const row = await db('ChecklistPlans').where('Id', planId).first('Plan');
  if (!row) throw new Error(`there is no plan ${planId}`);
  return JSON.parse(row.Plan) as WorkflowPlan;
}
