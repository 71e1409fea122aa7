/** What a new run of an ended workflow reuses, and what it runs again. Nothing is stored here. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { readsOf } from '#shared/rules/workflows/source-reads.ts';
import { neverAgain, stepsAgain, type RunAgain, type StepAgain } from '#shared/rules/workflows/steps-again.ts';
import type { StepStates, WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { stepRunKey, type WaitingRun } from './step-runs.ts';
import { readPlan } from './workflow-plans.ts';
import type { WorkflowRunRow } from './workflow-run-heads.ts';
import { readStates } from './workflow-states.ts';

/** A run of a step or row, of this workflow run or reused from an earlier one. */
export interface StepRun extends Omit<WaitingRun, 'UserId' | 'TurnOwner'> {
  Id: number;
  Status: RunStatus;
}

/** A run that runs again, with its row key in the new workflow run. */
export interface StepRunAgain {
  run: StepRun;
  RowKey: string;
}

export interface PlannedResume {
  plan: WorkflowPlan;
  states: StepStates;
  /** The steps that run again, by key. */
  again: ReadonlyMap<string, StepAgain>;
  /** Why some of these steps will not run after all, by key. */
  never: ReadonlyMap<string, string>;
  reusedRuns: readonly StepRun[];
  runsAgain: readonly StepRunAgain[];
  /** The runs whose results are not reused. */
  replacedRuns: readonly StepRun[];
}

/** The values of changed inputs for the steps that read them, by step key. */
export type ChangedRows = ReadonlyMap<string, readonly NewRunInput[]>;

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

/** Maximum number of ids per statement. */
const ID_BATCH_SIZE = 1_000;

/**
 * Throws an AppError 409 if the workflow run was never started, has not ended, succeeded without anything to run again,
 * or is being or was continued by another run. Throws an AppError 404 if a chosen step or row does not exist, and 409 if
 * a chosen step cannot run again.
 */
export async function planResume(db: Knex, workflowRun: WorkflowRunRow, what: RunAgain): Promise<PlannedResume> {
  await requireResumable(db, workflowRun, what);
  const plan = await readPlan(db, workflowRun.PlanId);
  if (plan.Graph.Steps.length === 0) {
    throw new AppError('runNotStarted', 409, 'The run was not started, so there is nothing to resume');
  }
  const { steps: states } = await readStates(db, workflowRun, plan.Graph);
  const again = stepsAgain(plan.Graph, states, what);
  const never = neverAgain(plan.Graph, states, again);
  requireSteps(plan, states, { what, again, never });
  const runs = await readStepRuns(db, workflowRun.Id);
  const { reusedRuns, runsAgain } = parted(runs, plan, again, what);
  requireRow(what, again, { runs, runsAgain });
  const reused = new Set(reusedRuns);
  return { plan, states, again, never, reusedRuns, runsAgain, replacedRuns: runs.filter((run) => !reused.has(run)) };
}

