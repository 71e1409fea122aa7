/**
 * Shows what the checklist lists and the workflow engine read with a million step runs. Prints for each task its time,
 * the number of its statements, and the tables they scan completely. Runs on PostgreSQL. RUNSHEET_BENCH_ROWS sets the
 * number of runs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { listWorkflowHistory, listWorkflowOutputs } from '#server/features/checklists/checklist-history-repository.ts';
import { findLastRun, listChecklists, listOwnNewest } from '#server/features/checklists/checklist-list-repository.ts';
import { countRows, findResumed, listStepRuns } from '#server/features/checklists/checklist-runs-repository.ts';
import { listRowRuns } from '#server/features/checklists/checklist-rows-repository.ts';
import { listChecklistNotices } from '#server/features/notifications/checklist-notices-repository.ts';
import { countNotableRuns, listNotableRuns } from '#server/features/notifications/notifications-repository.ts';
import { EVERY, NOTHING } from '#server/access/rights/right-scope.ts';
import { createWorkflowEngine } from '#server/workflows/workflow-engine.ts';
import { readStates } from '#server/workflows/workflow-states.ts';
import { createRunSignals } from '#server/queue/run-signals.ts';
import { startDueWorkflows } from '#server/automation/schedules/scheduled-workflows.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import type { WorkflowStep } from '#shared/rules/workflows/types.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import { printMachine } from './measure.ts';

const RUNS = Number(process.env['RUNSHEET_BENCH_ROWS']) || 1_000_000;
const STEPS = 40;
const CHECKLISTS = 50;
/** Number of rows of one For each step. */
const ROWS = 10_000;
const CONCURRENCY = 4;
/** Full scans are acceptable for tables below this number of rows. */
const SMALL = 5_000;

