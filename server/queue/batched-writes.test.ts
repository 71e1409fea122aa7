import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertStoredFiles, type NewStoredFile } from '#server/files/stored-files.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import { IGNORED_LOCK_HINTS, isOtherMakersServer } from '#test/support/sql-server.ts';
import { enqueueRun, type NewRun } from './enqueue-run.ts';
import { readPriorityBand, type PriorityBand } from './priority-bands.ts';
import type { SlotReservation } from './slot-reservation.ts';
import { finishRun, type RunEnd } from './run-end.ts';
import { createRunQueue } from './run-queue.ts';
import type { ClaimedRun } from './claimed-run.ts';

const FILE = {
  StoreKey: 'k',
  FileName: 'a.xlsx',
  ContentLength: 1,
  Sha256: '',
  UserId: null,
  ActivityParameterId: null,
};
const NONE = {
  Rows: null,
  UseDefault: false,
  HasPresetValue: false,
  FileId: null,
  FileName: null,
  ContentLength: null,
};

let database: TestDatabase;
let people: number[];
let ActivityId: number;
let band: PriorityBand;
beforeAll(async () => {
  database = await testDatabase();
  people = [];
  for (let i = 0; i < 3; i += 1) people.push(await insertUser(database.knex));
  await insertStoredFiles(database.knex, [{ ...FILE, FileId: 'workbook', Purpose: 'version' }]);
  ActivityId = await insertActivity(database.knex, { UserId: people[0]!, FileId: 'workbook' });
  band = await readPriorityBand(database.knex, ActivityId);
});
beforeEach(() => database.knex('ActivityRuns').delete());
afterAll(() => database.drop());

const runOf = (person: number, more: Partial<NewRun> = {}): NewRun => ({
  ActivityId,
  ActivityVersion: 1,
  UserId: people[person]!,
  UniqueId: null,
  RetryOf: null,
  MemoryCost: 0,
  SingleRun: false,
  ...more,
});
const inputs = (...values: string[]) =>
  values.map((Value, ArrayIndex) => ({ ...NONE, ActivityParameterId: 7, ArrayIndex, Value }));
const pickup = { worker: 'worker', leaseSeconds: 30 } as SlotReservation;
/** Calls `one` several times at once. */
const times = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
/** Also returns the number of statements sent by `work` that change runs. */
async function changing<T>(work: () => Promise<T>): Promise<[T, number]> {
  let count = 0;
  const onQuery = ({ sql }: { sql: string }): void =>
    void (count += Number(/(insert into|update) .ActivityRuns/.test(sql)));
  database.knex.on('query', onQuery);
  const done = await work();
  database.knex.removeListener('query', onQuery);
  return [done, count];
}
/**
 * Two statements: the first item alone, the others as a batch. If the database has no statement for batches, one per
 * item.
 */
const maxStatements = (count: number): number => (database.dialect.many ? 2 : count);
const rowOf = (Id: number) => database.knex('ActivityRuns').where({ Id }).first();

describe('starts at once', () => {
  const start = (n: number) => enqueueRun(database, runOf(n % 3), inputs(`a${n}`, `b${n}`), { band });

  test('are stored with their own inputs each', async () => {
    const [started, statements] = await changing(() => times(12, start));
    expect(statements).toBeLessThanOrEqual(maxStatements(12));
    expect(new Set(started.map(({ Id }) => Id)).size).toBe(12);
    for (const [n, { Id, Status }] of started.entries()) {
      expect(Status).toBe('Queued');
      const stored = database.knex('RunInputs').where({ ActivityRunId: Id }).orderBy('ArrayIndex').pluck('Value');
      expect(await stored).toEqual([`a${n}`, `b${n}`]);
      expect(await rowOf(Id)).toMatchObject({ UserId: people[n % 3], Status: 'Queued', Fence: 0, WorkerId: null });
    }
  });

  test('take turns between their owners', async (context) => {
    context.skip(await isOtherMakersServer(database.knex), IGNORED_LOCK_HINTS);
    await times(12, start);
    for (const UserId of people) {
      const turns = await database.knex('ActivityRuns').where({ UserId }).orderBy('Turn').pluck('Turn');
      expect(turns).toEqual([0, 1, 2, 3].map((turn) => turns[0] + turn));
    }
  });

  test('that are refused do not take the others with them', async () => {
    const results = await Promise.allSettled([
      enqueueRun(database, runOf(0, { UniqueId: 'a' }), [], { band }),
      enqueueRun(database, runOf(0, { UniqueId: 'b' }), inputs('1'), { band }),
      enqueueRun(database, runOf(0, { UniqueId: 'b' }), inputs('2'), { band }),
      enqueueRun(database, runOf(1, { ActivityVersion: 99 }), [], { band }),
      enqueueRun(database, runOf(1), inputs('not \0 a text'), { band }),
      enqueueRun(database, runOf(2), inputs('3'), { band }),
    ]);
    const statuses = results.map(({ status }) => status);
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(3);
    expect([statuses[0], statuses[3], statuses[4], statuses[5]]).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await database.knex('ActivityRuns').count({ n: '*' })).toEqual([{ n: 3 }]);
  });

  test('of a worker that keeps places are its runs', async () => {
    const started = await times(5, (n) =>
      enqueueRun(database, runOf(n % 3), inputs(`${n}`), { reservation: pickup, band }),
    );
    for (const { Id, Status } of started) {
      expect(Status).toBe('PickedUp');
      const row = await rowOf(Id);
      expect(row).toMatchObject({ Status: 'PickedUp', WorkerId: 'worker', Fence: 1 });
      expect(row.LeaseUntil - row.PickupTime).toBe(30_000);
    }
  });
});

