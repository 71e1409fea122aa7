/** The runs of steps: stored as waiting when the workflow starts, or ended without having run. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { COPIED, markUsed, traceColumns, type NewRunInput } from '#server/queue/enqueue-run.ts';
import type { RunsOf } from '#server/queue/cancel-pending.ts';
import { insertRunRows } from '#server/queue/insert-runs.ts';
import { endRuns } from '#server/queue/run-end.ts';
import { NOT_RUN_LINE } from '#server/queue/run-log-lines.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import type { NotRunReason } from '#shared/rules/workflows/types.ts';

/** The waiting run of a step or of one of its rows. */
export interface WaitingRun {
  StepKey: string;
  RowKey: string;
  /** Position in the table, from 0; absent or null if the run is not a row. */
  RowIndex?: number | null;
  ActivityId: number;
  ActivityVersion: number;
  UserId: number;
  MemoryCost: number;
  SingleRun: boolean;
  TurnOwner: string;
  /** Attempt number; 1 if absent. */
  Attempt?: number;
  RetryOf?: number;
}

export interface WaitingRunWithInputs {
  run: WaitingRun;
  inputs: readonly NewRunInput[];
}

/** Identifies a step or one of its rows within a workflow run. Both keys are free text and may contain any separator. */
export const stepRunKey = ({ StepKey, RowKey }: Pick<ActivityRunsRow, 'StepKey' | 'RowKey'>): string =>
  JSON.stringify([StepKey, RowKey]);

/** Log StatusCode of steps that could not be run. */
export const REFUSED_CODE = 1701;

/**
 * Stores runs that wait for earlier steps, with their inputs. The runs are listed in the order in which they are to
 * run.
 */
export async function insertWaitingRuns(
  trx: Knex.Transaction,
  of: RunsOf,
  steps: readonly WaitingRunWithInputs[],
): Promise<void> {
  const rows = steps.map(({ run }) => ({
    ...run,
    ...of,
    ...traceColumns(),
    Status: 'QueuedInSeq' as const,
    WaitsForSteps: true,
  }));
  const ids = new Map((await insertRunRows(trx, rows)).map((row) => [stepRunKey(row), row.Id]));
  const inputs = steps.flatMap(({ run, inputs: own }) =>
    own.map((row) => ({ ActivityRunId: ids.get(stepRunKey(run))!, ...row })),
  );
  await insertInputs(trx, inputs);
}

/** Copies the inputs of one waiting run of a step to the step's other waiting runs. */
export async function copyStoredInputs(
  trx: Knex.Transaction,
  { fromRunId, ChecklistRunId, StepKey }: { fromRunId: number; ChecklistRunId: number; StepKey: string },
): Promise<void> {
  const columns = ['ActivityRunId', ...COPIED];
  const others = trx('RunInputs as I')
    .join('ActivityRuns as R', (on) => void on.on(trx.raw('?? = ?', ['R.ChecklistRunId', ChecklistRunId])))
    .where({ 'I.ActivityRunId': fromRunId, 'R.StepKey': StepKey, 'R.WaitsForSteps': true })
    .whereNot('R.Id', fromRunId)
    .select('R.Id', ...COPIED.map((column) => `I.${column}`));
  await trx(trx.raw(`?? (${columns.map(() => '??').join(', ')})`, ['RunInputs', ...columns])).insert(others);
}

export async function insertInputs(
  trx: Knex.Transaction,
  inputs: readonly (NewRunInput & { ActivityRunId: number })[],
): Promise<void> {
  await inRows(trx, inputs, (part) => trx('RunInputs').insert(part));
  const fileIds = [...new Set(inputs.flatMap(({ FileId }) => FileId ?? []))];
  if (fileIds.length > 0) await markUsed(trx, fileIds, dialectOf(trx).now(trx));
}

/**
 * Returns the begin function of a step without a waiting run. It is never called if another server has begun the step
 * already; otherwise the row is missing, which is an error.
 */
export function missingRow(workflowRunId: number, stepKey: string): () => Promise<never> {
  return async () => Promise.reject(new Error(`step ${stepKey} of the run ${workflowRunId} has no row`));
}

export const whereWaiting = (trx: Knex, runIds: readonly number[]): Knex.QueryBuilder =>
  trx('ActivityRuns').whereIn('Id', runIds).where({ Status: 'QueuedInSeq', WaitsForSteps: true });

/** Why a run does not begin, and the status that it ends with; Failed if absent. */
export interface Refusal {
  refused: string;
  status?: 'LogicError';
}

/** Ends a waiting run because its inputs are not available, or its user may no longer run it. */
export async function refuseRun(trx: Knex.Transaction, runId: number, { refused, status }: Refusal): Promise<void> {
  const now = dialectOf(trx).now(trx);
  await endRuns(trx, whereWaiting(trx, [runId]), { Status: status ?? 'Failed', QueueTime: now }, () =>
    refusedLine(refused),
  );
}

const refusedLine = (Message: string): RunLogLine => ({
  Message,
  StatusCode: REFUSED_CODE,
  Category: LogCategory.Error,
});

/** Ends all waiting runs of a step and logs the reason in each. */
export async function endNotRun(
  trx: Knex.Transaction,
  ChecklistRunId: number,
  StepKey: string,
  why: WhyNotRun,
): Promise<void> {
  await endWaiting(trx, { ChecklistRunId, StepKey }, why);
}

interface WhyNotRun {
  Because: NotRunReason;
  Text: string;
}

/** Ends all waiting runs of a workflow step or of a Start step, and logs the reason in each. */
export async function endWaiting(
  trx: Knex.Transaction,
  of: RunsOf & { StepKey: string },
  { Because, Text }: WhyNotRun,
): Promise<void> {
  const waiting = trx('ActivityRuns').where({ ...of, Status: 'QueuedInSeq', WaitsForSteps: true });
  const columns = { Status: 'Cancelled', NotRunBecause: Because } as const;
  await endRuns(trx, waiting, columns, () => ({ ...NOT_RUN_LINE, Message: Text }));
}
