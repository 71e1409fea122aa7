import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { IGNORED_LOCK_HINTS, isOtherMakersServer } from '#test/support/sql-server.ts';
import { enqueueRun, insertRun, type NewRun } from './enqueue-run.ts';
import { finishRun, type RunEnd } from './run-end.ts';
import { createRunQueue, type RunQueue } from './run-queue.ts';
import type { ClaimedRun } from './claimed-run.ts';

let database: TestDatabase;
let queue: RunQueue;
let people: number[];
let ActivityId: number;

beforeAll(async () => {
  database = await testDatabase();
  queue = createRunQueue(database, 30);
  people = [];
  for (let i = 0; i < 5; i++) people.push(await insertUser(database.knex));
  ActivityId = await insertActivity(database.knex, { UserId: people[0]! });
});
afterAll(() => database.drop());
beforeEach(() => database.knex('ActivityRuns').delete());

const SUCCESS: RunEnd = { status: 'Succeeded', startedAt: null, outputs: [], files: [], logs: [] };
const ALONE = { slots: 1, memory: 100, idle: true };

const newRun = (person: number, more: Partial<NewRun> = {}): NewRun => ({
  ActivityId,
  ActivityVersion: 1,
  UserId: people[person]!,
  UniqueId: null,
  RetryOf: null,
  MemoryCost: 0,
  SingleRun: false,
  ...more,
});
const start = async (person: number, more: Partial<NewRun> = {}): Promise<number> =>
  (await enqueueRun(database, newRun(person, more), [])).Id;
const claim = async (worker = 'w', capacity = ALONE): Promise<ClaimedRun | undefined> =>
  (await queue.claim(worker, capacity))[0];
const finish = (run: ClaimedRun, worker = 'w') => finishRun(database, worker, run, SUCCESS);
const waitedFor = (Id: number, seconds: number) =>
  database
    .knex('ActivityRuns')
    .where({ Id })
    .update({ QueueTime: database.dialect.nowPlus(database.knex, -seconds) });
const idsOfAll = async (): Promise<number[]> => {
  const ids: number[] = [];
  for (let run = await claim(); run; run = await claim()) {
    ids.push(run.Id);
    await finish(run);
  }
  return ids;
};

describe('a person with many runs', () => {
  test('does not keep the run of another waiting, who comes next', async () => {
    for (let i = 0; i < 30; i++) await start(0);
    const working = await claim();
    const other = await start(1);
    const third = await start(2);
    await finish(working!);
    expect((await idsOfAll()).slice(0, 2)).toEqual([other, third]);
  });

  test('started all at once still runs them one after the other', async (context) => {
    context.skip(await isOtherMakersServer(database.knex), IGNORED_LOCK_HINTS);
    await Promise.all(Array.from({ length: 30 }, () => start(0)));
    expect(await database.knex('ActivityRuns').orderBy('Turn').pluck('Turn')).toEqual(
      Array.from({ length: 30 }, (_, rank) => rank),
    );
    await claim();
    const other = await start(1);
    expect((await claim())!.Id).toBe(other);
  });

  test('has the oldest of them first', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push(await start(0));
    expect(await idsOfAll()).toEqual(ids);
  });

  test('takes turns with another who has many too', async () => {
    const many = [[], []] as number[][];
    for (const person of [0, 1]) for (let i = 0; i < 4; i++) many[person]!.push(await start(person));
    const [a, b] = many;
    expect(await idsOfAll()).toEqual([0, 1, 2, 3].flatMap((i) => [a![i]!, b![i]!]));
  });

  test('is not kept behind afterwards for what was done', async () => {
    for (let i = 0; i < 20; i++) await start(0);
    await start(1);
    await idsOfAll();
    const again = await start(0);
    const other = await start(1);
    expect(await idsOfAll()).toEqual([again, other]);
  });

  test('takes turns with visitors, who each have their own', async () => {
    for (let i = 0; i < 3; i++) await start(0, { TurnOwner: 'visitor one' });
    await claim();
    const other = await start(0, { TurnOwner: 'visitor two' });
    expect((await claim())!.Id).toBe(other);
  });

  test('does not keep others from the servers that share the database', async () => {
    for (let i = 0; i < 30; i++) await start(0);
    await Promise.all([claim('one'), claim('two')]);
    const others = [await start(1), await start(2)];
    const next = await Promise.all([claim('one'), claim('two')]);
    expect(next.map((run) => run!.Id).toSorted((a, b) => a - b)).toEqual(others);
  });
});

