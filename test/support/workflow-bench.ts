/** Runs workflows of activities on the worker bench. The test defines what the activities do. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Database } from '#server/db/database.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { RunOutcome, RunRequest } from '#server/executors/executor.ts';
import type { PreparedStep, StepToPrepare } from '#server/workflows/workflow-context.ts';
import type { AdvancingEngine } from '#server/workflows/advancing-engine.ts';
import { createWorkflowEngine } from '#server/workflows/workflow-engine.ts';
import { startWorkflowRun, type NewStep } from '#server/workflows/start-workflow-run.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { ActivityStep, WorkflowEdge, WorkflowGraph, WorkflowStep } from '#shared/rules/workflows/types.ts';
import { SUCCESS } from './fake-executor.ts';
import { input, output } from './portal.ts';
import { EMPTY_DEFINITION, insertActivity } from './runs.ts';
import { untilEnded } from './until.ts';
import type { WorkerBench } from './worker-bench.ts';

export const PLAIN: ActivityDefinition = { ...EMPTY_DEFINITION, inputs: [input('Amount')], outputs: [output('Total')] };

/** An input row with a value. */
export const valueRow = (ActivityParameterId: number, Value: string | null): NewRunInput => ({
  ActivityParameterId,
  ArrayIndex: 0,
  Value,
  Rows: null,
  UseDefault: false,
  HasPresetValue: false,
  FileId: null,
  FileName: null,
  ContentLength: null,
});

export type After = string | WorkflowEdge;

export interface ActivityOptions extends Partial<Parameters<typeof insertActivity>[1]> {
  Name: string;
}

/** Tables emptied before each test, in an order that foreign keys allow. */
export const WORKFLOW_TABLES = [
  'ChecklistKeptRuns',
  'Approvals',
  'ChecklistRunSteps',
  'RunOutputs',
  'ActivityRuns',
  'ChecklistRuns',
  'ChecklistPlans',
];

export interface WorkflowOwner {
  ChecklistId: number;
  UserId: number;
}

/** The checklist to which all workflow runs of a file belong. */
export async function insertChecklist({ knex }: Database): Promise<WorkflowOwner> {
  const { UserId } = await knex('Users').first('UserId');
  const [row] = await knex('Checklists').insert({ Name: 'Close', Schema: 'Test', UserId }).returning('Id');
  return { ChecklistId: row.Id, UserId };
}

export type WorkflowBench = ReturnType<typeof createWorkflowBench>;

