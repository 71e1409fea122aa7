/**
 * Resumes a workflow that did not succeed: a new workflow run reuses what had succeeded, by reference, and runs
 * everything else again.
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
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { reusedBeside, reusedSteps, type StepAgain } from '#shared/rules/workflows/reused-steps.ts';
import { readsOf } from '#shared/rules/workflows/source-reads.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { lockWorkflowRun } from './advance-workflow-run.ts';
import { rowsOwnerOf } from './begin-for-each.ts';
import { readPlan, storePlan } from './workflow-plans.ts';
import type { WorkflowRunRow } from './workflow-run-heads.ts';
import { readStates } from './workflow-states.ts';
import { dropFilled } from './filled-inputs.ts';
import { logStepAgain, requireStep } from './step-again.ts';
import { insertWaitingRuns, stepRunKey, type WaitingRun } from './step-runs.ts';

export interface ResumedBy {
  UserId: number;
  UniqueId: string | null;
  /** The only step to run again; if absent, all steps that did not succeed run again. */
  only?: StepAgain;
  /**
   * The version of each activity, if different from the plan. The caller must ensure that reused results fit these
   * versions.
   */
  Versions?: WorkflowPlan['Versions'];
}

/** A run of a step or row, of this workflow run or reused from an earlier one. */
interface StepRun extends Omit<WaitingRun, 'UserId' | 'TurnOwner'> {
  Id: number;
  Status: RunStatus;
}

const STEP_RUN = [
  'StepKey',
  'RowKey',
  'RowIndex',
  'ActivityId',
  'ActivityVersion',
  'MemoryCost',
  'SingleRun',
  'Status',
];

