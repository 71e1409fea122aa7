/**
 * Workflows with steps, rows of tables and approvals, while their servers are killed at random times; one server has a
 * wrong clock. Each workflow ends, and each of its steps and rows succeeds once, over all runs until the whole workflow
 * has succeeded. An external database counts what they do: each run does it at most once.
 * RUNSHEET_FAULT_SEED repeats a run, RUNSHEET_FAULT_CHAINS sets how many are started at once, RUNSHEET_FAULT_STEPS how
 * many steps they have at most.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { resumeWorkflowRun } from '#server/workflows/resume-workflow-run.ts';
import { startWorkflowRun } from '#server/workflows/start-workflow-run.ts';
import { decideApproval } from '#server/workflows/approvals/decide-approval.ts';
import { createRunSignals, type RunSignals } from '#server/queue/run-signals.ts';
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { ActivityStep, ApprovalStep, ForEachStep } from '#shared/rules/workflows/types.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { valueRow } from '#test/support/workflow-bench.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { insertUser } from '#test/support/runs.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { untilProgress } from '#test/support/until.ts';
import { cleanUp, temporaryDatabase, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { killAtRandom, twoServers } from './two-servers.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const WORKFLOWS = Number(process.env['RUNSHEET_FAULT_CHAINS']) || 24;
const MAX_STEPS = Number(process.env['RUNSHEET_FAULT_STEPS']) || 5;
const ROWS = 3;
/** Milliseconds within which all of them are started. */
const STARTING = 3000;
const KILLS = 12;
/** Script for a process whose clock is one hour ahead. */
const AHEAD = `const { now } = Date;
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { given.length === 0 ? super(now() + 3_600_000) : super(...given); }
  static now() { return now() + 3_600_000; }
};
console.log('the clock is ahead');`;

/** Writes its key into the external database. */
const MARKING: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: { A1: 'x', C1: 'Key', C2: { formula: 'A1', value: 'x' } },
      tables: [{ name: 'Marks', ref: 'C1:C2', columns: ['Key'] }],
    },
    stepSheet([{ Step: 'Mark', Action: 'Write', Connection: 'Outside', Table: 'Marks', Target: 'Marks' }]),
  ],
  names: { in_Key: 'S!$A$1' },
};

/** Generates the steps of a random acyclic graph, each with its own activity. */
function anySteps(activities: readonly number[]): ActivityStep[] {
  const count = random.between(1, activities.length);
  return activities.slice(0, Math.round(count)).map((ActivityId, at) => {
    const before = activities.slice(0, at).map((_, index) => `s${index}`);
    const After = before.filter(() => random.between(0, 2) < 1).map((Step) => ({ Step, When: 'success' as const }));
    return {
      Kind: 'Activity',
      Key: `s${at}`,
      Name: `s${at}`,
      After,
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      ActivityId,
      Inputs: [],
      MayRepeat: random.between(0, 2) < 1,
    };
  });
}

/** Follows the first step: an approval, then a step that runs for each entered row. */
function askedRows(ActivityId: number, UserIds: number[]): [ApprovalStep, ForEachStep] {
  const after = (Step: string) => ({
    After: [{ Step, When: 'success' as const }],
    Join: 'AllSucceeded' as const,
    OnFailure: 'Stop' as const,
  });
  return [
    {
      Kind: 'Approval',
      Key: 'ask',
      Name: 'ask',
      ...after('s0'),
      Roles: [],
      UserIds,
      Needed: 1,
      StarterMayApprove: true,
      Text: '',
      Values: [],
      ExpiresAfterHours: null,
      OnExpiry: 'Fail',
    },
    {
      Kind: 'ForEach',
      Key: 'each',
      Name: 'each',
      ...after('ask'),
      ActivityId,
      Inputs: [{ Input: 'Key', From: { Kind: 'Column', Name: 'Key' } }],
      Rows: { Kind: 'Input', Name: 'Rows' },
      KeyColumn: 'Key',
      MayRepeat: random.between(0, 2) < 1,
      AtOnce: 2,
      StopAfterFailures: null,
    },
  ];
}

/**
 * Two users decide all approvals, both at the same time, until this is stopped. Returns how often a decision was
 * effective.
 */