export function createWorkflowBench(bench: WorkerBench, { ChecklistId, UserId }: WorkflowOwner) {
  const stops: (() => Promise<void>)[] = [];
  /** Names of the activities in the order in which their runs started. */
  const ran: string[] = [];
  const names = new Map<number, string>();
  /** Outcomes of runs by activity. Runs succeed with Total 1 unless the test says otherwise. */
  const outcomes = new Map<string, (request: RunRequest) => RunOutcome | Promise<RunOutcome>>();
  const prepare = { step: giveAsIs };
  bench.executor.onRun = executeFakeRun;

  async function executeFakeRun(request: RunRequest): Promise<RunOutcome> {
    const name = names.get(Number(request.versionKey.split('/')[0]))!;
    ran.push(name);
    return (
      (await outcomes.get(name)?.(request)) ?? { ...SUCCESS, outputs: [{ Name: 'Total', Value: '1', Rows: null }] }
    );
  }

  const engineContext = (signals: RunSignals, database: Database = bench.database) => ({
    database,
    signals,
    versions: createVersionCatalog(database.knex),
    prepareStep: (step: StepToPrepare) => prepare.step(step),
    executor: bench.executor,
    timeZone: 'Europe/Zurich',
    log: pino({ level: 'silent' }),
  });

  function engine(signals: RunSignals = bench.signals): AdvancingEngine {
    return createWorkflowEngine(engineContext(signals));
  }

  /** Starts an engine that receives the ends of steps until the test ends. */
  function startEngine(): AdvancingEngine {
    const made = engine();
    stops.push(made.start(null));
    return made;
  }

  async function activity(options: ActivityOptions): Promise<number> {
    const { knex } = bench.database;
    const Name = `${options.Name} ${randomUUID().slice(0, 8)}`;
    const id = await insertActivity(knex, { definition: PLAIN, FileId: 'workbook', UserId, ...options, Name });
    names.set(id, options.Name);
    return id;
  }

  /** Creates a step with its own activity, named after its key. */
  async function step(
    Key: string,
    after: readonly After[] = [],
    more: Partial<ActivityStep> = {},
    of: Partial<ActivityOptions> = {},
  ): Promise<ActivityStep> {
    const ActivityId = more.ActivityId ?? (await activity({ Name: Key, ...of }));
    const After = after.map((edge) => (typeof edge === 'string' ? { Step: edge, When: 'success' as const } : edge));
    return {
      Kind: 'Activity',
      Key,
      Name: Key,
      After,
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      ActivityId,
      Inputs: [],
      ...more,
    };
  }

  async function newWorkflowRun(Steps: readonly WorkflowStep[], inputsOf: Record<string, NewRunInput[]> = {}) {
    const { knex } = bench.database;
    const Graph: WorkflowGraph = { Inputs: [], Steps: [...Steps] };
    const ids = Steps.flatMap((one) => ('ActivityId' in one ? [one.ActivityId] : []));
    const Versions = Object.fromEntries(ids.map((id) => [id, 1]));
    const rows =
      ids.length === 0 ? [] : await knex('Activities').whereIn('Id', ids).select('Id', 'MemoryCost', 'SingleRun');
    const steps = Steps.flatMap((one): NewStep[] => {
      if (one.Kind !== 'Activity' && one.Kind !== 'ForEach') return [];
      const { MemoryCost, SingleRun } = rows.find(({ Id }) => Id === one.ActivityId);
      return [{ StepKey: one.Key, ActivityId: one.ActivityId, MemoryCost, SingleRun, inputs: inputsOf[one.Key] ?? [] }];
    });
    const workflowRun = {
      ChecklistId,
      WorkflowVersion: null,
      Plan: { Graph, Versions },
      UserId,
      UniqueId: null,
      Inputs: '[]',
    };
    return { workflowRun, steps };
  }

  /** Starts a workflow run and returns its Id. */
  async function start(Steps: readonly WorkflowStep[], inputsOf: Record<string, NewRunInput[]> = {}): Promise<number> {
    const { workflowRun, steps } = await newWorkflowRun(Steps, inputsOf);
    return (await startWorkflowRun(bench.database, bench.signals, workflowRun, steps)).Id;
  }

  const stored = (Id: number) => bench.database.knex('ChecklistRuns').where({ Id }).first();

  const ended = async (workflowRunId: number): Promise<RunStatus> =>
    (await untilEnded(`workflow run ${workflowRunId}`, () => stored(workflowRunId))).Status;

  /** Returns for each step its status, or why it was skipped. */
  async function states(ChecklistRunId: number): Promise<Record<string, string>> {
    const { knex } = bench.database;
    const runs = await knex('ActivityRuns').where({ ChecklistRunId }).orderBy('Id');
    const others = await knex('ChecklistRunSteps').where({ ChecklistRunId });
    const keyOf = (row: { StepKey: string; RowKey?: string }) =>
      row.RowKey ? `${row.StepKey}/${row.RowKey}` : row.StepKey;
    return Object.fromEntries([...runs, ...others].map((row) => [keyOf(row), row.NotRunBecause ?? row.Status]));
  }

  async function runOf(ChecklistRunId: number, StepKey: string, RowKey = '') {
    return bench.database
      .knex('ActivityRuns')
      .where({ ChecklistRunId, StepKey, RowKey })
      .orderBy('Attempt', 'desc')
      .first();
  }

  return {
    ran,
    outcomes,
    prepare,
    engine,
    startEngine,
    engineContext,
    activity,
    step,
    newWorkflowRun,
    start,
    stored,
    ended,
    states,
    runOf,
    /** Makes an activity fail with a message. */
    fails: (name: string) =>
      outcomes.set(name, (request) => {
        request.onLog({ Message: 'no', StatusCode: 100, Category: 3 });
        return { ...SUCCESS, status: 'Failed' };
      }),
    total: (name: string, Value: string) =>
      outcomes.set(name, () => ({ ...SUCCESS, outputs: [{ Name: 'Total', Value, Rows: null }] })),
    stop: async (): Promise<void> => {
      for (const stop of stops) await stop();
    },
  };
}

/** Uses the supplied values unchanged. */
async function giveAsIs({ upstreamValues }: StepToPrepare): Promise<PreparedStep> {
  const missing = [...upstreamValues.values()].some(({ json, files }) => json === null && files.length === 0);
  if (missing) return { refused: 'The run has no value for this input' };
  return { refused: null, inputs: [...upstreamValues].map(([id, { json }]) => valueRow(id, json)) };
}
