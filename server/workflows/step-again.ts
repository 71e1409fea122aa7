/** Running a single step of a workflow again by hand. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { NOT_RUN_LINE } from '#server/queue/run-log-lines.ts';
import { canRunAgain, type StepAgain } from '#shared/rules/workflows/reused-steps.ts';
import type { WorkflowPlan, StepStates } from '#shared/rules/workflows/types.ts';
import { insertWorkflowLogLine } from './other-steps.ts';

export function requireStep({ Graph }: WorkflowPlan, states: StepStates, key: string): void {
  if (!Graph.Steps.some(({ Key }) => Key === key)) throw new AppError('stepNotFound', 404, 'The run has no such step');
  if (!canRunAgain(states.get(key))) {
    throw new AppError(
      'stepSucceeded',
      409,
      'The step succeeded or was skipped: only unsuccessful steps can be run again',
    );
  }
}

export async function logStepAgain(
  trx: Knex.Transaction,
  ChecklistRunId: number,
  { Graph }: WorkflowPlan,
  { StepKey, GoOn, RowKey }: StepAgain,
): Promise<void> {
  const name = Graph.Steps.find(({ Key }) => Key === StepKey)?.Name ?? '';
  const rest = GoOn ? ' and the steps after it' : '';
  const what = RowKey === undefined ? '' : `row "${RowKey}" of `;
  const Message = `Only ${what}step "${name}"${rest} will run again; everything else stays unchanged`;
  await insertWorkflowLogLine(trx, { ChecklistRunId, StepKey: null }, { ...NOT_RUN_LINE, Message });
}
