/**
 * Chains of steps while their servers are killed at moments that chance decides: each ends, and each of its steps succeeds once, over all
 * the runs that it takes until the whole has succeeded. RUNSHEET_FAULT_SEED repeats a run, RUNSHEET_FAULT_CHAINS says how many.
 */
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { resumeChain } from '#server/jobs/chains/resume-chain.ts';
import { startChain } from '#server/jobs/chains/start-chain.ts';
import { createRunSignals } from '#server/jobs/queue/run-signals.ts';
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { ActivityStep, ChainStep } from '#shared/rules/chains/types.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { doublingWorkbook } from './load.ts';
import { portalClient } from './portal-client.ts';
import { serverProcess } from './server-process.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const CHAINS = Number(process.env['RUNSHEET_FAULT_CHAINS']) || 20;
const MOST_STEPS = 6;
const KILLS = 6;
const SETTINGS = {
  RUNSHEET_ADMIN_PASSWORD: 'Correct-Horse-7',
  RUNSHEET_SAMPLES: 'false',
  // Longer than the slowest statements take: a lease is to end by a kill alone.
  RUNSHEET_LEASE_SECONDS: String(onItsDatabase(2)),
  RUNSHEET_LOG_LEVEL: 'warn',
  RUNSHEET_WORKER_THREADS: '1',
};

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Steps of any graph without cycles, each of an activity of its own. */
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
    };
  });
}

const newStep = ({ Key, ActivityId }: ActivityStep) => ({
  StepKey: Key,
  ActivityId,
  MemoryCost: 0,
  SingleRun: false,
  inputs: [],
});

/** Goes on with the chains that did not succeed until all have. */
async function resumeUntilSucceeded(database: TestDatabase, ids: readonly number[], UserId: number): Promise<void> {
  const signals = createRunSignals(database, pino({ level: 'silent' }));
  let open = [...ids];
  while (open.length > 0) {
    const next: number[] = [];
    for (const id of open) {
      const Status = await until(`chain ${id} ends`, () => endOf(database, id), onItsDatabase(60_000));
      if (Status === 'Failed') next.push((await resumeChain(database, signals, id, { UserId, UniqueId: null })).Id);
      else expect(Status).toBe('Succeeded');
    }
    open = next;
  }
  await signals.close();
}

async function endOf({ knex }: TestDatabase, Id: number): Promise<RunStatus | undefined> {
  const { Status } = (await knex('ChecklistRuns').where({ Id }).first('Status')) as { Status: RunStatus };
  return isPending(Status) ? undefined : Status;
}

test(
  `each step of chains whose servers are killed is carried out once (seed ${random.seed})`,
  async () => {
    const database = await testDatabase();
    cleanups.push(() => database.drop());
    const { knex } = database;
    const dataDir = await mkdtemp(join(tmpdir(), 'runsheet-faults-'));
    await chmod(dataDir, 0o711);
    cleanups.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const shared = { ...SETTINGS, RUNSHEET_DATABASE_URL: database.url, RUNSHEET_DATA_DIR: dataDir };
    const portal = serverProcess('portal', shared);
    const worker = serverProcess('worker', { ...shared, RUNSHEET_ROLE: 'worker' });
    cleanups.push(
      () => portal.kill(),
      () => worker.kill(),
    );
    await portal.start();
    await worker.start();
    const { token, UserId } = await administratorToken(database);
    const client = portalClient(() => portal.address, token);
    const bytes = await doublingWorkbook();
    const activities: number[] = [];
    for (let at = 0; at < MOST_STEPS; at++) {
      activities.push(
        await client.upload(
          { Id: '0', Schema: 'General', Name: `Step ${at}`, SingleRun: 'false' },
          'double.xlsx',
          bytes,
        ),
      );
    }
    const [checklist] = await knex('Checklists').insert({ Name: 'Close', Schema: 'General', UserId }).returning('Id');
    const signals = createRunSignals(database, pino({ level: 'silent' }));
    cleanups.push(() => signals.close());
    const Versions = Object.fromEntries(activities.map((id) => [id, 1]));
    const started = new Map<number, ChainStep[]>();
    const starting = (async () => {
      for (let at = 0; at < CHAINS; at++) {
        const Steps = anySteps(activities);
        const Plan = { Graph: { Inputs: [], Steps }, Versions };
        const chain = { ChecklistId: checklist.Id, WorkflowVersion: null, Plan, UserId, UniqueId: null, Inputs: '[]' };
        started.set((await startChain(database, signals, chain, Steps.map(newStep))).Id, Steps);
        await pause(random.between(0, 300));
      }
    })();
    for (let kills = 0; kills < KILLS; kills++) {
      await pause(random.between(200, 1200));
      const victim = random.pick([portal, worker]);
      await victim.kill();
      await pause(random.between(0, 300));
      await victim.start();
    }
    await starting;
    await resumeUntilSucceeded(database, [...started.keys()], UserId);

    const runs = (await knex('ActivityRuns as R')
      .join('ChecklistRuns as C', 'C.Id', 'R.ChecklistRunId')
      .select('R.Id', 'R.StepKey', 'R.Status', 'C.Id as ChainId', 'C.ResumeOf')) as {
      StepKey: string;
      Status: RunStatus;
      ChainId: number;
      ResumeOf: number | null;
    }[];
    const resumed = new Map(runs.map(({ ChainId, ResumeOf }) => [ChainId, ResumeOf]));
    const rootOf = (id: number): number => {
      const before = resumed.get(id);
      return before ? rootOf(before) : id;
    };
    const succeeded = runs
      .filter(({ Status }) => Status === 'Succeeded')
      .map((run) => `${rootOf(run.ChainId)} ${run.StepKey}`);
    const wanted = [...started].flatMap(([id, steps]) => steps.map(({ Key }) => `${id} ${Key}`));
    expect(succeeded.toSorted()).toEqual(wanted.toSorted());
    const abandoned = runs.filter(({ Status }) => Status === 'Abandoned').length;
    process.stdout.write(`seed ${random.seed}: ${CHAINS} chains, ${wanted.length} steps, ${abandoned} abandoned\n`);
  },
  onItsDatabase(180_000),
);
