/**
 * Measures what checklists and workflows add to the time of their steps. Workflows of steps that do nothing run with a
 * worker and the engine of this process on an embedded PostgreSQL. Times are read from the database, which is the
 * common clock. Rights are checked as in production.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { createActivityAccess } from '#server/access/activity-access.ts';
import { createChecklistAccess } from '#server/access/checklist-access.ts';
import { createChecklistDownloadsService } from '#server/features/checklists/checklist-downloads-service.ts';
import { createChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import { createChecklistRunsService } from '#server/features/checklists/checklist-runs-service.ts';
import { createRightsService } from '#server/access/rights/rights-service.ts';
import { createPrepareStep } from '#server/features/runs/prepare-step.ts';
import { createUsersService } from '#server/features/users/users-service.ts';
import { createWorkflowEngine } from '#server/workflows/workflow-engine.ts';
import { createPlanReader } from '#server/workflows/workflow-plans.ts';
import { startWorkflowRun } from '#server/workflows/start-workflow-run.ts';
import { createRunSignals, type RunSignals } from '#server/queue/run-signals.ts';
import { startRun } from '#server/queue/enqueue-run.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import type { ActivityStep, WorkflowEdge, WorkflowStep, ForEachStep } from '#shared/rules/workflows/types.ts';
import { createFakeExecutor, SUCCESS } from '#test/support/fake-executor.ts';
import { output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertUser } from '#test/support/runs.ts';
import { percentile, printMachine } from './measure.ts';

const STEPS = 40;
const ROUNDS = 5;
const ROWS = 5_000;
const SINGLE_RUNS = 300;

interface Bench {
  database: Database;
  signals: RunSignals;
  UserId: number;
  ChecklistId: number;
  activity(): Promise<number>;
  listActivity: number;
}

export async function benchWorkflows(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-bench-'));
  const log = pino({ level: 'silent' });
  const embedded = await startEmbeddedPostgres(folder, log);
  const database = createDatabase({ url: embedded.url });
  try {
    await migrateToLatest(database);
    const bench = await setUp(database);
    const stop = startWorkerAndEngine(bench);
    printMachine();
    await measureSequence(bench);
    await measureSideBySide(bench);
    await measureFanOut(bench);
    printMachine();
    await stop();
  } finally {
    await database.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function setUp(database: Database): Promise<Bench> {
  const { knex } = database;
  const UserId = await insertUser(knex, { IsUserAdmin: true });
  await knex('Schemas').insert({ Name: 'Test', DisplayName: 'Test', Order: 0 });
  const file = {
    FileId: 'none',
    StoreKey: 'none',
    FileName: 'a.xlsx',
    ContentLength: 0,
    Sha256: '',
    Purpose: 'version',
  };
  await knex('StoredFiles').insert(file);
  const [checklist] = await knex('Checklists').insert({ Name: 'Bench', Schema: 'Test', UserId }).returning('Id');
  const table = {
    RangeType: 'RangeWithColumnHeaders' as const,
    ColumnHeaderValues: ['N'],
    Formats: ['0'],
    CellUsages: ['Number' as const],
  };
  const definition = { ...EMPTY_DEFINITION, outputs: [output('Table', table)] };
  return {
    database,
    signals: createRunSignals(database, pino({ level: 'silent' })),
    UserId,
    ChecklistId: (checklist as { Id: number }).Id,
    activity: () => insertActivity(knex, { UserId, FileId: 'none' }),
    listActivity: await insertActivity(knex, { UserId, FileId: 'none', definition }),
  };
}

function startWorkerAndEngine({ database, signals, listActivity }: Bench): () => Promise<void> {
  const log = pino({ level: 'silent' });
  const versions = createVersionCatalog(database.knex);
  const executor = createFakeExecutor();
  const Value = JSON.stringify(Array.from({ length: ROWS }, (_, at) => [at]));
  executor.onRun = async ({ versionKey }) =>
    versionKey.startsWith(`${listActivity}/`)
      ? { ...SUCCESS, outputs: [{ Name: 'Table', Value, Rows: ROWS }] }
      : SUCCESS;
  const files = { put: nothing, read: nothing, delete: nothing } as never;
  const jobs = { database, versions, files, executor, log, isLicensed: async () => true };
  const config = {
    workerThreads: 3,
    workerMemoryBudget: 100,
    leaseSeconds: 30,
    runTimeLimitSeconds: 60,
    workerPools: ['default'],
    runsPerPerson: 0,
  };
  const stopJobs = startJobs(jobs, signals, config, { hasNotifications: true });
  const prepareStep = createPrepareStep({
    database,
    users: createUsersService(database),
    activityAccess: createActivityAccess(createRightsService(database)),
    starts: { check: async () => Promise.reject(new Error('no step of the benchmark uses an output')) },
  });
  const stopWorkflowEngine = createWorkflowEngine({
    database,
    signals,
    versions,
    prepareStep,
    executor,
    timeZone: 'UTC',
    log,
  }).start(null);
  return async () => {
    await stopJobs();
    await stopWorkflowEngine();
    await signals.close();
  };
}

const nothing = async (): Promise<never> => Promise.reject(new Error('the benchmark has no files'));

async function step(bench: Bench, at: number, After: WorkflowEdge[]): Promise<ActivityStep> {
  const Key = `s${at}`;
  const ActivityId = await bench.activity();
  return { Kind: 'Activity', Key, Name: Key, After, Join: 'AllSucceeded', OnFailure: 'Stop', ActivityId, Inputs: [] };
}

/** Starts a workflow and returns its Id when it has ended. */
async function run(bench: Bench, Steps: WorkflowStep[]): Promise<number> {
  const { database, signals, UserId, ChecklistId } = bench;
  const activities = Steps.filter((one): one is ActivityStep | ForEachStep => 'ActivityId' in one);
  const Versions = Object.fromEntries(activities.map(({ ActivityId }) => [ActivityId, 1]));
  const Plan = { Graph: { Inputs: [], Steps }, Versions };
  const workflowRun = { ChecklistId, WorkflowVersion: null, Plan, UserId, UniqueId: null, Inputs: '[]' };
  const newSteps = activities.map(({ Key, ActivityId }) => ({
    StepKey: Key,
    ActivityId,
    MemoryCost: 0,
    SingleRun: false,
    inputs: [],
  }));
  const { Id } = await startWorkflowRun(database, signals, workflowRun, newSteps);
  for (;;) {
    const { Status } = await database.knex('ChecklistRuns').where({ Id }).first('Status');
    if (Status === 'Succeeded') return Id;
    if (Status !== 'Started') throw new Error(`the workflow run ended with status ${Status}`);
    await pause(20);
  }
}

