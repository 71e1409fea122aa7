/**
 * The modes of a local queue, with a queue in memory whose responses a test delays or loses. Other tests use the queue
 * of a database; here each interleaving is exact.
 */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import type { RunQueue } from '#server/queue/run-queue.ts';
import type { SlotReservation } from '#server/queue/slot-reservation.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { LocalQueue, type BegunRun } from './local-queue.ts';

const WANTED = { ActivityId: 1, Pool: 'default', RunsAtOnce: 0, MemoryCost: 0, isStart: true };
const SLOTS = 2;

type Status = 'Queued' | 'PickedUp' | 'Succeeded';

const runOf = (Id: number): ClaimedRun => ({
  Id,
  ActivityId: 1,
  ActivityVersion: 1,
  MemoryCost: 0,
  SingleRun: false,
  Fence: 1,
  ChecklistRunId: null,
  ParentRunId: null,
});

/** The rows of runs, by their index, and the statements of a queue on them. */
function createRows() {
  const rows: { Status: Status; ends: number }[] = [];
  const calls: string[] = [];
  /** Awaited before a statement responds; if it rejects, the statement was executed and its response is lost. */
  let respond: () => Promise<void> = async () => {};
  const queuedIds = (): number[] => [...rows.keys()].filter((Id) => rows[Id]!.Status === 'Queued');
  const statement = async <T>(name: string, act: () => T): Promise<T> => {
    calls.push(name);
    const answer = act();
    await respond();
    return answer;
  };
  const queue: Partial<RunQueue> = {
    leaseSeconds: 30,
    mayPickUp: () => true,
    claim: (_, { slots }) =>
      statement('claim', () => {
        const ids = queuedIds().slice(0, Math.max(0, slots));
        for (const Id of ids) rows[Id]!.Status = 'PickedUp';
        return ids.map(runOf);
      }),
    isWaiting: () => statement('isWaiting', () => queuedIds().length > 0),
    requeue: (_, { Id }) =>
      statement('requeue', () => {
        rows[Id]!.Status = 'Queued';
        return true;
      }),
    requeueUnknown: (_, heldIds) =>
      statement('requeueUnknown', () => {
        for (const [Id, row] of rows.entries())
          if (row.Status === 'PickedUp' && !heldIds.includes(Id)) row.Status = 'Queued';
      }),
  };
  return {
    rows,
    calls,
    queue: queue as RunQueue,
    respondWith: (response: () => Promise<void>): void => void (respond = response),
    insert: (Status: Status): number => rows.push({ Status, ends: 0 }) - 1,
  };
}

/** A local queue, and the runs that it has taken. */
function createBench() {
  const { rows, calls, queue, respondWith, insert } = createRows();
  const executing = new Map<number, BegunRun>();
  const local = new LocalQueue(
    {
      worker: 'worker',
      queue,
      log: pino({ level: 'silent' }),
      short: { isShort: () => true, read: async () => {}, queuedActivities: async () => [], ran: () => {} },
      heldIds: () => [...executing.keys()],
      execute: (begun) => {
        expect(executing.has(begun.run.Id), `run ${begun.run.Id} is executed twice`).toBe(false);
        executing.set(begun.run.Id, begun);
        local.begin(begun.local, () => {});
      },
    },
    { concurrency: SLOTS, memoryBudget: 100, pollInterval: 60_000, stopGrace: 0 },
  );
  return {
    rows,
    calls,
    executing,
    local,
    respondWith,
    queueRun: (): number => {
      const Id = insert('Queued');
      local.requestPoll();
      return Id;
    },
    /** Stores the run of a reservation. */
    store: (): ClaimedRun => runOf(insert('PickedUp')),
    end: (Id: number): void => {
      const begun = executing.get(Id)!;
      executing.delete(Id);
      rows[Id]!.Status = 'Succeeded';
      rows[Id]!.ends += 1;
      local.leave(begun, 'ended');
    },
    statuses: (): Status[] => rows.map(({ Status }) => Status),
  };
}

