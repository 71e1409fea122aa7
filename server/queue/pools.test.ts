import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import { IGNORED_LOCK_HINTS, isOtherMakersServer } from '#test/support/sql-server.ts';
import { enqueueRun, insertRun, type NewRun } from './enqueue-run.ts';
import type { QueueingColumns } from '#shared/contract/queueing.ts';
import { moveOverdue } from './priority-bands.ts';
import { finishRun, type RunEnd } from './run-end.ts';
import { createRunQueue, type RunQueue } from './run-queue.ts';
import type { ClaimedRun } from './claimed-run.ts';

let database: TestDatabase;
let queue: RunQueue;
let people: number[];
let plain: number;

beforeAll(async () => {
  database = await testDatabase();
  queue = createRunQueue(database, 30);
  people = [];
  for (let i = 0; i < 3; i++) people.push(await insertUser(database.knex));
  plain = await insertActivity(database.knex, { UserId: people[0]! });
});
afterAll(() => database.drop());
beforeEach(() => database.knex('ActivityRuns').delete());

const SUCCESS: RunEnd = { status: 'Succeeded', startedAt: null, outputs: [], files: [], logs: [] };
const CAPACITY = { slots: 16, memory: 100, idle: true };

async function activity(columns: Partial<QueueingColumns & { SingleRun: boolean }>): Promise<number> {
  const Id = await insertActivity(database.knex, { UserId: people[0]! });
  await database.knex('Activities').where({ Id }).update(columns);
  return Id;
}
const newRun = (ActivityId: number, person: number, more: Partial<NewRun> = {}): NewRun => ({
  ActivityId,
  ActivityVersion: 1,
  UserId: people[person]!,
  UniqueId: null,
  RetryOf: null,
  MemoryCost: 0,
  SingleRun: false,
  ...more,
});
const start = async (ActivityId: number, person = 0, more: Partial<NewRun> = {}): Promise<number> =>
  (await enqueueRun(database, newRun(ActivityId, person, more), [])).Id;
/** Returns the runs in the order in which a worker with one slot claims them, with a new claim for each. */
async function taken(by: RunQueue = queue, count = Infinity): Promise<ClaimedRun[]> {
  const runs: ClaimedRun[] = [];
  while (runs.length < count) {
    const [run] = await by.claim('w', { ...CAPACITY, slots: 1 });
    if (!run) break;
    runs.push(run);
  }
  return runs;
}
const idsOf = (runs: readonly ClaimedRun[]): number[] => runs.map(({ Id }) => Id);

describe('pools', () => {
  test('have their runs taken by the servers that serve them alone', async () => {
    const heavy = await activity({ Pool: 'heavy' });
    const [first, second] = [await start(heavy), await start(plain)];
    expect(await queue.isWaiting()).toBe(true);
    expect(idsOf(await taken())).toEqual([second]);
    expect(await queue.isWaiting()).toBe(false);
    const both = createRunQueue(database, 30, { pools: ['heavy', 'office'], runsPerPerson: 0 });
    expect(idsOf(await taken(both))).toEqual([first]);
  });

  test('have separate ranks, so that a user with many waiting in one is not behind in another', async () => {
    const heavy = await activity({ Pool: 'heavy' });
    for (let i = 0; i < 20; i++) await start(heavy, 0);
    const [one, two] = [await start(plain, 0), await start(plain, 1)];
    expect(idsOf(await taken())).toEqual([one, two]);
    expect(await database.knex('ActivityRuns').where('ActivityId', plain).pluck('Turn')).toEqual([0, 0]);
  });

  test('that a sequence waits for are those of today when its next run comes into the queue', async () => {
    const single = await activity({ SingleRun: true });
    const ids: number[] = [];
    for (let i = 0; i < 2; i++) {
      const run = newRun(single, 0, { SingleRun: true });
      ids.push((await database.knex.transaction((trx) => insertRun(trx, run))).Id);
    }
    const [working] = await taken();
    await database.knex('Activities').where({ Id: single }).update({ Pool: 'heavy', Priority: 'High' });
    expect(await finishRun(database, 'w', working!, SUCCESS)).toMatchObject({ promoted: true });
    const row = await database.knex('ActivityRuns').where('Id', ids[1]!).first('Pool', 'Turn');
    expect(row).toEqual({ Pool: 'heavy', Turn: -1_000_000_000 });
  });

  test('say how deep their queues are in a view', async () => {
    const heavy = await activity({ Pool: 'heavy' });
    for (let i = 0; i < 3; i++) await start(heavy);
    await start(plain);
    await taken();
    const rows = await database.knex('QueueDepth').orderBy('Pool').select('Pool', 'Queued', 'Running', 'OldestSeconds');
    expect(rows.map((row) => ({ ...row, Queued: Number(row.Queued), Running: Number(row.Running) }))).toMatchObject([
      { Pool: 'default', Queued: 0, Running: 1 },
      { Pool: 'heavy', Queued: 3, Running: 0 },
    ]);
    expect(Number(rows[1]!.OldestSeconds)).toBeGreaterThanOrEqual(0);
    expect(Number(rows[1]!.OldestSeconds)).toBeLessThan(60);
  });
});