function decideAll(database: TestDatabase, signals: RunSignals, people: readonly number[]) {
  const stopping = new AbortController();
  const counted = new Map<number, number>();
  const decide = async (ApprovalId: number, UserId: number): Promise<void> => {
    const decision = { ApprovalId, UserId, UserFullName: 'faults', Approved: true, Comment: '' };
    const { result } = await decideApproval(database, signals, decision, async () => undefined);
    if (result === 'decided') counted.set(ApprovalId, (counted.get(ApprovalId) ?? 0) + 1);
  };
  const working = (async () => {
    while (!stopping.signal.aborted) {
      const open = (await database.knex('Approvals').where('Status', 'Open').pluck('Id')) as number[];
      for (const id of open) await Promise.all(people.map((UserId) => decide(id, UserId)));
      await pause(50);
    }
  })();
  return {
    stop: async (): Promise<ReadonlyMap<number, number>> => {
      stopping.abort();
      await working;
      return counted;
    },
  };
}

/** Resumes failed workflows until all have succeeded. */
async function resumeUntilSucceeded(database: TestDatabase, ids: readonly number[], UserId: number): Promise<void> {
  const signals = createRunSignals(database, pino({ level: 'silent' }));
  let open = [...ids];
  while (open.length > 0) {
    const next: number[] = [];
    for (const id of open) {
      await untilWorkflowRunEnds(database, id);
      const Status = await endOf(database, id);
      if (Status === 'Failed')
        next.push((await resumeWorkflowRun(database, signals, id, { UserId, UniqueId: null })).Id);
      else expect(Status).toBe('Succeeded');
    }
    open = next;
  }
  await signals.close();
}

/** Workflows share the workers; each finished run is therefore progress for all of them. */
async function untilWorkflowRunEnds(database: TestDatabase, id: number): Promise<void> {
  const { knex } = database;
  await untilProgress(
    `chain ${id} ends`,
    async () => ({
      status: await endOf(database, id),
      ended: (await knex('ActivityRuns').whereNotNull('EndTime').count({ Count: '*' })) as unknown,
      decided: (await knex('Approvals').whereNot('Status', 'Open').count({ Count: '*' })) as unknown,
    }),
    ({ status }) => status !== undefined,
  );
}

async function endOf({ knex }: TestDatabase, Id: number): Promise<RunStatus | undefined> {
  const { Status } = (await knex('ChecklistRuns').where({ Id }).first('Status')) as { Status: RunStatus };
  return isPending(Status) ? undefined : Status;
}