/**
 * Returns the Id of the new workflow run, which has the plan of the old one. Throws an AppError 404 if the workflow
 * run, the step or the row does not exist. Throws an AppError 409 in these cases: the workflow run was never started,
 * has not ended, or is being or was resumed; it (or the step to run again) succeeded; inputs or outputs that are needed
 * were purged.
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
  const workflowRun = await requireResumable(trx, workflowRunId, by.only !== undefined);
  const plan = await readPlan(trx, workflowRun.PlanId);
  if (plan.Graph.Steps.length === 0) {
    throw new AppError('runNotStarted', 409, 'The run was not started, so there is nothing to resume');
  }
  return insertResumed(trx, { workflowRun, plan: by.Versions ? { ...plan, Versions: by.Versions } : plan, by });
}

/** @param ofStep true if one step is run again: it may have failed in a workflow that succeeded */
async function requireResumable(
  trx: Knex.Transaction,
  workflowRunId: number,
  ofStep: boolean,
): Promise<WorkflowRunRow> {
  const workflowRun = await lockWorkflowRun(trx, workflowRunId);
  if (!workflowRun) throw new AppError('runNotFound', 404, 'There is no such run');
  if (isPending(workflowRun.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
  if (hasSucceeded(workflowRun.Status) && !ofStep) {
    throw new AppError('runSucceeded', 409, 'The run succeeded, so it cannot be resumed');
  }
  const resumed = await trx('ChecklistRuns').where('ResumeOf', workflowRunId).orderBy('Id', 'desc').first('Status');
  if (resumed && isPending(resumed.Status)) throw new AppError('retryPending', 409, 'The run is already being resumed');
  // Resuming this run again would repeat what has succeeded since.
  if (resumed) throw new AppError('runResumed', 409, 'The run was already resumed: resume the newest run instead');
  return workflowRun;
}

interface Resumed {
  workflowRun: WorkflowRunRow;
  plan: WorkflowPlan;
  by: ResumedBy;
}

async function insertResumed(trx: Knex.Transaction, { workflowRun, plan, by }: Resumed): Promise<number> {
  const { steps } = await readStates(trx, workflowRun, plan.Graph);
  if (by.only) requireStep(plan, steps, by.only.StepKey);
  const reusedKeys = by.only ? reusedBeside(plan.Graph, steps, by.only) : reusedSteps(plan.Graph, steps);
  const { reusedRuns, again } = parted(await readStepRuns(trx, workflowRun.Id), plan, reusedKeys, by.only);
  if (by.only?.RowKey !== undefined) requireRow(again, by.only);
  await requireData(
    trx,
    reusedRuns.filter(({ Status }) => hasSucceeded(Status)),
    again,
  );
  const PlanId = by.Versions ? await storePlan(trx, plan) : workflowRun.PlanId;
  const Id = await insertResumedRun(trx, { ...workflowRun, PlanId }, by);
  const reusedRows = reusedRuns.map((run) => ({
    ChecklistRunId: Id,
    StepKey: run.StepKey,
    RowKey: run.RowKey,
    RowIndex: run.RowIndex ?? null,
    ActivityRunId: run.Id,
  }));
  await inRows(trx, reusedRows, (part) => trx('ChecklistKeptRuns').insert(part));
  await copyReusedSteps(trx, workflowRun.Id, Id, [...reusedKeys]);
  const waiting = again.map(({ run, RowKey }): WaitingRun => {
    const { StepKey, ActivityId, MemoryCost, SingleRun } = run;
    const ActivityVersion = by.Versions?.[ActivityId] ?? run.ActivityVersion;
    const TurnOwner = RowKey === '' ? fairShareKeyOf(by.UserId) : rowsOwnerOf(by.UserId);
    const RowIndex = RowKey === '' ? null : (run.RowIndex ?? null);
    return {
      StepKey,
      RowKey,
      RowIndex,
      ActivityId,
      ActivityVersion,
      MemoryCost,
      SingleRun,
      UserId: by.UserId,
      TurnOwner,
    };
  });
  await insertWaitingRuns(
    trx,
    { ChecklistRunId: Id },
    waiting.map((run) => ({ run, inputs: [] })),
  );
  await copyInputsOfRuns(trx, again, Id);
  await dropFilled(trx, plan, Id);
  if (by.only) await logStepAgain(trx, Id, plan, by.only);
  return Id;
}

/** A run of the old workflow run that runs again, with its row key in the new one. */
interface RunAgain {
  run: StepRun;
  RowKey: string;
}

/**
 * Splits runs into reused ones and ones that run again. If the table of a For each step stays the same, its succeeded
 * rows are reused one by one; otherwise all rows run again with the new table.
 */
function parted(
  runs: readonly StepRun[],
  { Graph }: WorkflowPlan,
  reusedKeys: ReadonlySet<string>,
  only?: StepAgain,
): { reusedRuns: StepRun[]; again: RunAgain[] } {
  const reusedRuns: StepRun[] = [];
  const again: RunAgain[] = [];
  for (const step of Graph.Steps) {
    const own = runs.filter(({ StepKey }) => StepKey === step.Key);
    if (reusedKeys.has(step.Key)) reusedRuns.push(...own);
    else if (step.Kind !== 'ForEach') again.push(...own.map((run) => ({ run, RowKey: run.RowKey })));
    else if (readsOf(Graph, step.Rows).some((from) => from.Kind === 'Output' && !reusedKeys.has(from.Step))) {
      again.push(...own.slice(0, 1).map((run) => ({ run, RowKey: '' })));
    } else {
      const rowKey = only?.StepKey === step.Key ? only.RowKey : undefined;
      const isAgain = ({ Status, RowKey }: StepRun): boolean =>
        !hasSucceeded(Status) && (rowKey === undefined || RowKey === rowKey);
      reusedRuns.push(...own.filter((run) => !isAgain(run)));
      again.push(...own.filter(isAgain).map((run) => ({ run, RowKey: run.RowKey })));
    }
  }
  return { reusedRuns, again };
}

function requireRow(again: readonly RunAgain[], { StepKey, RowKey }: StepAgain): void {
  if (again.some(({ run }) => run.StepKey === StepKey && run.RowKey === RowKey)) return;
  throw new AppError('rowNotFound', 404, 'The step has no unsuccessful row with this name');
}

async function copyReusedSteps(
  trx: Knex.Transaction,
  from: number,
  to: number,
  keys: readonly string[],
): Promise<void> {
  const rows = await trx('ChecklistRunSteps').where('ChecklistRunId', from).whereIn('StepKey', keys);
  const copiedSteps = rows.map((row) => ({ ...row, ChecklistRunId: to, KeptOf: row.KeptOf ?? from }));
  await inRows(trx, copiedSteps, (part) => trx('ChecklistRunSteps').insert(part));
}

async function insertResumedRun(
  trx: Knex.Transaction,
  workflowRun: WorkflowRunRow,
  { UserId, UniqueId }: ResumedBy,
): Promise<number> {
  const old = await trx('ChecklistRuns').where('Id', workflowRun.Id).first('ChecklistId', 'WorkflowVersion', 'Inputs');
  return insertedId(
    trx('ChecklistRuns')
      .insert({ ...old, PlanId: workflowRun.PlanId, UserId, UniqueId, Status: 'Started', ResumeOf: workflowRun.Id })
      .returning('Id'),
  );
}

/** Reads the last attempt of each step and row, of this workflow run or reused by it. */
async function readStepRuns(trx: Knex.Transaction, workflowRunId: number): Promise<StepRun[]> {
  const own = await trx('ActivityRuns')
    .where('ChecklistRunId', workflowRunId)
    .orderBy(['Id'])
    .select<StepRun[]>('Id', ...STEP_RUN);
  const columns = STEP_RUN.map((column) =>
    ['StepKey', 'RowKey', 'RowIndex'].includes(column) ? `K.${column}` : `R.${column}`,
  );
  const reusedRuns = await trx('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where('K.ChecklistRunId', workflowRunId)
    .orderBy('R.Id')
    .select<StepRun[]>('R.Id', ...columns);
  return [...new Map([...reusedRuns, ...own].map((run) => [stepRunKey(run), run])).values()];
}

async function requireData(
  trx: Knex.Transaction,
  reusedRuns: readonly StepRun[],
  again: readonly RunAgain[],
): Promise<void> {
  const purged = async (column: string, runs: readonly StepRun[]): Promise<boolean> =>
    (await trx('ActivityRuns')
      .whereIn(
        'Id',
        runs.map(({ Id }) => Id),
      )
      .whereNotNull(column)
      .first('Id')) !== undefined;
  if (await purged('OutputsPurgedTime', reusedRuns)) {
    throw new AppError('runPurged', 409, 'Outputs of steps that succeeded were purged, so the run cannot be resumed');
  }
  const lostFile = await trx('RunInputs')
    .whereIn(
      'ActivityRunId',
      again.map(({ run }) => run.Id),
    )
    .whereNotNull('FileName')
    .whereNull('FileId')
    .first('Id');
  if (
    lostFile ||
    (await purged(
      'InputsPurgedTime',
      again.map(({ run }) => run),
    ))
  ) {
    throw new AppError('runPurged', 409, 'Inputs of this run were purged, so it cannot be resumed');
  }
}

async function copyInputsOfRuns(
  trx: Knex.Transaction,
  again: readonly RunAgain[],
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
