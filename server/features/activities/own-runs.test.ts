import { insertWithId } from '#test/support/insert-with-id.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { queriesOf } from '#test/support/queries.ts';
import { createListSnapshot } from './list-snapshot.ts';
import { createOwnRuns, type OwnRuns } from './own-runs.ts';

let database: TestDatabase;
let UserId: number;
let ActivityId: number;
let other: number;
let own: OwnRuns;

beforeAll(async () => {
  database = await testDatabase();
  const { knex } = database;
  UserId = await insertUser(knex);
  [ActivityId, other] = [await insertActivity(knex, { UserId }), await insertActivity(knex, { UserId })];
  own = createOwnRuns(database);
});
afterAll(() => database.drop());

const newest = async (): Promise<number> => {
  const row = (await database.knex('ActivityRuns').max('Id as Id').first()) as { Id: number | null };
  return row.Id ?? 0;
};
/** The list reports no arrivals here. */
const readRuns = async () => own.of(UserId, { newestRun: await newest(), arrivals: { runs: [], since: {} } });

test('a look finds what is new, and is the same object where nothing is', async () => {
  expect((await readRuns()).runs.size).toBe(0);
  const Id = await insertRun(database.knex, { ActivityId, UserId, Status: 'Queued' });
  const stranger = await insertUser(database.knex);
  await insertRun(database.knex, { ActivityId, UserId: stranger, Status: 'Queued' });
  expect((await readRuns()).runs.get(ActivityId)).toMatchObject({ LastRunId: Id, Status: 'Queued' });
  await database.knex('ActivityRuns').where({ Id }).update({ Status: 'Succeeded' });
  const after = await readRuns();
  expect(after.runs.get(ActivityId)).toMatchObject({ LastRunId: Id, Status: 'Succeeded' });
  expect(await readRuns()).toBe(after);
});

test('a run is found that is committed after one with a higher number', async () => {
  const { knex } = database;
  const low = await insertRun(knex, { ActivityId: other, UserId, Status: 'Succeeded' });
  const high = await insertRun(knex, { ActivityId, UserId, Status: 'Succeeded' });
  const { DurationMs: _computed, ...row } = (await knex('ActivityRuns').where({ Id: low }).first()) as Record<
    string,
    unknown
  >;
  // Simulates a transaction that is still open.
  await knex('ActivityRuns').where({ Id: low }).delete();
  for (const _ of [1, 2]) expect((await readRuns()).runs.get(ActivityId)).toMatchObject({ LastRunId: high });
  expect((await readRuns()).runs.has(other)).toBe(false);
  await insertWithId(knex, 'ActivityRuns', row);
  expect((await readRuns()).runs.get(other)).toMatchObject({ LastRunId: low });
});

test('what the list shows is not looked up: no new run, one of theirs, and one that was committed late', async () => {
  const { knex } = database;
  const snapshot = createListSnapshot(database);
  const stranger = await insertUser(knex);
  const [mine, currentList] = [createOwnRuns(database), () => snapshot.current()];
  const readWithQueries = async () => {
    const list = await currentList();
    return queriesOf(knex, () => mine.of(UserId, list));
  };
  const first = await readWithQueries();
  expect(first.queries).toHaveLength(1);
  expect(await readWithQueries()).toEqual({ answer: first.answer, queries: [] });

  await insertRun(knex, { ActivityId, UserId: stranger, Status: 'Succeeded' });
  const others = await readWithQueries();
  expect([others.queries, others.answer]).toEqual([[], first.answer]);

  const low = await insertRun(knex, { ActivityId, UserId, Status: 'Succeeded' });
  const high = await insertRun(knex, { ActivityId: other, UserId, Status: 'Succeeded' });
  await insertRun(knex, { ActivityId: other, UserId: stranger, Status: 'Succeeded' });
  const { DurationMs: _computed, ...row } = (await knex('ActivityRuns').where({ Id: low }).first()) as Record<
    string,
    unknown
  >;
  await knex('ActivityRuns').where({ Id: low }).delete();
  const { answer, queries } = await readWithQueries();
  expect(queries).toEqual([]);
  expect(answer.runs.get(other)).toMatchObject({ LastRunId: high });
  await insertWithId(knex, 'ActivityRuns', row);
  const late = await readWithQueries();
  expect(late.queries).toEqual([]);
  expect(late.answer.runs.get(ActivityId)).toMatchObject({ LastRunId: low });
  expect(late.answer.runs.get(other)).toMatchObject({ LastRunId: high });

  // The arrivals contain only new runs, not the status changes of a pending run.
  const Id = await insertRun(knex, { ActivityId, UserId, Status: 'Started' });
  expect((await readWithQueries()).answer.runs.get(ActivityId)).toMatchObject({ LastRunId: Id, Status: 'Started' });
  await insertRun(knex, { ActivityId, UserId: stranger, Status: 'Succeeded' });
  await knex('ActivityRuns').where({ Id }).update({ Status: 'Failed' });
  expect((await readWithQueries()).answer.runs.get(ActivityId)).toMatchObject({ LastRunId: Id, Status: 'Failed' });
  expect((await readWithQueries()).queries).toEqual([]);
});

test('a run that has ended is not shown as queued again, whichever list a call has read before', async () => {
  const { knex } = database;
  const snapshot = createListSnapshot(database);
  const statusBy = async (runs: OwnRuns, list: Parameters<OwnRuns['of']>[1]) =>
    (await runs.of(UserId, list)).runs.get(ActivityId)?.Status;
  const mine = createOwnRuns(database);
  const old = await snapshot.current();
  await mine.of(UserId, old);
  const Id = await insertRun(knex, { ActivityId, UserId, Status: 'Queued' });
  const current = await snapshot.current();
  expect(await statusBy(mine, current)).toBe('Queued');
  await knex('ActivityRuns').where({ Id }).update({ Status: 'Succeeded' });
  expect(await statusBy(mine, current)).toBe('Succeeded');
  // A slow call still has the list from before the run.
  expect(await statusBy(mine, old)).toBe('Succeeded');
  expect(await statusBy(mine, current)).toBe('Succeeded');
  // The first call of a person reads the database, which is newer than its list.
  const others = createOwnRuns(database);
  expect(await statusBy(others, old)).toBe('Succeeded');
  expect(await statusBy(others, current)).toBe('Succeeded');
});
