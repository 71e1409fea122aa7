/** Tests how many runs a page and a summary of a long history read. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Knex } from 'knex';
import { deadlineIn } from '#server/db/time-limit.ts';
import type { HistorySearch, HistorySort } from '#shared/contract/run-history.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { rowsRead } from '#test/support/rows-read.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { candidatesOf } from './history-repository.ts';
import { narrow, runConditions } from './history-search.ts';
import { listSortedHistory, sortKeyOf } from './history-sort.ts';
import { readSummary } from './history-summary.ts';

const RUNS = 30_000;
const OUTPUT = 1_000_000;

let app: TestApp;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp();
  const { knex, dialect } = app.database;
  if (dialect.name !== 'pg') return;
  const { UserId } = await signedInUser(app);
  ActivityId = await insertActivity(knex, { UserId });
  // Every fiftieth run failed and has no output.
  await knex.raw(
    `insert into "ActivityRuns" ("ActivityId", "ActivityVersion", "UserId", "MemoryCost", "Status", "QueueTime", "StartTime", "EndTime")
     select ?::int, 1, ?::int, 0, case when n % 50 = 0 then 'Failed' else 'Succeeded' end, at, at, at + (n % 50) * interval '1 millisecond'
     from generate_series(1, ?::int) n, lateral (select now() - interval '1 day' + n * interval '1 second') m(at)`,
    [ActivityId, UserId, RUNS],
  );
  await knex.raw(
    `insert into "RunOutputs" ("ActivityRunId", "ActivityParameterId", "ArrayIndex", "Value")
     select "Id", ?::int, 0, ("Id" % 997)::text from "ActivityRuns" where "ActivityId" = ?::int and "Status" = 'Succeeded'`,
    [OUTPUT, ActivityId],
  );
  await knex.raw('vacuum analyze');
});
afterAll(() => app.close());

beforeEach((context) => context.skip(app.database.dialect.name !== 'pg', "EXPLAIN: PostgreSQL's own"));

const candidates = (query: Knex.QueryBuilder): void => void query.where('R.ActivityId', ActivityId);

test('a page sorted by an output does not look up the run of every output where no run that is wanted has one', async () => {
  const { knex } = app.database;
  const sort: HistorySort = { By: 'Value', Descending: true, Direction: 'output', ActivityParameterId: OUTPUT };
  const conditions = await runConditions(knex, { ActivityId, Statuses: ['Failed'] });
  const list = async () => {
    const filter = { ...conditions, before: null, limit: 21, deadline: deadlineIn(60_000) };
    const range = { isRange: true, activityId: ActivityId, isNarrowed: true, most: 10, near: 100 };
    const key = sortKeyOf(sort, true);
    expect(await listSortedHistory({ db: knex, key, descending: true, candidates, ...range, filter })).toEqual([]);
  };
  // Reads the outputs at most once, instead of each one with its run.
  expect(await rowsRead(app.database, list)).toBeLessThan(1.5 * RUNS);
});

test('a summary goes through the newest runs alone, and says that there are more', async () => {
  const { knex } = app.database;
  const found = () => {
    const query = knex('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId');
    candidates(query);
    return query;
  };
  const summarize = async () => {
    const summary = await readSummary({ db: knex, found, deadline: deadlineIn(60_000), maxRuns: 200 });
    expect(summary).toMatchObject({ Runs: 200, IsPartial: true, P50: 24, P95: 47 });
    expect(summary.Periods.reduce((sum, { Succeeded, Failed }) => sum + Succeeded + Failed, 0)).toBe(200);
  };
  expect(await rowsRead(app.database, summarize)).toBeLessThan(RUNS / 10);
});

test.each([
  ['all runs are near', 600, { near: 40_000, maxRuns: 10_000, enoughRuns: 100 }],
  ['the near runs contain some', 600, { near: 10_000, maxRuns: 10_000, enoughRuns: 2_000 }],
  ['the near runs contain enough', 199, { near: 10_000, maxRuns: 10_000, enoughRuns: 100 }],
  ['the near runs contain too many', 50, { near: 10_000, maxRuns: 50, enoughRuns: 100 }],
  ['the near runs contain none', 25, { near: 10, maxRuns: 10_000, enoughRuns: 25 }],
])('a summary of runs without an output counts as a plain count does: %s', async (_, Runs, limits) => {
  const { knex } = app.database;
  const without = knex('ActivityRuns as R')
    .where('R.ActivityId', ActivityId)
    .whereNotIn('R.Id', knex('RunOutputs').where('ActivityParameterId', OUTPUT).select('ActivityRunId'));
  const all: { Id: number }[] = await without.orderBy('R.Id', 'desc').select('R.Id');
  expect(all).toHaveLength(600);
  const search: HistorySearch = {
    ActivityId,
    Values: [{ Direction: 'output', ActivityParameterId: OUTPUT, Operator: 'empty' }],
  };
  const conditions = await runConditions(knex, search);
  const found = () => {
    const query = knex('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId');
    candidates(query);
    narrow(query, knex, 'R', conditions);
    return query;
  };
  const deadline = deadlineIn(60_000);
  const filter = { ...conditions, before: null, deadline };
  const lacking = { candidates: candidatesOf(knex, ActivityId, undefined), filter };
  const summary = await readSummary({ db: knex, found, deadline, lacking, ...limits });
  const counted = summary.Periods.reduce((sum, { Succeeded, Failed }) => sum + Succeeded + Failed, 0);
  expect({ ...summary, counted }).toMatchObject({ Runs, IsPartial: Runs < 600, counted: Runs });
  // All failed runs took equally long, so the newest is the longest.
  expect(summary.Longest?.Id).toBe(all[0]!.Id);
});

test('for somebody who sees few of the runs, a page by duration and a summary read few', async () => {
  const { headers, UserId } = await signedInUser(app, [
    'sk.RunActivity',
    { right: 'sk.ViewRuns', Schema: 'Elsewhere' },
  ]);
  const own = { ActivityId, UserId, Status: 'Succeeded', QueueTime: new Date(), StartTime: new Date() };
  const Id = await insertRun(app.database.knex, { ...own, EndTime: new Date() });
  const post = async (path: string, query: object) => {
    const payload = { ActivityId: null, ...query };
    const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${path}`, headers, payload });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().result;
  };
  const read = async () => {
    const page = { ApproxRows: 50, PrevRunId: null, Sort: { By: 'Duration', Descending: true } };
    expect(await post('runhistory', page)).toMatchObject({ Runs: [{ Id }], HasMore: false });
    expect(await post('runhistory/summary', {})).toMatchObject({ Runs: 1 });
  };
  expect(await rowsRead(app.database, read)).toBeLessThan(RUNS / 10);
});
