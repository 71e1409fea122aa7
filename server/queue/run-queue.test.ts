import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { finishRun, type RunEnd } from './run-end.ts';
import { createRunQueue, type RunQueue } from './run-queue.ts';
import type { ClaimedRun } from './claimed-run.ts';

let database: TestDatabase;
let queue: RunQueue;
let UserId: number;
let ActivityId: number;

beforeAll(async () => {
  database = await testDatabase();
  queue = createRunQueue(database, 30);
  UserId = await insertUser(database.knex);
  ActivityId = await insertActivity(database.knex, { UserId });
});
afterAll(() => database.drop());
beforeEach(() => database.knex('ActivityRuns').delete());

const ALONE = { slots: 4, memory: 100, idle: true };
const SUCCESS: RunEnd = { status: 'Succeeded', startedAt: null, outputs: [], files: [], logs: [] };
const run = (more: Record<string, unknown> = {}) => insertRun(database.knex, { ActivityId, UserId, ...more });
const stored = (Id: number) => database.knex('ActivityRuns').where({ Id }).first();
const only = async (worker: string): Promise<ClaimedRun> => {
  const [claimed] = await queue.claim(worker, ALONE);
  return claimed!;
};

describe('claiming', () => {
  test('takes the oldest runs first and holds them for a lease', async () => {
    const ids = [await run(), await run(), await run()];
    const claimed = await queue.claim('a', { ...ALONE, slots: 2 });
    expect(claimed.map(({ Id }) => Id)).toEqual(ids.slice(0, 2));
    const row = await stored(ids[0]!);
    expect(row).toMatchObject({ Status: 'PickedUp', WorkerId: 'a', Fence: 1 });
    expect(row.LeaseUntil - row.PickupTime).toBe(30_000);
  });

  test('gives each run to one worker only, however many ask at once', async () => {
    for (let i = 0; i < 30; i++) await run();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => queue.claim(`w${i}`, { ...ALONE, slots: 3 })),
    );
    const ids = answers.flat().map(({ Id }) => Id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(30);
  });

  test('lets a run that fits overtake a younger too large one, but not longer than a minute', async () => {
    const large = await run({ MemoryCost: 80 });
    const small = await run({ MemoryCost: 10 });
    const capacity = { slots: 4, memory: 50, idle: false };
    expect((await queue.claim('a', capacity)).map(({ Id }) => Id)).toEqual([small]);
    const next = await run({ MemoryCost: 10 });
    const free = await run({ MemoryCost: 0 });
    await database
      .knex('ActivityRuns')
      .where({ Id: large })
      .update({ QueueTime: database.dialect.nowPlus(database.knex, -61) });
    expect(await queue.claim('a', capacity)).toEqual([]);
    expect((await queue.claim('a', { ...capacity, memory: 80 })).map(({ Id }) => Id)).toEqual([large]);
    expect((await queue.claim('a', capacity)).map(({ Id }) => Id)).toEqual([next]);
    expect((await queue.claim('a', capacity)).map(({ Id }) => Id)).toEqual([free]);
  });

  test('gives a run that costs more than any budget to a worker without other runs', async () => {
    const huge = await run({ MemoryCost: 5000 });
    expect(await queue.claim('a', { slots: 4, memory: 100, idle: false })).toEqual([]);
    expect((await queue.claim('a', ALONE)).map(({ Id }) => Id)).toEqual([huge]);
  });

  test('gives back what a claim took whose answer was lost, and nothing else', async () => {
    const known = await run();
    await queue.claim('a', ALONE);
    const lost = await run();
    await queue.claim('a', ALONE);
    await queue.requeueUnknown('a', [known]);
    expect((await stored(lost)).Status).toBe('Queued');
    expect((await stored(known)).Status).toBe('PickedUp');
  });
});

describe('a lease', () => {
  test('is renewed by its holder alone', async () => {
    const Id = await run();
    await queue.claim('a', ALONE);
    await database.knex('ActivityRuns').where({ Id }).update({ LeaseUntil: new Date() });
    expect(await queue.renew('b', [Id])).toEqual([]);
    expect(await queue.renew('a', [Id])).toEqual([{ Id, Fence: 1, CancelTime: null }]);
    expect((await stored(Id)).LeaseUntil.getTime()).toBeGreaterThan(Date.now() + 20_000);
  });

  test('lets its holder finish the run, once', async () => {
    const Id = await run();
    const claimed = await only('a');
    const end: RunEnd = { ...SUCCESS, logs: [{ Message: 'x', StatusCode: 1, Category: 1 }] };
    expect(await finishRun(database, 'a', claimed, end)).toMatchObject({ result: 'finished', promoted: false });
    expect(await finishRun(database, 'a', claimed, end)).toEqual({ result: 'lost', promoted: false });
    expect(await stored(Id)).toMatchObject({ Status: 'Succeeded', LeaseUntil: null });
    expect(await database.knex('RunLogEntries').where({ ActivityRunId: Id })).toHaveLength(1);
  });

  test('that was given to another keeps the first from finishing', async () => {
    const Id = await run();
    const first = await only('a');
    await queue.requeue('a', first);
    const second = await only('a');
    expect(second.Fence).toBe(first.Fence + 1);
    expect((await finishRun(database, 'a', first, SUCCESS)).result).toBe('lost');
    expect((await finishRun(database, 'b', second, SUCCESS)).result).toBe('lost');
    expect((await stored(Id)).Status).toBe('PickedUp');
  });

  test('that has run out keeps its holder from finishing', async () => {
    const Id = await run();
    const claimed = await only('a');
    await database
      .knex('ActivityRuns')
      .where({ Id })
      .update({ LeaseUntil: new Date(Date.now() - 1000) });
    expect((await finishRun(database, 'a', claimed, SUCCESS)).result).toBe('lost');
  });

  test('of a cancelled run ends it as Cancelled without outputs', async () => {
    const Id = await run();
    const claimed = await only('a');
    await database.knex('ActivityRuns').where({ Id }).update({ CancelTime: new Date() });
    expect(await queue.cancelled('a')).toEqual([Id]);
    expect(await queue.markStarted('a', claimed, 0)).toBe(false);
    const outputs = [
      {
        ActivityParameterId: 1,
        ArrayIndex: 0,
        Value: '1',
        Rows: null,
        FileId: null,
        FileName: null,
        ContentLength: null,
      },
    ];
    expect((await finishRun(database, 'a', claimed, { ...SUCCESS, outputs })).result).toBe('cancelled');
    expect((await stored(Id)).Status).toBe('Cancelled');
    expect(await database.knex('RunOutputs').where({ ActivityRunId: Id })).toEqual([]);
    expect(await database.knex('RunLogEntries').where({ ActivityRunId: Id }).pluck('Message')).toEqual([
      'The run was cancelled',
    ]);
  });
});

describe('runs of an activity that prevents simultaneous ones', () => {
  test('follow each other', async () => {
    await run({ SingleRun: true });
    const second = await run({ SingleRun: true, Status: 'QueuedInSeq' });
    const third = await run({ SingleRun: true, Status: 'QueuedInSeq' });
    const first = await only('a');
    expect(await queue.claim('a', ALONE)).toEqual([]);
    expect(await finishRun(database, 'a', first, SUCCESS)).toEqual({ result: 'finished', promoted: true });
    expect((await stored(second)).Status).toBe('Queued');
    expect((await stored(third)).Status).toBe('QueuedInSeq');
  });
});