describe('ends at once', () => {
  const file = (FileId: string): NewStoredFile => ({ ...FILE, FileId, Purpose: 'output' });
  const endOf = (n: number, Id: number): RunEnd => ({
    status: n % 2 ? 'Succeeded' : 'Failed',
    startedAt: n === 3 ? null : performance.now() - 60_000 * n,
    outputs: [{ ...NONE, ActivityParameterId: 8, ArrayIndex: 0, Value: `${n}`, FileId: `file ${Id}` }],
    files: [file(`file ${Id}`)],
    logs: [1, 2, 3].map((line) => ({ Message: `${n}.${line}`, StatusCode: 0, Category: 1 })),
  });
  async function claimed(count: number): Promise<ClaimedRun[]> {
    const of = {
      ActivityId,
      ActivityVersion: 1,
      MemoryCost: 0,
      SingleRun: false,
      ChecklistRunId: null,
      ParentRunId: null,
    };
    const started = await times(count, (n) => enqueueRun(database, runOf(n % 3), [], { reservation: pickup, band }));
    const ids = started.map(({ Id }) => Id);
    const earlier = database.dialect.nowPlus(database.knex, -150);
    await database.knex('ActivityRuns').whereIn('Id', ids).update({ QueueTime: earlier, PickupTime: earlier });
    return ids.map((Id) => ({ ...of, Id, Fence: 1 }));
  }

  test('are written with their own outputs, files and lines each, in the order of the lines', async () => {
    const runs = await claimed(6);
    const end = (n: number) => finishRun(database, 'worker', runs[n]!, endOf(n, runs[n]!.Id));
    const [ends, statements] = await changing(() => times(6, end));
    expect(statements).toBeLessThanOrEqual(maxStatements(6));
    expect(ends).toMatchObject(Array.from({ length: 6 }, () => ({ result: 'finished', promoted: false })));
    for (const [n, { Id }] of runs.entries()) {
      const row = await rowOf(Id);
      expect(row).toMatchObject({ Status: n % 2 ? 'Succeeded' : 'Failed', LeaseUntil: null, Share: null });
      // Not before the pickup, which is also the start time of a run that never began.
      const began = n === 3 ? 2.5 : Math.min(n, 2.5);
      expect(Math.abs((row.EndTime - row.StartTime) / 60_000 - began)).toBeLessThan(0.5);
      const of = { ActivityRunId: Id };
      expect(await database.knex('RunLogEntries').where(of).orderBy('Id').pluck('Message')).toEqual([
        `${n}.1`,
        `${n}.2`,
        `${n}.3`,
      ]);
      expect(await database.knex('RunOutputs').where(of).pluck('Value')).toEqual([`${n}`]);
      expect(await database.knex('StoredFiles').where({ FileId: `file ${Id}` })).toHaveLength(1);
    }
  });

  test('write nothing of runs that were lost or cancelled, and all of the others', async () => {
    const runs = await claimed(5);
    const [, lost, cancelled, late] = runs.map(({ Id }) => database.knex('ActivityRuns').where({ Id }));
    await lost!.update({ Fence: 2 });
    await cancelled!.update({ CancelTime: new Date() });
    await late!.update({ LeaseUntil: new Date(0) });
    const ends = await times(5, (n) => finishRun(database, 'worker', runs[n]!, endOf(n, runs[n]!.Id)));
    expect(ends.map(({ result }) => result)).toEqual(['finished', 'lost', 'cancelled', 'lost', 'finished']);
    const rows = await Promise.all(runs.map(({ Id }) => rowOf(Id)));
    expect(rows.map(({ Status }) => Status)).toEqual(['Failed', 'PickedUp', 'Cancelled', 'PickedUp', 'Failed']);
    const written = await database.knex('RunOutputs').pluck('ActivityRunId');
    expect(new Set(written)).toEqual(new Set([runs[0]!.Id, runs[4]!.Id]));
    expect(await createRunQueue(database, 30).cancelled('worker')).toEqual([]);
  });

  test('wait for one that somebody else is changing without keeping the others', async () => {
    const runs = await claimed(4);
    const ends = await database.knex.transaction(async (trx) => {
      await trx('ActivityRuns').where({ Id: runs[2]!.Id }).update({ Phase: 'x' });
      const all = runs.map((run, n) => finishRun(database, 'worker', run, endOf(n, run.Id)));
      await Promise.all(all.filter((_, n) => n !== 2));
      return all;
    });
    expect((await ends[2])?.result).toBe('finished');
  });
});
