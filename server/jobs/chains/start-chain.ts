import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import { turnOwnerOf } from '#server/jobs/queue/fair-turns.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import type { ChainPlan } from '#shared/rules/chains/types.ts';
import { storePlan } from './chain-plans.ts';
import { insertWaitingRuns } from './step-runs.ts';

export interface NewChain {
  ChecklistId: number;
  /** Null for a checklist that was not edited as a workflow. */
  WorkflowVersion: number | null;
  Plan: ChainPlan;
  UserId: number;
  UniqueId: string | null;
  /** What was entered: JSON. */
  Inputs: string;
}

/** Of a step that runs an activity, once or for each row. */
export interface NewStep {
  StepKey: string;
  ActivityId: number;
  MemoryCost: number;
  SingleRun: boolean;
  /** All but those that outputs of earlier steps fill. */
  inputs: readonly NewRunInput[];
}

/**
 * Stores a chain with the runs of all its steps, as waiting, in one transaction; what begins is begun right after it. Throws the
 * database's error of a unique index (UX_ChecklistRuns_UniqueId) where the same form has started it before.
 * @param steps all of the graph that run activities
 */
export async function startChain(
  { knex }: Database,
  signals: RunSignals,
  chain: NewChain,
  steps: readonly NewStep[],
): Promise<{ Id: number }> {
  const Id = await inTransaction(knex, (trx) => insertChain(trx, chain, steps));
  signals.stepEnded(Id);
  return { Id };
}

/** As `startChain`, within a transaction: once it has committed, the signal `stepEnded` lets the chain begin. */
export async function insertChain(
  trx: Knex.Transaction,
  { Plan, ...chain }: NewChain,
  steps: readonly NewStep[],
): Promise<number> {
  const missing = Plan.Graph.Steps.find(
    ({ Key, Kind }) => (Kind === 'Activity' || Kind === 'ForEach') && !steps.some(({ StepKey }) => StepKey === Key),
  );
  if (missing) throw new Error(`nothing is said of the step ${missing.Key}`);
  const PlanId = await storePlan(trx, Plan);
  const [row] = (await trx('ChecklistRuns')
    .insert({ ...chain, PlanId, Status: 'Started' })
    .returning('Id')) as { Id: number }[];
  const { UserId } = chain;
  const waiting = steps.map(({ inputs, ...step }) => {
    const ActivityVersion = Plan.Versions[step.ActivityId];
    if (ActivityVersion === undefined) throw new Error(`the plan has no version of the activity ${step.ActivityId}`);
    return { run: { ...step, RowKey: '', ActivityVersion, UserId, TurnOwner: turnOwnerOf(UserId) }, inputs };
  });
  await insertWaitingRuns(trx, { ChecklistRunId: row!.Id }, waiting);
  return row!.Id;
}