async function secondsOf({ database }: Bench, Id: number): Promise<number> {
  const row = await database.knex('ChecklistRuns').where({ Id }).first('QueueTime', 'EndTime');
  return (row.EndTime - row.QueueTime) / 1000;
}

async function measureSequence(bench: Bench): Promise<void> {
  const steps: ActivityStep[] = [];
  for (let at = 0; at < STEPS; at++)
    steps.push(await step(bench, at, at === 0 ? [] : [{ Step: `s${at - 1}`, When: 'success' }]));
  await run(bench, steps);
  const seconds: number[] = [];
  const between: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const id = await run(bench, steps);
    seconds.push(await secondsOf(bench, id));
    const runs = await bench.database
      .knex('ActivityRuns')
      .where({ ChecklistRunId: id })
      .orderBy('Id')
      .select('PickupTime', 'EndTime', 'QueueTime');
    for (let at = 1; at < runs.length; at++) between.push(runs[at].PickupTime - runs[at - 1].EndTime);
  }
  console.log(
    `${STEPS} steps one after another: ${seconds.map((one) => one.toFixed(2)).join(', ')} s (target 1.2)\n` +
      `  from the end of a step until the next is picked up: p50 ${percentile(between, 50)} ms, p95 ${percentile(between, 95)} ms (target 10)`,
  );
}

