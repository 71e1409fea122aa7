/** What a step needs to begin, and the result of beginning it. */
import type { Knex } from 'knex';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import type { WorkflowContext } from './workflow-context.ts';
import type { WorkflowRunRow } from './workflow-run-heads.ts';
import type { StepSlots } from './step-slots.ts';

export interface BeginResult {
  /** Ids of runs that no longer wait for steps. */
  released: number[];
  /** True if more steps may follow immediately. */
  isMore: boolean;
}

/** Begins the step, in the transaction that locks the workflow run and found that the step can begin. */
export type BeginStep = (trx: Knex.Transaction, slots: StepSlots) => Promise<BeginResult>;

export interface StepContext extends WorkflowContext {
  workflowRun: WorkflowRunRow;
  plan: WorkflowPlan;
}
