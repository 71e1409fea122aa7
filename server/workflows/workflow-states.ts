/** The states of a workflow's steps, read from the rows of its runs and steps. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { prepared } from '#server/db/prepared.ts';
import { isPending, RUN_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import {
  MAX_STEP_ATTEMPTS,
  type WorkflowGraph,
  type ForEachStep,
  type NotRunReason,
  type StepState,
} from '#shared/rules/workflows/types.ts';
import type { WorkflowRunRow } from './workflow-run-heads.ts';

/** Number of runs of a step in one state. */
export interface RunCount {
  StepKey: string;
  Status: RunStatus;
  NotRunBecause: NotRunReason | null;
  WaitsForSteps: boolean;
  Attempt: number;
  /** True if the runs are reused from an earlier workflow run. */
  IsKept?: boolean;
  Count: number;
}

export interface WorkflowStates {
  steps: Map<string, StepState>;
  /** By step key. */
  runs: Map<string, RunCount[]>;
  /** Keys of steps with abandoned runs, left by an interrupted server, that are repeated automatically. */
  toRepeat: string[];
}

export async function readStates(db: Knex, workflowRun: WorkflowRunRow, graph: WorkflowGraph): Promise<WorkflowStates> {
  const each = graph.Steps.filter((step) => step.Kind === 'ForEach');
  const single = graph.Steps.filter(({ Kind }) => Kind === 'Activity').map(({ Key }) => Key);
  const { counts, toRepeat } = withRepeats(workflowRun, graph, await countRuns(db, workflowRun.Id, { single, each }));
  if (workflowRun.ResumeOf !== null) counts.push(...(await countReusedRuns(db, workflowRun.Id)));
  const runs = Map.groupBy(counts, ({ StepKey }) => StepKey);
  const isRun = graph.Steps.every(({ Kind }) => Kind === 'Activity');
  const others = isRun ? new Map<string, StepState>() : await readOtherSteps(db, workflowRun.Id);
  const steps = new Map<string, StepState>();
  for (const { Key, Kind } of graph.Steps) {
    const state = Kind === 'Activity' ? stateOfRun(runs.get(Key)?.[0]) : others.get(Key);
    if (state) steps.set(Key, state);
  }
  return { steps, runs, toRepeat };
}

/** Counts runs that will be repeated as pending instead of ended. */
function withRepeats(workflowRun: WorkflowRunRow, { Steps }: WorkflowGraph, found: RunCount[]): RepeatedCounts {
  const mayRepeat = new Set(Steps.flatMap((step) => ('MayRepeat' in step && step.MayRepeat ? [step.Key] : [])));
  if (mayRepeat.size === 0 || workflowRun.EndTime !== null || workflowRun.CancelTime !== null)
    return { counts: found, toRepeat: [] };
  const repeats = ({ StepKey, Status, Attempt }: RunCount): boolean =>
    Status === 'Abandoned' && Attempt < MAX_STEP_ATTEMPTS && mayRepeat.has(StepKey);
  return {
    counts: found.map((run) => (repeats(run) ? { ...run, Status: 'QueuedInSeq', WaitsForSteps: false } : run)),
    toRepeat: [...new Set(found.filter(repeats).map(({ StepKey }) => StepKey))],
  };
}

interface RepeatedCounts {
  counts: RunCount[];
  toRepeat: string[];
}

function stateOfRun(run: RunCount | undefined): StepState | undefined {
  if (!run || (run.WaitsForSteps && isPending(run.Status))) return undefined;
  return { Status: run.Status, NotRunBecause: run.NotRunBecause, ...(run.IsKept ? { IsKept: true } : {}) };
}

const RUN_COLUMNS = ['R.StepKey', 'R.Status', 'R.NotRunBecause', 'R.WaitsForSteps', 'R.Attempt'];

function runCounts(db: Knex, workflowRunId: number, keys?: readonly string[]) {
  return openRuns(db, workflowRunId, keys)
    .groupBy(RUN_COLUMNS)
    .select(RUN_COLUMNS)
    .count<RunCount[]>({ Count: 'R.Id' });
}

/** Excludes an abandoned run if a later attempt exists. */
function openRuns(db: Knex, workflowRunId: number, keys?: readonly string[]): Knex.QueryBuilder {
  const again = db('ActivityRuns as Again')
    .select(db.raw('1'))
    .where('Again.ChecklistRunId', workflowRunId)
    .whereRaw('?? = ??', ['Again.StepKey', 'R.StepKey'])
    .whereRaw('?? = ??', ['Again.RowKey', 'R.RowKey'])
    .whereRaw('?? > ??', ['Again.Attempt', 'R.Attempt']);
  const runs = db('ActivityRuns as R').where('R.ChecklistRunId', workflowRunId);
  if (keys?.length === 1) void runs.where('R.StepKey', keys[0]);
  else if (keys) void runs.whereIn('R.StepKey', keys);
  return runs.where((counted) => void counted.whereNot('R.Status', 'Abandoned').orWhereNotExists(again));
}