async function measureSideBySide(bench: Bench): Promise<void> {
  const steps: ActivityStep[] = [];
  for (let at = 0; at < STEPS; at++) steps.push(await step(bench, at, []));
  await run(bench, steps);
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) seconds.push(await secondsOf(bench, await run(bench, steps)));
  console.log(`${STEPS} parallel steps: ${seconds.map((one) => one.toFixed(2)).join(', ')} s`);
}

/** Returns the milliseconds from start to end of runs that a user starts one after the other. */
async function singleRuns({ database, signals }: Bench, UserId: number, ActivityId: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < SINGLE_RUNS; at++) {
    const startedAt = performance.now();
    const of = {
      ActivityId,
      ActivityVersion: 1,
      UserId,
      UniqueId: null,
      RetryOf: null,
      MemoryCost: 0,
      SingleRun: false,
    };
    const { Id } = await startRun(database, signals, of, []);
    while ((await database.knex('ActivityRuns').where({ Id }).first('EndTime')).EndTime === null) await pause(1);
    times.push(performance.now() - startedAt);
    await pause(20);
  }
  return times;
}

async function measureFanOut(bench: Bench): Promise<void> {
  const { knex } = bench.database;
  const other = await insertUser(knex);
  const alone = await bench.activity();
  await singleRuns(bench, other, alone);
  const without = percentile(await singleRuns(bench, other, alone), 95);
  const list = { ...(await step(bench, 0, [])), ActivityId: bench.listActivity };
  const { After, Key, Name, Join, OnFailure, ActivityId } = await step(bench, 1, [{ Step: 's0', When: 'success' }]);
  const each: ForEachStep = {
    Kind: 'ForEach',
    Key,
    Name,
    After,
    Join,
    OnFailure,
    ActivityId,
    Inputs: [],
    Rows: { Kind: 'Output', Step: 's0', Name: 'Table' },
    KeyColumn: 'N',
    AtOnce: 4,
    StopAfterFailures: null,
  };
  const fanOut = run(bench, [list, each]);
  // As in the measurement without the fan-out, the first runs are not counted: each connection plans the queue's
  // statements about six times before it caches the plan.
  await singleRuns(bench, other, alone);
  const beside = percentile(await singleRuns(bench, other, alone), 95);
  const id = await fanOut;
  const seconds = await secondsOf(bench, id);
  console.log(
    `${ROWS} rows of a for-each step: ${seconds.toFixed(1)} s, ${(ROWS / seconds).toFixed(0)} rows a second\n` +
      `  single runs of another person, p95: ${without.toFixed(1)} ms without, ${beside.toFixed(1)} ms during it: ${(beside / without).toFixed(2)} times as long (target 2)`,
  );
  await measureStatus(bench, id);
}

/** Measures what the page of a run requests for a workflow with all these rows. */
async function measureStatus({ database, signals, UserId }: Bench, id: number): Promise<void> {
  const { knex } = database;
  const rights = createRightsService(database);
  const access = createChecklistAccess(rights, createActivityAccess(rights));
  const runAccess = createChecklistRunAccess(database, rights, access);
  const readPlan = createPlanReader();
  const files = { put: nothing, read: nothing, delete: nothing } as never;
  const downloads = createChecklistDownloadsService({ database, access, runAccess, readPlan, files });
  const versions = createVersionCatalog(knex);
  const inputsOf = nothing;
  const deps = { database, access, runAccess, readPlan, signals, downloads, versions, inputsOf };
  const runs = createChecklistRunsService(deps);
  const times: number[] = [];
  for (let at = 0; at < SINGLE_RUNS; at++) {
    const startedAt = performance.now();
    await runs.status({ UserId, IsUserAdmin: true } as never, id);
    times.push(performance.now() - startedAt);
  }
  console.log(
    `status of this workflow run: p50 ${percentile(times, 50).toFixed(1)} ms, p95 ${percentile(times, 95).toFixed(1)} ms (target 200)`,
  );
}