async function requireResumable(
  db: Knex,
  { Id, Status }: WorkflowRunRow,
  { From, ChangedInputs = [] }: RunAgain,
): Promise<void> {
  if (isPending(Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
  // A chosen step may have failed, or run again, in a workflow that succeeded.
  if (hasSucceeded(Status) && !From && ChangedInputs.length === 0) {
    throw new AppError('runSucceeded', 409, 'The run succeeded, so it cannot be resumed');
  }
  const resumed = await db('ChecklistRuns').where('ResumeOf', Id).orderBy('Id', 'desc').first('Status');
  if (resumed && isPending(resumed.Status)) throw new AppError('retryPending', 409, 'The run is already being resumed');
  // Resuming this run again would repeat what has succeeded since.
  if (resumed) throw new AppError('runResumed', 409, 'The run was already resumed: resume the newest run instead');
}

function requireSteps(
  { Graph }: WorkflowPlan,
  states: StepStates,
  { what: { From }, again, never }: { what: RunAgain } & Pick<PlannedResume, 'again' | 'never'>,
): void {
  for (const key of From?.Steps ?? []) {
    const step = Graph.Steps.find(({ Key }) => Key === key);
    const state = states.get(key);
    if (!step) throw new AppError('stepNotFound', 404, 'The run has no such step');
    if (From!.Following !== 'All' && (!state || hasSucceeded(state.Status) || state.NotRunBecause === 'LeftOut')) {
      const text = 'The step succeeded or was skipped: only unsuccessful steps can be run again';
      throw new AppError('stepSucceeded', 409, text);
    }
    const why = never.get(key)?.replace(/^Not run: /, '');
    if (why !== undefined) {
      const text = `Step "${step.Name}" cannot run again without the steps before it: ${why}`;
      throw new AppError('stepBlocked', 409, text);
    }
  }
  if (again.size === 0) throw new AppError('nothingAgain', 409, 'No step would run again');
}

/** If the step runs again with other inputs, all its rows do, under the names that they get then. */
function requireRow(
  { From }: RunAgain,
  again: ReadonlyMap<string, StepAgain>,
  { runs, runsAgain }: { runs: readonly StepRun[]; runsAgain: readonly StepRunAgain[] },
): void {
  if (From?.RowKey === undefined) return;
  const isWhole = From.Steps.some((key) => again.get(key)?.Because === 'Input' || again.get(key)?.Because === 'After');
  const rows = isWhole ? runs.filter(({ StepKey }) => From.Steps.includes(StepKey)) : runsAgain;
  if (rows.some(({ RowKey }) => RowKey === From.RowKey)) return;
  const text =
    From.Following === 'All' ? 'The step has no row with this name' : 'The step has no unsuccessful row with this name';
  throw new AppError('rowNotFound', 404, text);
}

/**
 * Splits runs into reused ones and ones that run again. If the table of a For each step stays the same, its rows run
 * again or are reused one by one; otherwise all rows run again with the new table.
 */
function parted(
  runs: readonly StepRun[],
  { Graph }: WorkflowPlan,
  again: ReadonlyMap<string, StepAgain>,
  { From }: RunAgain,
): Pick<PlannedResume, 'reusedRuns' | 'runsAgain'> {
  const reusedRuns: StepRun[] = [];
  const runsAgain: StepRunAgain[] = [];
  const byStep = Map.groupBy(runs, ({ StepKey }) => StepKey);
  for (const step of Graph.Steps) {
    const own = byStep.get(step.Key) ?? [];
    const how = again.get(step.Key);
    if (!how) reusedRuns.push(...own);
    else if (step.Kind !== 'ForEach') runsAgain.push(...own.map((run) => ({ run, RowKey: run.RowKey })));
    else if (
      how.Rows === 'All' ||
      readsOf(Graph, step.Rows).some((from) => from.Kind === 'Output' && again.has(from.Step))
    ) {
      runsAgain.push(...own.slice(0, 1).map((run) => ({ run, RowKey: '' })));
    } else {
      const mayHaveSucceeded = how.Rows === 'One' && From?.Following === 'All';
      const isAgain = ({ Status, RowKey }: StepRun): boolean =>
        (mayHaveSucceeded || !hasSucceeded(Status)) && (how.Rows !== 'One' || RowKey === From?.RowKey);
      reusedRuns.push(...own.filter((run) => !isAgain(run)));
      runsAgain.push(...own.filter(isAgain).map((run) => ({ run, RowKey: run.RowKey })));
    }
  }
  return { reusedRuns, runsAgain };
}

/** Reads the last attempt of each step and row, of this workflow run or reused by it. */
async function readStepRuns(db: Knex, workflowRunId: number): Promise<StepRun[]> {
  const own = await db('ActivityRuns')
    .where('ChecklistRunId', workflowRunId)
    .orderBy(['Id'])
    .select<StepRun[]>('Id', ...STEP_RUN);
  const columns = STEP_RUN.map((column) =>
    ['StepKey', 'RowKey', 'RowIndex'].includes(column) ? `K.${column}` : `R.${column}`,
  );
  const reusedRuns = await db('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where('K.ChecklistRunId', workflowRunId)
    .orderBy('R.Id')
    .select<StepRun[]>('R.Id', ...columns);
  return [...new Map([...reusedRuns, ...own].map((run) => [stepRunKey(run), run])).values()];
}

/** Throws an AppError 409 if inputs or outputs that the new run needs were purged. */
export async function requireReusable(
  db: Knex,
  { plan, reusedRuns, runsAgain }: PlannedResume,
  changed: ChangedRows = new Map(),
): Promise<void> {
  const succeeded = reusedRuns.filter(({ Status }) => hasSucceeded(Status));
  const again = runsAgain.map(({ run }) => run);
  const lost = await runsWhere(db, succeeded, (query) => {
    const files = db('RunOutputs').select(db.raw('1')).whereRaw('?? = ??', ['ActivityRunId', 'ActivityRuns.Id']);
    // The names of purged files are retained.
    const purgedFiles = files.whereNotNull('FileName').whereNull('FileId');
    void query.where((either) => void either.whereNotNull('OutputsPurgedTime').orWhereExists(purgedFiles));
  });
  if (lost.length > 0) {
    const text = `Outputs of steps that succeeded were purged, so the run cannot be resumed: ${namesOf(plan, lost)}`;
    throw new AppError('runPurged', 409, text);
  }
  const purged = await runsWhere(db, again, (query) => void query.whereNotNull('InputsPurgedTime'));
  const withoutFile = await runsWithLostFiles(db, again, changed);
  if (purged.length > 0 || withoutFile.length > 0) {
    const text = `Inputs of this run were purged, so it cannot be resumed: ${namesOf(plan, [...purged, ...withoutFile])}`;
    throw new AppError('runPurged', 409, text);
  }
}

/**
 * Throws an AppError 409 if runs that a step started have not ended yet: the step would start them a second time beside
 * the first ones.
 */
export async function requireStartedEnded(db: Knex, { plan, replacedRuns }: PlannedResume): Promise<void> {
  const pending = await runsWhere(db, replacedRuns, (query) => {
    const starts = db('RunStarts').select(db.raw('1')).whereRaw('?? = ??', ['RootRunId', 'ActivityRuns.Id']);
    void query.whereExists(starts.whereNull('EndTime'));
  });
  if (pending.length === 0) return;
  const text = `Runs that these steps started have not ended yet: ${namesOf(plan, pending)}`;
  throw new AppError('startedPending', 409, text);
}

async function runsWhere(
  db: Knex,
  runs: readonly StepRun[],
  where: (query: Knex.QueryBuilder) => void,
): Promise<StepRun[]> {
  const found = new Set<number>();
  for (let from = 0; from < runs.length; from += ID_BATCH_SIZE) {
    const ids = runs.slice(from, from + ID_BATCH_SIZE).map(({ Id }) => Id);
    const query = db('ActivityRuns').whereIn('Id', ids);
    where(query);
    for (const id of await query.pluck<number[]>('Id')) found.add(id);
  }
  return runs.filter(({ Id }) => found.has(Id));
}

/** Files of inputs that get other values are not needed. */
async function runsWithLostFiles(db: Knex, runs: readonly StepRun[], changed: ChangedRows): Promise<StepRun[]> {
  const lost: StepRun[] = [];
  for (let from = 0; from < runs.length; from += ID_BATCH_SIZE) {
    const part = runs.slice(from, from + ID_BATCH_SIZE);
    const rows = await db('RunInputs')
      .whereIn(
        'ActivityRunId',
        part.map(({ Id }) => Id),
      )
      .whereNotNull('FileName')
      .whereNull('FileId')
      .select('ActivityRunId', 'ActivityParameterId');
    const isNeeded = ({ Id, StepKey }: StepRun): boolean =>
      rows.some(
        ({ ActivityRunId, ActivityParameterId }) =>
          ActivityRunId === Id &&
          changed.get(StepKey)?.some((row) => row.ActivityParameterId === ActivityParameterId) !== true,
      );
    if (rows.length > 0) lost.push(...part.filter(isNeeded));
  }
  return lost;
}

function namesOf({ Graph }: WorkflowPlan, runs: readonly StepRun[]): string {
  const keys = new Set(runs.map(({ StepKey }) => StepKey));
  return Graph.Steps.filter(({ Key }) => keys.has(Key))
    .map(({ Name }) => `"${Name}"`)
    .join(', ');
}