describe('what has waited long', () => {
  test('as the next turn is overtaken by no newcomer after ten minutes', async () => {
    await start(0);
    await claim();
    const second = await start(0);
    await waitedFor(second, 590);
    const before = await start(1);
    await waitedFor(second, 610);
    const after = await start(2);
    expect(await idsOfAll()).toEqual([before, second, after]);
  });

  test('and takes memory is overtaken by no newcomer after a minute', async () => {
    await start(0, { MemoryCost: 30 });
    const working = await claim('w', { ...ALONE });
    const large = await start(0, { MemoryCost: 80 });
    await waitedFor(large, 61);
    for (let i = 1; i < 5; i++) await start(i, { MemoryCost: 10 });
    const capacity = { slots: 4, memory: 70, idle: false };
    expect(await claim('w', capacity)).toBeUndefined();
    await finish(working!);
    expect((await claim())!.Id).toBe(large);
  });

  test('that came out of a sequence takes the next rank of its owner', async () => {
    const single = { SingleRun: true };
    const inSequence: number[] = [];
    for (let i = 0; i < 3; i++) {
      inSequence.push((await database.knex.transaction((trx) => insertRun(trx, newRun(0, single)))).Id);
    }
    const working = await claim();
    const OtherActivity = await insertActivity(database.knex, { UserId: people[1]! });
    const other = await start(1, { ActivityId: OtherActivity });
    const third = await start(2, { ActivityId: OtherActivity });
    expect(await finish(working!)).toMatchObject({ promoted: true });
    expect(await idsOfAll()).toEqual([other, third, inSequence[1], inSequence[2]]);
  });
});

test('nobody waits for more than one run of each other person, regardless of who starts what and when, with several slots', async () => {
  const random = seededRandom(59);
  const waiting: { Id: number; person: number; passed: Map<number, number> }[] = [];
  const working: ClaimedRun[] = [];
  const started: number[] = [];
  const claimed: number[] = [];
  const take = async (): Promise<void> => {
    const run = await claim('w', { ...ALONE, idle: working.length === 0 });
    if (!run) return;
    working.push(run);
    claimed.push(run.Id);
    const at = waiting.findIndex(({ Id }) => Id === run.Id);
    const { person } = waiting.splice(at, 1)[0]!;
    const heads = new Map<number, (typeof waiting)[number]>();
    for (const each of waiting) if (!heads.has(each.person)) heads.set(each.person, each);
    for (const head of heads.values()) {
      if (head.person === person) continue;
      const passed = (head.passed.get(person) ?? 0) + 1;
      head.passed.set(person, passed);
      // One for the current rank, plus one for each slot filled from the previous rank.
      expect(passed, `${head.Id} of ${head.person} is passed by ${person}`).toBeLessThanOrEqual(4);
    }
    // The head's rank comes after its owner's last one, so the counts restart.
    for (const each of waiting) if (each.person === person) each.passed.clear();
  };
  for (let step = 0; step < 250; step++) {
    const person = random.between(1, 10) <= 6 ? 0 : random.between(1, 4);
    if (random.between(1, 100) <= 55) {
      const Id = await start(person);
      started.push(Id);
      waiting.push({ Id, person, passed: new Map() });
    } else {
      if (working.length > 0) await finish(working.splice(random.between(0, working.length - 1), 1)[0]!);
      while (working.length < 3 && waiting.length > 0) await take();
    }
  }
  while (waiting.length > 0) {
    if (working.length > 0) await finish(working.shift()!);
    await take();
  }
  expect(claimed.toSorted((a, b) => a - b)).toEqual(started);
});