describe('priorities', () => {
  test('let runs of a higher one go first, and within one people take turns', async () => {
    const [low, high] = [await activity({ Priority: 'Low' }), await activity({ Priority: 'High' })];
    const last = [await start(low, 0), await start(low, 0)];
    const lowOfOther = await start(low, 1);
    const middle = await start(plain, 0);
    const first = [await start(high, 0), await start(high, 1)];
    expect(idsOf(await taken())).toEqual([...first, middle, last[0], lowOfOther, last[1]]);
  });

  test('keep no run forever: the first that has waited ten minutes moves to the next higher one', async () => {
    const low = await activity({ Priority: 'Low' });
    const lows = [await start(low), await start(low)];
    const waitedFor = (seconds: number) =>
      database
        .knex('ActivityRuns')
        .whereIn('Id', lows)
        .update({ QueueTime: database.dialect.nowPlus(database.knex, -seconds) });
    await waitedFor(610);
    expect(await moveOverdue(database), 'nothing is before them').toBe(0);
    const normal = await start(plain);
    await waitedFor(590);
    expect(await moveOverdue(database), 'they have not waited long').toBe(0);
    await waitedFor(610);
    expect(await moveOverdue(database)).toBe(1);
    expect(idsOf(await taken())).toEqual([lows[0], normal, lows[1]]);
  });
});

describe('limits', () => {
  test('of an activity hold over all servers, however many claim at once, and keep no other run', async (context) => {
    context.skip(await isOtherMakersServer(database.knex), IGNORED_LOCK_HINTS);
    const limited = await activity({ RunsAtOnce: 3 });
    for (let i = 0; i < 12; i++) await start(limited, i % 3);
    const others = [await start(plain, 1), await start(plain, 2)];
    const queues = Array.from({ length: 8 }, () => createRunQueue(database, 30));
    const claims = async () => {
      const answers = await Promise.all(queues.map((one, at) => one.claim(`w${at}`, CAPACITY)));
      return answers.flatMap((runs, at) => runs.map((run) => ({ run, worker: `w${at}` })));
    };
    let working = await claims();
    for (let attempt = 0; attempt < 6; attempt++) working.push(...(await claims()));
    expect(working.filter(({ run }) => run.ActivityId === limited)).toHaveLength(3);
    expect(working.map(({ run }) => run.Id)).toEqual(expect.arrayContaining(others));
    expect(await queue.isWaiting()).toBe(false);
    for (let ended = 0; ended < 9;) {
      const { run, worker } = working.find((one) => one.run.ActivityId === limited)!;
      expect((await finishRun(database, worker, run, SUCCESS)).result).toBe('finished');
      ended += 1;
      working = working.filter((one) => one.run !== run);
      working.push(...(await claims()), ...(await claims()));
      const atWork = await database.knex('ActivityRuns').where({ ActivityId: limited, Status: 'PickedUp' });
      expect(atWork).toHaveLength(3);
    }
  });

  test('of an activity are kept by starts that would go straight to a worker', () => {
    const request = { Pool: 'default', ActivityId: 1, MemoryCost: 0, RunsAtOnce: 0 };
    expect(queue.mayPickUp(request)).toBe(true);
    expect(queue.mayPickUp({ ...request, RunsAtOnce: 2 })).toBe(false);
    expect(queue.mayPickUp({ ...request, Pool: 'heavy' })).toBe(false);
  });

  test('do not let runs without one overtake those whose turn it is', async () => {
    const limited = await activity({ RunsAtOnce: 2 });
    const first = await start(limited, 0);
    await start(plain, 1);
    const fresh = createRunQueue(database, 30);
    expect(idsOf(await taken(fresh, 1))).toEqual([first]);
  });

  test('of a person hold whatever the person starts; visitors count by their address', async () => {
    const strict = createRunQueue(database, 30, { pools: ['default'], runsPerPerson: 2 });
    for (let i = 0; i < 5; i++) await start(plain, 0);
    const other = await start(plain, 1);
    const visitor = (address: string) =>
      start(plain, 2, { TurnOwner: `visitor ${address}`, PublicTokenHash: `${address}-${Math.random()}` });
    for (let i = 0; i < 3; i++) await visitor('a');
    const fromB = await visitor('b');
    const runs = await taken(strict);
    const owners = await database
      .knex('ActivityRuns')
      .whereIn('Id', idsOf(runs))
      .orderBy('TurnOwner')
      .pluck('TurnOwner');
    expect(owners).toEqual([
      `user ${people[0]}`,
      `user ${people[0]}`,
      `user ${people[1]}`,
      'visitor a',
      'visitor a',
      'visitor b',
    ]);
    expect(idsOf(runs)).toEqual(expect.arrayContaining([other, fromB]));
    expect(await strict.isWaiting()).toBe(false);
    await finishRun(
      database,
      'w',
      runs.find(({ Id }) => Id !== other)!,
      SUCCESS,
    );
    expect(await strict.isWaiting()).toBe(true);
  });
});
