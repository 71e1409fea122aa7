/** Tests how much of a long history the list of purgeable activities reads. */
import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { rowsRead } from '#test/support/rows-read.ts';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { EVERY } from '#server/access/rights/right-scope.ts';
import { listPurgeableActivities } from './purge-repository.ts';

const RUNS = 5_000;
const ACTIVITIES = 10;

test('the list of what may be purged reads one run of each activity', async ({ onTestFinished, skip }) => {
  const app = await testApp();
  onTestFinished(() => app.close());
  const { knex, dialect } = app.database;
  skip(dialect.name !== 'pg', "EXPLAIN: PostgreSQL's own");
  const { UserId } = await signedInUser(app);
  const ids: number[] = [];
  for (let count = 0; count < ACTIVITIES; count++) ids.push(await insertActivity(knex, { UserId }));
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "UserId", "MemoryCost", "Status", "QueueTime", "EndTime")
     select (?::int[])[n % ?::int + 1], 1, ?::int, 0, 'Succeeded', at, at
     from generate_series(1, ?::int) n, lateral (select now() - n * interval '1 minute') m(at)`,
    [ids, ACTIVITIES, UserId, RUNS],
  );
  await knex.raw('vacuum analyze');
  const list = async () => {
    const activities = await listPurgeableActivities(knex, dialect, new Date(), EVERY);
    expect(activities.map(({ ActivityId }) => ActivityId).toSorted((a, b) => a - b)).toEqual(ids);
  };
  expect(await rowsRead(app.database, list)).toBeLessThan(10 * ACTIVITIES);
});
