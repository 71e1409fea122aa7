/** Tests how many rows the grouping of failures reads in a long history. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deadlineIn } from '#server/db/time-limit.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { rowsRead } from '#test/support/rows-read.ts';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { narrow, runConditions } from '../history-search.ts';
import { listFailures } from './failures-repository.ts';

const RUNS = 30_000;
const FAILURES = RUNS / 100;

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  const { knex, dialect } = app.database;
  if (dialect.name !== 'pg') return;
  const { UserId } = await signedInUser(app);
  const ActivityId = await insertActivity(knex, { UserId });
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "UserId", "MemoryCost", "Status", "EndTime")
     select ?::int, 1, ?::int, 0, case when n % 100 = 0 then 'Failed' else 'Succeeded' end, now()
     from generate_series(1, ?::int) n`,
    [ActivityId, UserId, RUNS],
  );
  await knex.raw(
    `insert into "RunLogEntries" ("ActivityRunId", "StatusCode", "Category", "Message")
     select "Id", 1000, 3, 'Row ' || "Id" || ' has no date' from "ActivityRuns" where "Status" = 'Failed'`,
  );
  await knex.raw('vacuum analyze');
});
afterAll(() => app.close());

beforeEach((context) => context.skip(app.database.dialect.name !== 'pg', "EXPLAIN: PostgreSQL's own"));

test.each([
  ['all failures', {}, FAILURES],
  ['those of a text that no error has', { Error: 'rate' }, 0],
])('%s are found without reading the runs that succeeded', async (_, search, count) => {
  const { knex } = app.database;
  const conditions = await runConditions(knex, search);
  const found = () => {
    const query = knex('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId');
    narrow(query, knex, 'R', conditions);
    return query;
  };
  const list = async () => expect(await listFailures(knex, found(), 1_000, deadlineIn(60_000))).toHaveLength(count);
  expect(await rowsRead(app.database, list)).toBeLessThan(RUNS / 4);
});

test('an error is not searched among the runs that succeeded, which have none', async () => {
  const { knex } = app.database;
  const ids = async (Statuses: RunStatus[]) => {
    const query = knex('ActivityRuns as R').limit(10).pluck('R.Id');
    narrow(query, knex, 'R', await runConditions(knex, { Error: 'date', Statuses }));
    return query;
  };
  const list = async () => {
    expect(await ids(['Succeeded', 'SucceededWarn'])).toEqual([]);
    expect(await ids(['Succeeded', 'LogicError'])).toEqual([]);
  };
  expect(await rowsRead(app.database, list)).toBeLessThan(RUNS / 4);
});
