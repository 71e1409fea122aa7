/** Repeats steps automatically if they may repeat and their server was interrupted while running them. */
import type { Knex } from 'knex';
import type { RunLogLine } from '#server/executors/executor.ts';
import { insertLogLines } from '#server/queue/run-end.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { MAX_STEP_ATTEMPTS, type WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { copyInputsOfRetried, dropFilled } from './filled-inputs.ts';
import { insertWaitingRuns, type WaitingRun } from './step-runs.ts';

const COPIED_RUN = [
  'StepKey',
  'RowKey',
  'RowIndex',
  'ActivityId',
  'ActivityVersion',
  'UserId',
  'MemoryCost',
  'SingleRun',
  'TurnOwner',
];

/**
 * Stores the next attempt of each abandoned run as waiting, in the transaction that locks the workflow run. Inputs that
 * came from outputs of other steps are filled again.
 * @param stepKeys keys of steps that may repeat
 */
export async function repeatAbandoned(
  trx: Knex.Transaction,
  ChecklistRunId: number,
  plan: WorkflowPlan,
  stepKeys: readonly string[],
): Promise<void> {
  if (stepKeys.length === 0) return;
  const again = trx('ActivityRuns as Again')
    .select(trx.raw('1'))
    .where('Again.ChecklistRunId', ChecklistRunId)
    .whereRaw('?? = ??', ['Again.StepKey', 'R.StepKey'])
    .whereRaw('?? = ??', ['Again.RowKey', 'R.RowKey'])
    .whereRaw('?? > ??', ['Again.Attempt', 'R.Attempt']);
  const abandoned = await trx('ActivityRuns as R')
    .where({ 'R.ChecklistRunId': ChecklistRunId, 'R.Status': 'Abandoned' })
    .whereIn('R.StepKey', stepKeys)
    .where('R.Attempt', '<', MAX_STEP_ATTEMPTS)
    .whereNotExists(again)
    .orderBy('R.Id')
    .select<(WaitingRun & { Id: number; Attempt: number })[]>(
      ['Id', 'Attempt', ...COPIED_RUN].map((column) => `R.${column}`),
    );
  if (abandoned.length === 0) return;
  const next = abandoned.map(({ Id, Attempt, ...run }) => ({
    run: { ...run, Attempt: Attempt + 1, RetryOf: Id },
    inputs: [],
  }));
  await insertWaitingRuns(trx, { ChecklistRunId }, next);
  for (const StepKey of stepKeys) await copyInputsOfRetried(trx, { ChecklistRunId, StepKey });
  await dropFilled(trx, plan, ChecklistRunId, stepKeys);
  for (const { Id, Attempt } of abandoned) await insertLogLines(trx, Id, [repeatedLine(Attempt + 1)]);
}

const repeatedLine = (attempt: number): RunLogLine => ({
  Message: `It is run again automatically: attempt ${attempt} of ${MAX_STEP_ATTEMPTS}`,
  StatusCode: LogCode.Information,
  Category: LogCategory.Information,
});
