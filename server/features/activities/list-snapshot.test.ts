import { insertWithId } from '#test/support/insert-with-id.ts';
import { inRows } from '#server/db/in-rows.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { updateActivity } from '#server/versions/activity-rows.ts';
import { createListSnapshot, type ListSnapshot } from './list-snapshot.ts';

let database: TestDatabase;
let UserId: number;
let ActivityId: number;
let snapshot: ListSnapshot;
let clock = 0;

beforeAll(async () => {
  database = await testDatabase();
  UserId = await insertUser(database.knex);
  ActivityId = await insertActivity(database.knex, { UserId });
  snapshot = createListSnapshot(database, () => clock);
});
afterAll(() => database.drop());

const row = async () => (await snapshot.current()).rows.find(({ Id }) => Id === ActivityId)!;
const run = (Status: string) => insertRun(database.knex, { ActivityId, UserId, Status });

describe('the list kept in memory', () => {
  test('is the same object as long as nothing changes', async () => {
    const first = await snapshot.current();
    expect(await snapshot.current()).toBe(first);
  });

  test('shows a new run, and its end', async () => {
    const Id = await run('Queued');
    expect(await row()).toMatchObject({ LastRunId: Id, Status: 'Queued' });
    await database.knex('ActivityRuns').where({ Id }).update({ Status: 'Succeeded' });
    expect(await row()).toMatchObject({ LastRunId: Id, Status: 'Succeeded' });
  });

  test('shows a run that is committed after one with a higher number', async () => {
    const [low, high] = [await run('Succeeded'), await run('Succeeded')];
    const other = await insertActivity(database.knex, { UserId });
    await snapshot.current();
    // Simulates a transaction that is still open: the lower run was not visible when the higher one was read.
    await database.knex('ActivityRuns').where({ Id: low }).delete();
    await snapshot.current();
    const late = { Id: low, ActivityId: other, ActivityVersion: 1, Status: 'Failed', UserId, MemoryCost: 0 };
    await insertWithId(database.knex, 'ActivityRuns', late);
    const { rows } = await snapshot.current();
    expect(rows.find(({ Id }) => Id === other)).toMatchObject({ LastRunId: low });
    expect(rows.find(({ Id }) => Id === ActivityId)).toMatchObject({ LastRunId: high });
    // It still detects new runs after all older ones have settled.
    clock += 40_000;
    await snapshot.current();
    const Id = await run('Started');
    expect(await row()).toMatchObject({ LastRunId: Id, Status: 'Started' });
  });

  test('shows the runs of however many were started since the last look', async () => {
    const [busy, quiet] = [
      await insertActivity(database.knex, { UserId }),
      await insertActivity(database.knex, { UserId }),
    ];
    await snapshot.current();
    const first = await insertRun(database.knex, { ActivityId: quiet, UserId, Status: 'Succeeded' });
    const many = Array.from({ length: 700 }, () => ({
      ActivityId: busy,
      ActivityVersion: 1,
      Status: 'Failed',
      UserId,
      MemoryCost: 0,
    }));
    await inRows(database.knex, many, (part) => database.knex('ActivityRuns').insert(part));
    const { rows } = await snapshot.current();
    expect(rows.find(({ Id }) => Id === quiet)).toMatchObject({ LastRunId: first });
  });

  test('shows a changed and a new activity', async () => {
    const Modified = database.dialect.now(database.knex);
    await updateActivity(database.knex, ActivityId, { Description: 'changed', Modified });
    expect(await row()).toMatchObject({ Description: 'changed' });
    const added = await insertActivity(database.knex, { UserId });
    expect((await snapshot.current()).rows.some(({ Id }) => Id === added)).toBe(true);
  });

  test('reads everything again after a minute', async () => {
    await database.knex('Users').where({ UserId }).update({ LastName: 'Renamed' });
    expect((await row()).LastName).not.toBe('Renamed');
    clock += 61_000;
    expect((await row()).LastName).toBe('Renamed');
  });

  test('answers nobody with what was read before they asked', async () => {
    const early = snapshot.current();
    const Id = await run('Failed');
    const late = snapshot.current();
    await early;
    const { rows } = await late;
    expect(rows.find((found) => found.Id === ActivityId)).toMatchObject({ LastRunId: Id });
  });
});
