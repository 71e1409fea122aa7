/**
 * Continues an ended workflow in a new workflow run, which reuses results by reference and runs the other steps again:
 * what did not succeed, what a person chose, and what depends on changed inputs.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import { COPIED } from '#server/queue/enqueue-run.ts';
import { fairShareKeyOf } from '#server/queue/fair-queue.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { RunAgain } from '#shared/rules/workflows/steps-again.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { lockWorkflowRun } from './advance-workflow-run.ts';
import { rowsOwnerOf } from './begin-for-each.ts';
import { dropFilled } from './filled-inputs.ts';
import { logResumed } from './log-resumed.ts';
import {
  planResume,
  requireReusable,
  requireStartedEnded,
  type ChangedRows,
  type PlannedResume,
  type StepRunAgain,
} from './reused-runs.ts';
import { insertInputs, insertWaitingRuns, type WaitingRun } from './step-runs.ts';
import { storePlan } from './workflow-plans.ts';
import type { WorkflowRunRow } from './workflow-run-heads.ts';

export interface ResumedBy extends RunAgain {
  UserId: number;
  UniqueId: string | null;
  /**
   * The version of each activity, if different from the plan. The caller must ensure that reused results fit these
   * versions.
   */
  Versions?: WorkflowPlan['Versions'];
  /** The values of the changed inputs, checked by the caller. Present if there are any. */
  entered?: EnteredAgain;
  /** Keys of the steps of which a person confirmed that they change something outside again. */
  confirmed?: readonly string[];
}

export interface EnteredAgain {
  /** All entered values of the new run, as JSON. */
  Inputs: string;
  rows: ChangedRows;
}

/**
 * Returns the Id of the new workflow run, which has the plan of the old one. Throws an AppError 404 if the workflow run,
 * a step or the row does not exist. Throws an AppError 409 in these cases: the workflow run was never started, has not
 * ended, or is being or was continued; nothing is left to run; inputs or outputs that are needed were purged; runs that
 * a step started have not ended.
 */
export async function resumeWorkflowRun(
  { knex }: Database,
  signals: RunSignals,
  workflowRunId: number,
  by: ResumedBy,
): Promise<{ Id: number }> {
  const Id = await inTransaction(knex, (trx) => resumeIn(trx, workflowRunId, by));
  signals.stepEnded(Id);
  return { Id };
}

/**
 * Like `resumeWorkflowRun`, within a transaction. After the commit, the caller sends the signal `stepEnded` to begin the
 * workflow run.
 */
export async function resumeIn(trx: Knex.Transaction, workflowRunId: number, by: ResumedBy): Promise<number> {
  // Of two people who continue the same run, the second waits here and then finds the run of the first.
  const workflowRun = await lockWorkflowRun(trx, workflowRunId);
  if (!workflowRun) throw new AppError('runNotFound', 404, 'There is no such run');
  const planned = await planResume(trx, workflowRun, by);
  await requireReusable(trx, planned, by.entered?.rows);
  if (by.From ?? by.ChangedInputs) await requireStartedEnded(trx, planned);
  const plan = by.Versions ? { ...planned.plan, Versions: by.Versions } : planned.plan;
  const PlanId = by.Versions ? await storePlan(trx, plan) : workflowRun.PlanId;
  const Id = await insertResumedRun(trx, { ...workflowRun, PlanId }, by);
  await insertReused(trx, { from: workflowRun.Id, to: Id }, planned);
  await insertWaitingRuns(
    trx,
    { ChecklistRunId: Id },
    planned.runsAgain.map((one) => ({ run: waitingRun(one, plan, by.UserId), inputs: [] })),
  );
  await copyInputsOfRuns(trx, planned.runsAgain, Id);
  await dropFilled(trx, plan, Id);
  if (by.entered) await replaceInputs(trx, Id, by.entered.rows);
  await logResumed(trx, Id, plan, by);
  return Id;
}

