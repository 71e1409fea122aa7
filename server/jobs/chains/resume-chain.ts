/** Goes on with a chain that did not succeed: a new one that keeps what had succeeded, by reference, and runs everything else again. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { keptSteps } from '#shared/rules/chains/kept-steps.ts';
import type { ActivityStep, ChainPlan } from '#shared/rules/chains/types.ts';
import { lockChain } from './advance-chain.ts';
import { readPlan } from './chain-plans.ts';
import { readStates, type ChainRow } from './chain-states.ts';
import { copyInputs, insertWaitingRuns, type WaitingRun } from './step-runs.ts';

export interface ResumedBy {
  UserId: number;
  UniqueId: string | null;
}

/** Runs of steps and of rows, of the chain itself or kept from those before it. */
interface StepRun extends Omit<WaitingRun, 'UserId' | 'TurnOwner'> {
  Id: number;
  Status: RunStatus;
}

const STEP_RUN = ['StepKey', 'RowKey', 'ActivityId', 'ActivityVersion', 'MemoryCost', 'SingleRun', 'Status'];

/**
 * Answers the Id of the new chain, which has the plan of the old one. Throws an AppError: 404 where there is no such chain, 409 while it has
 * not ended, where it succeeded, while it is being resumed or was, and where inputs or outputs that are needed were purged.
 */
export async function resumeChain(
  { knex }: Database,
  signals: RunSignals,
  chainId: number,
  by: ResumedBy,
): Promise<{ Id: number }> {
  const Id = await inTransaction(knex, async (trx) => {
    const chain = await requireResumable(trx, chainId);
    const plan = await readPlan(trx, chain.PlanId);
    return insertResumed(trx, { chain, plan, by });
  });
  signals.stepEnded(Id);
  return { Id };
}

async function requireResumable(trx: Knex.Transaction, chainId: number): Promise<ChainRow> {
  const chain = await lockChain(trx, chainId);
  if (!chain) throw new AppError('runNotFound', 404, 'There is no such run');
  if (isPending(chain.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
  if (hasSucceeded(chain.Status)) {
    throw new AppError('runSucceeded', 409, 'The run succeeded: only a run that did not can be resumed');
  }
  const resumed = (await trx('ChecklistRuns').where('ResumeOf', chainId).orderBy('Id', 'desc').first('Status')) as
    { Status: RunStatus } | undefined;
  if (resumed && isPending(resumed.Status)) throw new AppError('retryPending', 409, 'The run is being resumed already');
  // From here it would repeat what has succeeded since.
  if (resumed) throw new AppError('runResumed', 409, 'The run was resumed already: go on from the newest one');
  return chain;
}

interface Resumed {
  chain: ChainRow;
  plan: ChainPlan;
  by: ResumedBy;
}

async function insertResumed(trx: Knex.Transaction, { chain, plan, by }: Resumed): Promise<number> {
  const { steps } = await readStates(trx, chain, plan.Graph);
  const kept = keptSteps(plan.Graph, steps);
  const runs = await readStepRuns(trx, chain.Id);
  const isKept = (run: StepRun): boolean => kept.has(run.StepKey);
  const keptRuns = runs.filter(isKept);
  const again = runs.filter((run) => !isKept(run));
  await requireData(trx, keptRuns, again);
  const Id = await insertChain(trx, chain, by);
  const keptRows = keptRuns.map(({ Id: ActivityRunId, StepKey, RowKey }) => ({
    ChecklistRunId: Id,
    StepKey,
    RowKey,
    ActivityRunId,
  }));
  await inRows(trx, keptRows, (part) => trx('ChecklistKeptRuns').insert(part));
  const { UserId } = by;
  const waiting = again.map((run): WaitingRun => {
    const { StepKey, RowKey, ActivityId, ActivityVersion, MemoryCost, SingleRun } = run;
    return { StepKey, RowKey, ActivityId, ActivityVersion, MemoryCost, SingleRun, UserId, TurnOwner: `user ${UserId}` };
  });
  const ids = await insertWaitingRuns(
    trx,
    Id,
    waiting.map((run) => ({ run, inputs: [] })),
  );
  const filled = await filledInputs(trx, plan);
  for (const run of again) {
    await copyInputs(trx, run.Id, ids(run), filled.get(run.StepKey) ?? []);
  }
  return Id;
}

async function insertChain(trx: Knex.Transaction, chain: ChainRow, { UserId, UniqueId }: ResumedBy): Promise<number> {
  const old = await trx('ChecklistRuns')
    .where('Id', chain.Id)
    .first('ChecklistId', 'WorkflowVersion', 'PlanId', 'Inputs');
  const [row] = (await trx('ChecklistRuns')
    .insert({ ...old, UserId, UniqueId, Status: 'Started', ResumeOf: chain.Id })
    .returning('Id')) as { Id: number }[];
  return row!.Id;
}

/** The last attempt of each step and row, of the chain or of what it kept. */
async function readStepRuns(trx: Knex.Transaction, chainId: number): Promise<StepRun[]> {
  const own = (await trx('ActivityRuns')
    .where('ChecklistRunId', chainId)
    .orderBy(['Id'])
    .select('Id', ...STEP_RUN)) as StepRun[];
  const columns = STEP_RUN.map((column) =>
    column === 'StepKey' || column === 'RowKey' ? `K.${column}` : `R.${column}`,
  );
  const kept = (await trx('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where('K.ChecklistRunId', chainId)
    .orderBy('R.Id')
    .select('R.Id', ...columns)) as StepRun[];
  return [...new Map([...kept, ...own].map((run) => [`${run.StepKey} ${run.RowKey}`, run])).values()];
}

async function requireData(trx: Knex.Transaction, kept: readonly StepRun[], again: readonly StepRun[]): Promise<void> {
  const purged = async (column: string, runs: readonly StepRun[]): Promise<boolean> =>
    (await trx('ActivityRuns')
      .whereIn(
        'Id',
        runs.map(({ Id }) => Id),
      )
      .whereNotNull(column)
      .first('Id')) !== undefined;
  if (await purged('OutputsPurgedTime', kept)) {
    throw new AppError(
      'runPurged',
      409,
      'Outputs of steps that succeeded were purged, so that the run cannot be resumed',
    );
  }
  const lostFile = await trx('RunInputs')
    .whereIn(
      'ActivityRunId',
      again.map(({ Id }) => Id),
    )
    .whereNotNull('FileName')
    .whereNull('FileId')
    .first('Id');
  if (lostFile || (await purged('InputsPurgedTime', again))) {
    throw new AppError('runPurged', 409, 'Inputs of this run were purged, so that it cannot be resumed');
  }
}

/** The ids of the inputs that outputs of earlier steps fill, by step: these are given anew. */
async function filledInputs(trx: Knex.Transaction, { Graph }: ChainPlan): Promise<Map<string, number[]>> {
  const filled = new Map<string, number[]>();
  const steps = Graph.Steps.filter((step): step is ActivityStep => step.Kind === 'Activity');
  for (const { Key, ActivityId, Inputs } of steps) {
    const names = Inputs.filter(({ From }) => From.Kind === 'Output').map(({ Input }) => Input.toLowerCase());
    if (names.length === 0) continue;
    const ids = (await trx('ActivityParameters')
      .where({ ActivityId, Direction: 'input' })
      .whereIn('NameKey', names)
      .pluck('Id')) as number[];
    filled.set(Key, ids);
  }
  return filled;
}