/** Lets everything happen that waits for nothing else. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const lost = (): Promise<void> => Promise.reject(new Error('the connection was lost'));

async function started() {
  const bench = createBench();
  bench.local.start();
  await settle();
  expect(bench.local.mode).toBe('Idle');
  return bench;
}

test('a worker is Polling, then Full while more runs wait than it has slots, and then Idle', async () => {
  const bench = await started();
  const [first] = [bench.queueRun(), bench.queueRun(), bench.queueRun()];
  expect(bench.local.mode).toBe('Polling');
  await settle();
  expect([bench.local.mode, bench.executing.size]).toEqual(['Full', SLOTS]);
  bench.end(first);
  await settle();
  expect(bench.statuses()).toEqual(['Succeeded', 'PickedUp', 'PickedUp']);
  for (const Id of bench.executing.keys()) bench.end(Id);
  await settle();
  expect(bench.local.mode).toBe('Idle');
});

test('a claim without a response makes it Uncertain; it returns the runs before it claims or reserves again', async () => {
  const bench = await started();
  bench.respondWith(lost);
  bench.queueRun();
  await settle();
  expect([bench.local.mode, bench.statuses(), bench.executing.size]).toEqual(['Uncertain', ['PickedUp'], 0]);
  expect(bench.local.reserve(WANTED)).toBeUndefined();
  bench.calls.length = 0;
  bench.respondWith(async () => {});
  bench.local.requestPoll();
  await settle();
  expect(bench.calls.slice(0, 2)).toEqual(['requeueUnknown', 'claim']);
  expect([...bench.executing.keys()]).toEqual([0]);
});

test('a start without a response during a claim is returned after it, and the claimed run is not', async () => {
  const bench = await started();
  const reservation = bench.local.reserve(WANTED)!;
  bench.store();
  const gate = Promise.withResolvers<void>();
  bench.respondWith(() => gate.promise);
  bench.queueRun();
  reservation.fail();
  expect(bench.local.mode).toBe('Uncertain');
  expect(bench.local.reserve(WANTED)).toBeUndefined();
  bench.calls.length = 0;
  gate.resolve();
  await settle();
  expect(bench.calls.filter((call) => call !== 'isWaiting').slice(0, 2)).toEqual(['requeueUnknown', 'claim']);
  expect([...bench.executing.keys()].toSorted((a, b) => a - b)).toEqual([0, 1]);
});

test('unknown runs are not looked for while another start is being stored', async () => {
  const bench = await started();
  const [failing, storing] = [bench.local.reserve(WANTED)!, bench.local.reserve(WANTED)!];
  bench.store();
  const run = bench.store();
  failing.fail();
  await settle();
  expect(bench.calls).not.toContain('requeueUnknown');
  storing.begin(run, []);
  await settle();
  expect([...bench.executing.keys()].toSorted((a, b) => a - b)).toEqual([0, 1]);
});

test('a stop waits for a start that is being stored, and reserves no further slot', async () => {
  const bench = await started();
  const reservation = bench.local.reserve(WANTED)!;
  let isDrained = false;
  const drained = bench.local.drain().then(() => (isDrained = true));
  expect([bench.local.mode, bench.local.reserve(WANTED)]).toEqual(['Draining', undefined]);
  await settle();
  expect(isDrained).toBe(false);
  reservation.begin(bench.store(), []);
  await drained;
  expect([...bench.executing.keys()]).toEqual([0]);
  bench.end(0);
  bench.local.stopped();
  expect(bench.local.mode).toBe('Stopped');
});

test.for(['Draining', 'Stopped'])('a claim that responds while the worker is %s gives its runs back', async (mode) => {
  const bench = await started();
  const gate = Promise.withResolvers<void>();
  bench.respondWith(() => gate.promise);
  bench.queueRun();
  const drained = bench.local.drain();
  if (mode === 'Stopped') bench.local.stopped();
  gate.resolve();
  await drained;
  expect([bench.statuses(), bench.executing.size, bench.local.mode]).toEqual([['Queued'], 0, mode]);
});

test('a response that is lost while the worker stops changes nothing', async () => {
  const bench = await started();
  const reservation = bench.local.reserve(WANTED)!;
  const drained = bench.local.drain();
  reservation.fail();
  await drained;
  bench.local.stopped();
  expect(() => bench.local.stopped()).toThrow('the local queue is Stopped, which stop cannot change');
});

test('whatever happens in which order, each run is executed and ends once', async () => {
  const random = seededRandom(21);
  const isLost = (): boolean => random.between(1, 10) === 1;
  for (let round = 0; round < 20; round++) {
    const bench = await started();
    bench.respondWith(async () => {
      for (let ticks = random.between(0, 2); ticks > 0; ticks--) await settle();
      if (isLost()) await lost();
    });
    const reserved: SlotReservation[] = [];
    const stored: { reservation: SlotReservation; run: ClaimedRun }[] = [];
    const steps: (() => void | Promise<void>)[] = [
      () => void bench.queueRun(),
      () => {
        const reservation = bench.local.reserve(WANTED);
        if (reservation) reserved.push(reservation);
      },
      () => {
        const reservation = reserved.shift();
        if (reservation) stored.push({ reservation, run: bench.store() });
      },
      () => {
        const start = stored.shift();
        if (start && isLost()) start.reservation.fail();
        else start?.reservation.begin(start.run, []);
      },
      () => {
        const ids = [...bench.executing.keys()];
        if (ids.length > 0) bench.end(random.pick(ids));
      },
      settle,
    ];
    for (let step = 0; step < 80; step++) {
      await random.pick(steps)();
      // One more than there are slots. Claimed runs whose slots were reserved in the meantime wait.
      const begun = [...bench.executing.values()].filter(({ local }) => local.phase === 'Executing');
      expect(begun.length + reserved.length + stored.length).toBeLessThanOrEqual(SLOTS + 1);
    }
    bench.respondWith(async () => {});
    for (const reservation of reserved) reservation.release();
    for (const { reservation, run } of stored) reservation.begin(run, []);
    for (let step = 0; bench.rows.some(({ ends }) => ends === 0) && step < 200; step++) {
      for (const Id of bench.executing.keys()) bench.end(Id);
      bench.local.requestPoll();
      await settle();
    }
    expect(bench.rows.every(({ ends }) => ends === 1)).toBe(true);
  }
});
