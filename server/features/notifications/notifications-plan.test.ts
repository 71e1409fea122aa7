import { expect, it } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import { testApp } from '#test/support/app.ts';
import { rowsRead } from '#test/support/rows-read.ts';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

const RUNS = 6000;
const DAY = 86_400_000;

it('reads about as many runs as it reports, for a person with thousands of failed ones', async (context) => {
  const app = await testApp();
  const { knex, dialect } = app.database;
  context.skip(dialect.name !== 'pg', "EXPLAIN: PostgreSQL's own");
  const person = await signedInUser(app, ['sk.RunActivity']);
  const ActivityId = await insertActivity(knex, { UserId: person.UserId });
  const run = { ActivityId, ActivityVersion: 1, UserId: person.UserId, MemoryCost: 0, EndTime: new Date() };
  const runs = Array.from({ length: RUNS }, (_, at) => ({
    ...run,
    Status: at % 3 === 0 ? 'Succeeded' : 'Failed',
    // Half of them are older than a month, so nobody is notified of them.
    QueueTime: new Date(Date.now() - (at < RUNS / 2 ? 60 : 1) * DAY),
  }));
  await inRows(knex, runs, (part) => knex('ActivityRuns').insert(part));
  await knex.raw('vacuum analyze "ActivityRuns"');
  const list = async () => {
    const answer = await app.http.inject({ url: '/api/activities/notifications', headers: person.headers });
    expect(answer.json().result).toMatchObject({ Count: 100, HasMore: true });
  };
  await list();
  expect(await rowsRead(app.database, list)).toBeLessThan(RUNS / 6);
  await app.close();
});
