import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import { fairShareKeyOf } from '#server/queue/fair-queue.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { storePlan } from './workflow-plans.ts';
import { insertWaitingRuns } from './step-runs.ts';

export interface NewWorkflowRun {
  ChecklistId: number;
  /** Null for a checklist that was never edited as a workflow. */
  WorkflowVersion: number | null;
  Plan: WorkflowPlan;
  UserId: number;
  UniqueId: string | null;
  /** The entered values as JSON. */
  Inputs: string;
}

/** A step that runs an activity, once or for each row. */
export interface NewStep {
  StepKey: string;
  ActivityId: number;
  MemoryCost: number;
  SingleRun: boolean;
  /** All inputs except those filled by outputs of earlier steps. */
  inputs: readonly NewRunInput[];
}

/**
 * Stores a workflow run with the runs of all its steps as waiting, in one transaction. Its first steps begin right
 * after the commit. If the same form has started it before, throws the database's unique index error
 * (UX_ChecklistRuns_UniqueId).
 * @param steps all steps of the graph that run activities
 */
export async function startWorkflowRun(
  { knex }: Database,
  signals: RunSignals,
  workflowRun: NewWorkflowRun,
  steps: readonly NewStep[],
): Promise<{ Id: number }> {
  const Id = await inTransaction(knex, (trx) => insertWorkflowRun(trx, workflowRun, steps));
  signals.stepEnded(Id);
  return { Id };
}

/**
 * Like `startWorkflowRun`, within a transaction. After the commit, the caller sends the signal `stepEnded` to begin the
 * workflow run.
 */
export async function insertWorkflowRun(
  trx: Knex.Transaction,
  { Plan, ...workflowRun }: NewWorkflowRun,
  steps: readonly NewStep[],
): Promise<number> {
  const missing = Plan.Graph.Steps.find(
    ({ Key, Kind }) => (Kind === 'Activity' || Kind === 'ForEach') && !steps.some(({ StepKey }) => StepKey === Key),
  );
  if (missing) throw new Error(`nothing is said of the step ${missing.Key}`);
  const PlanId = await storePlan(trx, Plan);
  const id = await insertedId(
    trx('ChecklistRuns')
      .insert({ ...workflowRun, PlanId, Status: 'Started' })
      .returning('Id'),
  );
  const { UserId } = workflowRun;
  const waiting = steps.map(({ inputs, ...step }) => {
    const ActivityVersion = Plan.Versions[step.ActivityId];
    if (ActivityVersion === undefined) throw new Error(`the plan has no version of the activity ${step.ActivityId}`);
    return { run: { ...step, RowKey: '', ActivityVersion, UserId, TurnOwner: fairShareKeyOf(UserId) }, inputs };
  });
  await insertWaitingRuns(trx, { ChecklistRunId: id }, waiting);
  return id;
}
