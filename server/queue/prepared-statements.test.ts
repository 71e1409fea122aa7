import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { insertStoredFiles } from '#server/files/stored-files.ts';
import { readRunInputs } from '#server/queue/worker/run-inputs.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import { enqueueRun } from './enqueue-run.ts';
import { finishRun } from './run-end.ts';
import { createRunQueue } from './run-queue.ts';

const FILE = { FileId: 'workbook', StoreKey: 'k', FileName: 'a.xlsx', ContentLength: 1, Sha256: '' };
const INPUT = {
  ActivityParameterId: 7,
  ArrayIndex: 0,
  Value: '41',
  Rows: null,
  UseDefault: false,
  HasPresetValue: false,
};
const NO_FILE = { FileId: null, FileName: null, ContentLength: null };

let database: TestDatabase;
/** Sends all its statements through one connection. */
let narrow: Database;
let UserId: number;
let ActivityId: number;
beforeAll(async () => {
  database = await testDatabase();
  narrow = createDatabase({ url: database.url, poolSize: 1 });
  UserId = await insertUser(database.knex);
  await insertStoredFiles(database.knex, [{ ...FILE, Purpose: 'version', UserId: null, ActivityParameterId: null }]);
  ActivityId = await insertActivity(database.knex, { UserId, FileId: 'workbook' });
});
afterAll(async () => {
  await narrow.close();
  await database.drop();
});

const preparedStatements = async (): Promise<string[]> =>
  narrow.knex('pg_prepared_statements').orderBy('prepare_time').pluck('statement');

test('what stores, claims, reads and ends a run is prepared once for a connection', async (context) => {
  context.skip(narrow.dialect.name === 'mssql', 'Prepared statements of a connection are told by a view of PostgreSQL');
  const queue = createRunQueue(narrow, 30);
  const run = {
    ActivityId,
    ActivityVersion: 1,
    UserId,
    UniqueId: null,
    RetryOf: null,
    MemoryCost: 0,
    SingleRun: false,
  };
  const band = { Pool: 'default', FirstRank: 0, RunsAtOnce: 0 };
  const fromStartToEnd = async (): Promise<void> => {
    await enqueueRun(narrow, run, [{ ...INPUT, ...NO_FILE }], { band });
    const [claimed] = await queue.claim('worker', { slots: 2, memory: 1, idle: true });
    expect(await readRunInputs(narrow.knex, claimed!.Id)).toHaveLength(1);
    const end = { status: 'Succeeded' as const, startedAt: performance.now(), outputs: [], files: [], logs: [] };
    expect((await finishRun(narrow, 'worker', claimed!, end)).result).toBe('finished');
    await enqueueRun(narrow, run, [], { band, reservation: { worker: 'worker', leaseSeconds: 30 } as never });
  };
  await fromStartToEnd();
  const first = await preparedStatements();
  for (const begin of [
    'insert into "ActivityRuns"',
    'with "Picked"',
    'update "ActivityRuns"',
    'select "I"."Activity',
    // Checks whether a run with a limit is waiting.
    'select "Id" from "ActivityRuns"',
  ]) {
    expect(first.filter((statement) => statement.includes(begin))).not.toEqual([]);
  }
  expect(first).toHaveLength(6);
  await fromStartToEnd();
  expect(await preparedStatements()).toEqual(first);
});