test(
  `each step of workflows whose servers are killed is executed once (seed ${random.seed})`,
  async () => {
    const outside = await temporaryDatabase({ migrated: false });
    await outside.knex.schema.createTable('Marks', (t) => void t.string('Key', 100));
    const connections = { Outside: { url: outside.url, allowWrites: true } };
    const ahead = `--import data:text/javascript,${encodeURIComponent(AHEAD)}`;
    const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} ${ahead}`;
    const { database, portal, worker, client, UserId } = await twoServers(
      { RUNSHEET_CONNECTIONS: JSON.stringify(connections) },
      { ofWorker: { NODE_OPTIONS } },
    );
    const { knex } = database;
    expect(worker.lines()).toContain('the clock is ahead');
    const bytes = await buildWorkbook(MARKING);
    const activities: number[] = [];
    for (let at = 0; at <= MAX_STEPS; at++) {
      const fields = { Id: '0', Schema: 'General', Name: `Step ${at}`, SingleRun: 'false' };
      activities.push(await client.upload(fields, 'mark.xlsx', bytes));
    }
    const inputs = (await knex('ActivityParameters').select('Id', 'ActivityId')) as {
      Id: number;
      ActivityId: number;
    }[];
    const keyOf = (ActivityId: number): number => inputs.find((one) => one.ActivityId === ActivityId)!.Id;
    const [ofRows, ...ofSteps] = activities as [number, ...number[]];
    const people = [UserId, await insertUser(knex)];
    const [checklist] = await knex('Checklists').insert({ Name: 'Close', Schema: 'General', UserId }).returning('Id');
    const signals = createRunSignals(database, pino({ level: 'silent' }));
    cleanUp(() => signals.close());
    const Versions = Object.fromEntries(activities.map((id) => [id, 1]));
    const started = new Map<number, string[]>();
    const deciding = decideAll(database, signals, people);
    cleanUp(() => deciding.stop());
    const starting = (async () => {
      for (let at = 0; at < WORKFLOWS; at++) {
        const own = anySteps(ofSteps);
        const [ask, each] = askedRows(ofRows, people);
        const rows = Array.from({ length: ROWS }, (_, row) => `${at} row ${row}`);
        const Graph = { Inputs: [{ Name: 'Rows' }], Steps: [...own, ask, each] };
        const entered = [{ ChecklistInputName: 'Rows', Value: JSON.stringify(rows.map((key) => [key])) }];
        const of = { ChecklistId: checklist.Id, WorkflowVersion: null, UserId, UniqueId: null };
        const workflowRun = { ...of, Plan: { Graph, Versions }, Inputs: JSON.stringify(entered) };
        const newSteps = [...own, each].map(({ Key, ActivityId }) => ({
          StepKey: Key,
          ActivityId,
          MemoryCost: 0,
          SingleRun: false,
          inputs: Key === 'each' ? [] : [valueRow(keyOf(ActivityId), JSON.stringify(`${at} ${Key}`))],
        }));
        const { Id } = await startWorkflowRun(database, signals, workflowRun, newSteps);
        started.set(Id, [...own.map(({ Key }) => `${Key} ${at} ${Key}`), ...rows.map((key) => `each ${key}`)]);
        await pause(random.between(0, (2 * STARTING) / WORKFLOWS));
      }
    })();
    await killAtRandom({ database, portal, worker }, random, { times: KILLS, between: [200, 1200] });
    await starting;
    await resumeUntilSucceeded(database, [...started.keys()], UserId);

    const counted = await deciding.stop();
    const approved = await knex('Approvals').where('Status', 'Approved').pluck('Id');
    expect(approved.length).toBe(WORKFLOWS);
    expect([...counted].toSorted(([a], [b]) => a - b)).toEqual(approved.toSorted((a, b) => a - b).map((id) => [id, 1]));

    const runs = (await knex('ActivityRuns as R')
      .join('ChecklistRuns as C', 'C.Id', 'R.ChecklistRunId')
      .leftJoin('RunInputs as I', 'I.ActivityRunId', 'R.Id')
      .select('R.StepKey', 'R.Status', 'I.Value', 'C.Id as WorkflowRunId', 'C.ResumeOf')) as ExecutedRun[];
    const resumed = new Map(runs.map(({ WorkflowRunId, ResumeOf }) => [WorkflowRunId, ResumeOf]));
    const rootOf = (id: number): number => {
      const before = resumed.get(id);
      return before ? rootOf(before) : id;
    };
    const markOf = ({ Value }: ExecutedRun): string => (Value === null ? '' : (JSON.parse(Value) as string));
    const of = (status: RunStatus) => runs.filter(({ Status }) => Status === status);
    const succeeded = of('Succeeded').map((run) => `${rootOf(run.WorkflowRunId)} ${run.StepKey} ${markOf(run)}`);
    const wanted = [...started].flatMap(([id, steps]) => steps.map((step) => `${id} ${step}`));
    expect(succeeded.toSorted()).toEqual(wanted.toSorted());

    const marks = Map.groupBy((await outside.knex('Marks').pluck('Key')) as string[], (key) => key);
    const abandoned = Map.groupBy(of('Abandoned').map(markOf), (key) => key);
    const once = of('Succeeded').map(markOf);
    expect([...marks.keys()].toSorted()).toEqual(once.toSorted());
    // A killed run may have done its work; it then counts as executed once more, because its workflow was resumed
    // knowingly.
    const twice = once.filter((key) => marks.get(key)!.length > 1 + (abandoned.get(key)?.length ?? 0));
    expect(twice).toEqual([]);
    process.stdout.write(
      `seed ${random.seed}: ${WORKFLOWS} chains, ${wanted.length} steps and rows, ${of('Abandoned').length} abandoned\n`,
    );
  },
  TEST_TIMEOUT_MS,
);

interface ExecutedRun {
  StepKey: string;
  Status: RunStatus;
  Value: string | null;
  WorkflowRunId: number;
  ResumeOf: number | null;
}