async function insertResumedRun(
  trx: Knex.Transaction,
  workflowRun: WorkflowRunRow,
  { UserId, UniqueId, entered }: ResumedBy,
): Promise<number> {
  const old = await trx('ChecklistRuns').where('Id', workflowRun.Id).first('ChecklistId', 'WorkflowVersion', 'Inputs');
  return insertedId(
    trx('ChecklistRuns')
      .insert({
        ...old,
        ...(entered ? { Inputs: entered.Inputs } : {}),
        PlanId: workflowRun.PlanId,
        UserId,
        UniqueId,
        Status: 'Started',
        ResumeOf: workflowRun.Id,
      })
      .returning('Id'),
  );
}

async function insertReused(
  trx: Knex.Transaction,
  { from, to }: { from: number; to: number },
  { plan, again, reusedRuns }: PlannedResume,
): Promise<void> {
  const reusedRows = reusedRuns.map((run) => ({
    ChecklistRunId: to,
    StepKey: run.StepKey,
    RowKey: run.RowKey,
    RowIndex: run.RowIndex ?? null,
    ActivityRunId: run.Id,
  }));
  await inRows(trx, reusedRows, (part) => trx('ChecklistKeptRuns').insert(part));
  const keys = plan.Graph.Steps.flatMap(({ Key }) => (again.has(Key) ? [] : [Key]));
  const rows = await trx('ChecklistRunSteps').where('ChecklistRunId', from).whereIn('StepKey', keys);
  const copiedSteps = rows.map((row) => ({ ...row, ChecklistRunId: to, KeptOf: row.KeptOf ?? from }));
  await inRows(trx, copiedSteps, (part) => trx('ChecklistRunSteps').insert(part));
}

function waitingRun({ run, RowKey }: StepRunAgain, { Versions }: WorkflowPlan, UserId: number): WaitingRun {
  const { StepKey, ActivityId, MemoryCost, SingleRun } = run;
  return {
    StepKey,
    RowKey,
    RowIndex: RowKey === '' ? null : (run.RowIndex ?? null),
    ActivityId,
    ActivityVersion: Versions[ActivityId] ?? run.ActivityVersion,
    MemoryCost,
    SingleRun,
    UserId,
    TurnOwner: RowKey === '' ? fairShareKeyOf(UserId) : rowsOwnerOf(UserId),
  };
}

async function copyInputsOfRuns(
  trx: Knex.Transaction,
  again: readonly StepRunAgain[],
  toWorkflowRunId: number,
): Promise<void> {
  const columns = ['ActivityRunId', ...COPIED];
  for (let from = 0; from < again.length; from += COPY_BATCH_SIZE) {
    const ids = again.slice(from, from + COPY_BATCH_SIZE).map(({ run }) => run.Id);
    const copies = trx('RunInputs as I')
      .join('ActivityRuns as O', 'O.Id', 'I.ActivityRunId')
      .join('ActivityRuns as N', (on) => {
        on.on('N.StepKey', 'O.StepKey').andOn(trx.raw('?? = ?', ['N.ChecklistRunId', toWorkflowRunId]));
        // The rows of a table that is produced again are not known yet: the first row stands for them.
        on.andOn((either) => void either.on('N.RowKey', 'O.RowKey').orOn(trx.raw("?? = ''", ['N.RowKey'])));
      })
      .whereIn('O.Id', ids)
      .select('N.Id', ...COPIED.map((column) => `I.${column}`));
    await trx(trx.raw(`?? (${columns.map(() => '??').join(', ')})`, ['RunInputs', ...columns])).insert(copies);
  }
}

const COPY_BATCH_SIZE = 1_000;

/** Gives the steps that read changed inputs their new values. */
async function replaceInputs(trx: Knex.Transaction, ChecklistRunId: number, changed: ChangedRows): Promise<void> {
  for (const [StepKey, rows] of changed) {
    const runIds = await trx('ActivityRuns').where({ ChecklistRunId, StepKey }).pluck('Id');
    const parameterIds = [...new Set(rows.map(({ ActivityParameterId }) => ActivityParameterId))];
    await trx('RunInputs').whereIn('ActivityRunId', runIds).whereIn('ActivityParameterId', parameterIds).delete();
    await insertInputs(
      trx,
      runIds.flatMap((ActivityRunId) => rows.map((row) => ({ ActivityRunId, ...row }))),
    );
  }
}
