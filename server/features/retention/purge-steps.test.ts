import { expect, it } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import { testApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { deleteByRetention } from './retention-keeper.ts';

const RUNS = 120;
const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);

it('a purge goes step by step where the call says how many it takes, over all of its activities', async () => {
  const app = await testApp();
  const purger = await signedInUser(app, ['sk.PurgeRuns']);
  const { knex } = app.database;
  const ids: number[] = [];
  for (const name of ['First', 'Second']) {
    const ActivityId = await insertActivity(knex, { UserId: purger.UserId, Name: name });
    ids.push(ActivityId);
    const run = { ActivityId, ActivityVersion: 1, UserId: purger.UserId, Status: 'Succeeded', MemoryCost: 0 };
    const times = { QueueTime: daysAgo(10), EndTime: daysAgo(10) };
    await inRows(
      knex,
      Array.from({ length: RUNS }, () => ({ ...run, ...times })),
      (part) => knex('ActivityRuns').insert(part),
    );
  }
  const step = async (limitQuery: string) => {
    const url = `/api/activities/purgeRunData/${daysAgo(7).toISOString().slice(0, 10)}/All${limitQuery}`;
    const answer = await app.http.inject({ method: 'POST', url, headers: purger.headers, payload: ids });
    return answer.json().result ?? answer.statusCode;
  };
  expect([await step('?Most=100'), await step('?Most=100')]).toEqual([100, 100]);
  expect([await step('?Most=100'), await step('?Most=100')]).toEqual([40, 0]);
  expect(await step('?Most=0')).toBe(400);
  expect(await step('')).toBe(0);
  await app.close();
});

it('retention reports what it deleted in each chunk', async () => {
  const app = await testApp();
  const author = await signedInUser(app);
  const { knex } = app.database;
  const ActivityId = await insertActivity(knex, { UserId: author.UserId });
  await knex('ActivityRetentions').insert({ ActivityId, RunRetention: 7 });
  const run = { ActivityId, ActivityVersion: 1, UserId: author.UserId, Status: 'Succeeded', MemoryCost: 0 };
  await inRows(
    knex,
    Array.from({ length: RUNS }, () => ({ ...run, EndTime: daysAgo(10) })),
    (part) => knex('ActivityRuns').insert(part),
  );
  const reported: number[] = [];
  const createPace = () => ({ size: () => 50, rest: () => Promise.resolve() });
  const deps = { database: app.database, store: app.fileStore, createPace };
  await deleteByRetention(deps, new AbortController().signal, (count) => reported.push(count));
  expect(reported).toEqual([50, 50, 20, 0]);
  await app.close();
});