export async function benchWorkflowPlans(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-bench-'));
  const embedded = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
  const database = createDatabase({ url: embedded.url });
  try {
    await migrateToLatest(database);
    const filled = await fill(database);
    printMachine();
    for (const [name, work] of workOf(database, filled)) await explainAll(database, name, work);
  } finally {
    await database.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Filled {
  UserId: number;
  ChecklistId: number;
  /** A workflow run that ended long ago. */
  workflowRunId: number;
  /** A workflow run that is still processing its rows. */
  fanOut: number;
  steps: WorkflowStep[];
}

const base = { After: [], Join: 'AllSucceeded' as const, OnFailure: 'Stop' as const, Inputs: [] };

async function fill({ knex }: Database): Promise<Filled> {
  await knex('Schemas').insert({ Name: 'Test', DisplayName: 'Test', Order: 0 });
  const file = { FileId: 'none', StoreKey: 'none', FileName: 'a', ContentLength: 0, Sha256: '', Purpose: 'version' };
  await knex('StoredFiles').insert(file);
  const UserId = await insertUser(knex);
  const other = await insertUser(knex);
  const ActivityId = await insertActivity(knex, { UserId, FileId: 'none' });
  const steps = Array.from({ length: STEPS }, (_, at): WorkflowStep => {
    const Key = `s${at}`;
    return { ...base, Kind: 'Activity', Key, Name: Key, ActivityId };
  });
  const each: WorkflowStep = {
    ...base,
    Kind: 'ForEach',
    Key: 'each',
    Name: 'each',
    ActivityId,
    Rows: { Kind: 'Input', Name: 'Rows' },
    KeyColumn: null,
    AtOnce: CONCURRENCY,
    StopAfterFailures: null,
  };
  const plans = [steps, [each]].map((Steps, at) => ({
    Hash: `plan ${at}`,
    Plan: JSON.stringify({ Graph: { Inputs: [], Steps }, Versions: { [ActivityId]: 1 } }),
  }));
  const [plan, planOfRows] = (await knex('ChecklistPlans').insert(plans).returning('Id')) as { Id: number }[];
  await knex.raw(
    `insert into "Checklists" ("Name", "Schema", "UserId") select 'Checklist ' || n, 'Test', ? from generate_series(1, ?) n`,
    [UserId, CHECKLISTS],
  );
  await knex.raw(`insert into "ChecklistActivities" select "Id", 0, ? from "Checklists"`, [ActivityId]);
  const workflowRunCount = Math.max(1, Math.floor(RUNS / STEPS));
  // One in twenty failed at its last step. Half belong to the other user.
  await knex.raw(
    `insert into "ChecklistRuns" ("ChecklistId", "PlanId", "UserId", "Status", "QueueTime", "EndTime", "Inputs")
     select ids[1 + n % array_length(ids, 1)], ?, case when n % 2 = 0 then ?::int else ?::int end,
       case when n % 20 = 0 then 'Failed' else 'Succeeded' end, at, at, '[]'
     from generate_series(1, ?) n, (select array_agg("Id") as ids from "Checklists") c,
       lateral (select now() - (? - n) * interval '1 minute') as m(at)`,
    [plan!.Id, UserId, other, workflowRunCount, workflowRunCount],
  );
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "QueueTime", "StartTime", "EndTime",
       "ChecklistRunId", "StepKey", "TurnOwner")
     select ?, 1, case when s = ? - 1 then c."Status" else 'Succeeded' end, c."UserId", 0, c."QueueTime", c."QueueTime", c."EndTime",
       c."Id", 's' || s, 'user' from "ChecklistRuns" c, generate_series(0, ? - 1) s`,
    [ActivityId, STEPS, STEPS],
  );
  const going = { PlanId: planOfRows!.Id, UserId, Status: 'Started', Inputs: '[]' };
  const [checklist] = (await knex('Checklists').orderBy('Id').limit(1).select('Id')) as { Id: number }[];
  const [fanOut] = (await knex('ChecklistRuns')
    .insert({ ...going, ChecklistId: checklist!.Id })
    .returning('Id')) as { Id: number }[];
  const startedStep = { ChecklistRunId: fanOut!.Id, StepKey: 'each', Kind: 'ForEach', Status: 'Started' };
  await knex('ChecklistRunSteps').insert(startedStep);
  // Half of the rows have ended, and the maximum number of concurrent rows is running, so that the engine has nothing
  // to start.
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "Status", "UserId", "MemoryCost", "ChecklistRunId", "StepKey", "RowKey",
       "RowIndex", "WaitsForSteps", "TurnOwner", "StartTime", "EndTime")
     select ?, 1, "Status", ?, 0, ?, 'each', 'r' || n, n, "Status" = 'QueuedInSeq', 'rows', now(),
       case when "Status" = 'Succeeded' then now() end
     from generate_series(1, ?) n,
       lateral (select case when n <= ? then 'Succeeded' when n <= ? then 'Started' else 'QueuedInSeq' end) as s("Status")`,
    [ActivityId, UserId, fanOut!.Id, ROWS, ROWS / 2, ROWS / 2 + CONCURRENCY],
  );
  await knex.raw('vacuum analyze');
  const middle = (await knex('ChecklistRuns')
    .where('Id', '>', Math.floor(workflowRunCount / 2))
    .min({ Id: 'Id' })
    .first()) as {
    Id: number;
  };
  return { UserId, ChecklistId: checklist!.Id, workflowRunId: middle.Id, fanOut: fanOut!.Id, steps: [...steps, each] };
}

