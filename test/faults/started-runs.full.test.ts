/**
 * Runs that start other runs while their servers are killed at random times. A succeeded run has started each of its
 * rows once, a failed one has started none, and every row succeeds once over all attempts. RUNSHEET_FAULT_SEED repeats
 * a run, RUNSHEET_FAULT_STARTERS sets how many runs start others.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { retryChildRuns } from '#server/workflows/child-runs/retry-child-runs.ts';
import { enqueueRun } from '#server/queue/enqueue-run.ts';
import { createRunSignals } from '#server/queue/run-signals.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { billing, INVOICE, type Bills } from '#test/support/start-workbooks.ts';
import { untilProgress } from '#test/support/until.ts';
import { cleanUp, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { killAtRandom, twoServers } from './two-servers.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const STARTERS = Number(process.env['RUNSHEET_FAULT_STARTERS']) || 6;
const ROWS = 20;
const KILLS = 8;
interface ChildRow {
  ParentRunId: number;
  RowKey: string;
  Attempt: number;
  Status: RunStatus;
}

const children = ({ knex }: TestDatabase): Promise<ChildRow[]> =>
  knex('ActivityRuns')
    .whereNotNull('ParentRunId')
    .select('ParentRunId', 'RowKey', 'Attempt', 'Status') as unknown as Promise<ChildRow[]>;

/** Waits until all runs started by parents or retries have ended, and no run is left to start. */
const untilAllEnded = (database: TestDatabase) =>
  untilProgress(
    'all runs end',
    async () => {
      const { knex } = database;
      const count = async (query: Knex.QueryBuilder) => Number((await query.count({ Count: '*' }))[0]!.Count);
      return {
        ended: await count(knex('ActivityRuns').whereNotNull('EndTime')),
        pending: await count(knex('ActivityRuns').whereNull('EndTime')),
        toBeStarted: await count(knex('RunStarts').whereNull('EndTime')),
      };
    },
    ({ pending, toBeStarted }) => pending === 0 && toBeStarted === 0,
  );

test(
  `each row of runs whose servers are killed is started once (seed ${random.seed})`,
  async () => {
    const { database, portal, worker, client, UserId } = await twoServers();
    const { knex } = database;
    const fields = { Id: '0', Schema: 'General', SingleRun: 'false' };
    await client.upload({ ...fields, Name: 'Invoice' }, 'invoice.xlsx', await buildWorkbook(INVOICE));
    const rows: Bills = Array.from({ length: ROWS }, (_, at) => [`c${at + 1}`, at]);
    const book = await buildWorkbook(billing(rows, { AtOnce: '6' }));
    const ActivityId = await client.upload({ ...fields, Name: 'Billing' }, 'billing.xlsx', book);
    const run = {
      ActivityId,
      ActivityVersion: 1,
      UserId,
      UniqueId: null,
      RetryOf: null,
      MemoryCost: 0,
      SingleRun: false,
    };
    const starting = (async () => {
      for (let at = 0; at < STARTERS; at++) {
        await enqueueRun(database, run, []);
        await pause(random.between(0, 800));
      }
    })();
    await killAtRandom({ database, portal, worker }, random, { times: KILLS, between: [200, 1500] });
    await starting;
    await untilAllEnded(database);

    const parents = (await knex('ActivityRuns').where({ ActivityId }).select('Id', 'Status')) as {
      Id: number;
      Status: RunStatus;
    }[];
    const first = await children(database);
    for (const { Id, Status } of parents) {
      const own = first.filter(({ ParentRunId }) => ParentRunId === Id).map(({ RowKey }) => RowKey);
      expect(own.toSorted()).toEqual(Status === 'Succeeded' ? rows.map(([key]) => key).toSorted() : []);
    }
    const abandoned = first.filter(({ Status }) => Status === 'Abandoned').length;

    const signals = createRunSignals(database, pino({ level: 'silent' }));
    cleanUp(() => signals.close());
    for (const { Id, Status } of parents.filter((one) => one.Status === 'Succeeded')) {
      const failed = first.filter((row) => row.ParentRunId === Id && row.Status !== 'Succeeded');
      if (Status !== 'Succeeded' || failed.length === 0) continue;
      const retried = await retryChildRuns(database, signals, { ParentRunId: Id, StepKey: '1' }, UserId);
      expect(retried).toBe(failed.length);
    }
    await untilAllEnded(database);
    const succeeded = (await children(database)).filter(({ Status }) => Status === 'Succeeded');
    const keys = succeeded.map(({ ParentRunId, RowKey }) => `${ParentRunId} ${RowKey}`);
    expect(new Set(keys).size).toBe(keys.length);
    const wanted = parents.filter(({ Status }) => Status === 'Succeeded').length * ROWS;
    expect(keys.length).toBe(wanted);
    process.stdout.write(
      `seed ${random.seed}: ${STARTERS} runs started ${wanted} others, ${abandoned} abandoned and retried\n`,
    );
  },
  TEST_TIMEOUT_MS,
);