const DECIDING = RUN_STATUSES.filter((status) => status !== 'Succeeded' && status !== 'QueuedInSeq');
/** Larger than any number of rows. Only a limit makes the database respect the order of an index in a subquery. */
const MANY = 2 ** 31 - 1;

/**
 * Counts the runs of single steps, and the rows of For each steps that affect what happens next. The cost does not
 * depend on the number of rows: succeeded rows are not read, and only as many waiting rows as can begin at once.
 */
async function countRuns(
  db: Knex,
  workflowRunId: number,
  { single, each }: { single: readonly string[]; each: readonly ForEachStep[] },
): Promise<RunCount[]> {
  // Without For each steps, every run belongs to a single step. The statement is then the same for all workflows, so it
  // can be prepared.
  if (each.length === 0) return prepared(runCounts(db, workflowRunId));
  // A union of separate queries: one combined condition would also read the succeeded rows.
  const parts = [
    ...(single.length === 0 ? [] : [runCounts(db, workflowRunId, single)]),
    ...each.map((step) => decidingRows(db, workflowRunId, step)),
    ...each.map((step) => waitingRows(db, workflowRunId, step)),
  ];
  return (await prepared(db.unionAll(parts))) as unknown as RunCount[];
}

/**
 * Counts rows in the states that affect what happens next. The lateral join scans the index once per status, in index
 * order. Otherwise the database, which expects few rows per step, would read all rows instead of searching the index
 * once per status.
 */
function decidingRows(db: Knex, workflowRunId: number, { Key }: ForEachStep): Knex.QueryBuilder {
  const dialect = dialectOf(db);
  const listed = DECIDING.map((status) => dialect.listedText(db, status) as Knex.RawBinding);
  const statuses = db.raw(`(values ${DECIDING.map(() => '(?)').join(', ')}) as ??(??)`, [...listed, 'S', 'Status']);
  const each = openRuns(db, workflowRunId, [Key])
    .whereRaw('?? = ??', ['R.Status', 'S.Status'])
    .orderBy('R.Id')
    .limit(MANY)
    .select([...RUN_COLUMNS, 'R.Id']);
  const query = db.from(statuses);
  dialect.leftJoinEach(query, each, 'D');
  const columns = RUN_COLUMNS.map((column) => column.replace('R.', 'D.'));
  return query.whereNotNull('D.Id').groupBy(columns).select(columns).count({ Count: 'D.Id' });
}

/**
 * Counts the first waiting rows. At most AtOnce of them are released and wait for another run of their activity, so
 * twice AtOnce rows include enough that wait to be released.
 */
function waitingRows(db: Knex, ChecklistRunId: number, { Key, AtOnce }: ForEachStep): Knex.QueryBuilder {
  const columns = ['StepKey', 'Status', 'NotRunBecause', 'WaitsForSteps', 'Attempt'];
  const first = db('ActivityRuns')
    .where({ ChecklistRunId, StepKey: Key, Status: 'QueuedInSeq' })
    .orderBy('Id')
    .limit(2 * AtOnce)
    .select([...columns, 'Id']);
  return db.from(first.as('Waiting')).groupBy(columns).select(columns).count({ Count: 'Id' });
}

async function countReusedRuns(db: Knex, workflowRunId: number): Promise<RunCount[]> {
  const rows = await db('ChecklistKeptRuns as K')
    .join('ActivityRuns as R', 'R.Id', 'K.ActivityRunId')
    .where('K.ChecklistRunId', workflowRunId)
    .groupBy('K.StepKey', 'R.Status', 'R.NotRunBecause')
    .select('K.StepKey', 'R.Status', 'R.NotRunBecause')
    .count<Pick<RunCount, 'StepKey' | 'Status' | 'NotRunBecause' | 'Count'>[]>({ Count: '*' });
  return rows.map((row) => ({ ...row, WaitsForSteps: false, Attempt: 1, IsKept: true }));
}

async function readOtherSteps(db: Knex, workflowRunId: number): Promise<Map<string, StepState>> {
  const rows = await db('ChecklistRunSteps')
    .where('ChecklistRunId', workflowRunId)
    .select('StepKey', 'Status', 'NotRunBecause', 'Holds', 'KeptOf');
  return new Map(
    rows.map(({ StepKey, Status, NotRunBecause, Holds, KeptOf }) => [
      StepKey,
      {
        Status,
        NotRunBecause,
        ...(Holds === null ? {} : { Holds }),
        ...(KeptOf === null ? {} : { IsKept: true }),
      },
    ]),
  );
}
