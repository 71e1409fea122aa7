import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
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
const look = async () => own.of(UserId, await newest());

test('a look finds what is new, and is the same object where nothing is', async () => {
  expect((await look()).runs.size).toBe(0);
  const Id = await insertRun(database.knex, { ActivityId, UserId, Status: 'Queued' });
  const stranger = await insertUser(database.knex);
  await insertRun(database.knex, { ActivityId, UserId: stranger, Status: 'Queued' });
  expect((await look()).runs.get(ActivityId)).toMatchObject({ LastRunId: Id, Status: 'Queued' });
  await database.knex('ActivityRuns').where({ Id }).update({ Status: 'Succeeded' });
  const after = await look();
  expect(after.runs.get(ActivityId)).toMatchObject({ LastRunId: Id, Status: 'Succeeded' });
  expect(await look()).toBe(after);
});

test('a run is found that is committed after one with a higher number', async () => {
  const { knex } = database;
  const low = await insertRun(knex, { ActivityId: other, UserId, Status: 'Succeeded' });
  const high = await insertRun(knex, { ActivityId, UserId, Status: 'Succeeded' });
  const row = (await knex('ActivityRuns').where({ Id: low }).first()) as object;
  // As if its transaction had not ended yet.
  await knex('ActivityRuns').where({ Id: low }).delete();
  for (const _ of [1, 2]) expect((await look()).runs.get(ActivityId)).toMatchObject({ LastRunId: high });
  expect((await look()).runs.has(other)).toBe(false);
  await knex('ActivityRuns').insert(row);
  expect((await look()).runs.get(other)).toMatchObject({ LastRunId: low });
});