function workOf(database: Database, filled: Filled): [string, () => Promise<unknown>][] {
  const { knex, dialect } = database;
  const { UserId, ChecklistId, workflowRunId, fanOut, steps } = filled;
  const keys = steps.map(({ Key }) => Key);
  const filter = {
    userId: undefined,
    before: null,
    limit: 21,
    withWorkflows: true,
    statuses: null,
    userIds: null,
    runBy: null,
    queuedFrom: null,
    queuedBefore: null,
  };
  const log = pino({ level: 'silent' });
  const signals = createRunSignals(database, log);
  const versions = createVersionCatalog(knex);
  const prepareStep = async () => ({ refused: 'the bench carries nothing out' });
  const engine = createWorkflowEngine({ database, signals, versions, prepareStep, log });
  const scopes = { run: EVERY, edit: EVERY, viewRuns: EVERY };
  const noScopes = { run: EVERY, edit: EVERY, editChecklist: NOTHING };
  const findWorkflowRun = (id: number) => knex('ChecklistRuns').where('Id', id).first();
  const graph = { Inputs: [], Steps: steps };
  const rows = { workflowRunId: fanOut, stepKey: 'each', statuses: ['Succeeded' as const], waiting: false, afterId: 0 };
  const schedules = { database, signals, log, timeZone: 'UTC', clock: async () => new Date() } as never;
  return [
    ['the list of checklists', () => listChecklists(knex, dialect)],
    ['the list of checklists, own runs', () => listOwnNewest(knex, dialect, UserId)],
    ['the last run of a checklist', () => findLastRun(knex, ChecklistId, UserId)],
    ['a page of the history', () => listWorkflowHistory(knex, ChecklistId, filter)],
    ['a page of those that failed', () => listWorkflowHistory(knex, ChecklistId, { ...filter, statuses: ['Failed'] })],
    [
      'a page of own runs',
      () => listWorkflowHistory(knex, ChecklistId, { ...filter, userId: UserId, before: workflowRunId }),
    ],
    ['outputs of a page', () => listWorkflowOutputs(knex, [workflowRunId, workflowRunId + 1, workflowRunId + 2])],
    [
      'the page of a run',
      () => Promise.all([listStepRuns(knex, workflowRunId, keys), findResumed(knex, workflowRunId)]),
    ],
    ['the page of a run with many rows', () => countRows(knex, fanOut, ['each'])],
    ['a page of rows', () => listRowRuns(knex, { ...rows, limit: 101 })],
    ['the bell', () => listNotableRuns(knex, dialect, scopes, UserId, { before: null, limit: 21 })],
    ['the count of the bell', () => countNotableRuns(knex, dialect, scopes, UserId, 100)],
    ['the bell, of checklists', () => listChecklistNotices(knex, dialect, { userId: UserId, scopes: noScopes }, 21)],
    ['how a chain stands', async () => readStates(knex, await findWorkflowRun(workflowRunId), graph)],
    ['how a chain with many rows stands', async () => readStates(knex, await findWorkflowRun(fanOut), graph)],
    ['the engine looking for what is pending', () => engine.sweep()],
    ['the schedules', () => startDueWorkflows(schedules, () => false)],
  ];
}

interface Sent {
  sql: string;
  bindings: readonly unknown[];
}

/** Runs the work, then runs each of its read statements again with EXPLAIN. */
async function explainAll({ knex }: Database, name: string, work: () => Promise<unknown>): Promise<void> {
  const sent: Sent[] = [];
  const onQuery = ({ sql, bindings }: Sent): void => void sent.push({ sql, bindings });
  const startedAt = performance.now();
  knex.on('query', onQuery);
  await work();
  knex.off('query', onQuery);
  const took = performance.now() - startedAt;
  const scans: string[] = [];
  for (const { sql, bindings } of sent.filter((one) => /^(select|with|\()/i.test(one.sql))) {
    const plan = (await knex.raw(`explain (analyze, format json) ${sql.replaceAll(/\$\d+/g, '?')}`, [
      ...bindings,
    ] as never)) as { rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] };
    scans.push(...fullScans(plan.rows[0]!['QUERY PLAN'][0]!.Plan));
  }
  const read = scans.length === 0 ? '' : `: reads all of ${[...new Set(scans)].join(', ')}`;
  console.log(`${took.toFixed(1).padStart(9)} ms, ${String(sent.length).padStart(3)} statements  ${name}${read}`);
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Returns the tables with a full scan of more rows than a small table has. Rows that the scan discards count too. */
function fullScans(node: PlanNode): string[] {
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const own = node['Relation Name'] !== undefined && read > SMALL;
  const text = `${node['Relation Name']} (${node['Node Type']}, ${Math.round(read)} rows)`;
  return [...(own ? [text] : []), ...(node.Plans ?? []).flatMap(fullScans)];
}
