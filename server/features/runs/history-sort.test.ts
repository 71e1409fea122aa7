import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { HistoryRun, HistorySearch, HistorySort, HistorySummary } from '#shared/contract/run-history.ts';
import { deadlineIn } from '#server/db/time-limit.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createFakeExecutor } from '#test/support/fake-executor.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { candidatesOf } from './history-repository.ts';
import { narrow, runConditions } from './history-search.ts';
import { listSortedHistory, sortKeyOf } from './history-sort.ts';
import { readSummary } from './history-summary.ts';
import { periodLength } from '#server/base/period-length.ts';

let app: TestApp;
let ActivityId: number;
let ids: Record<string, number>;
let watcher: Awaited<ReturnType<typeof signedInUser>>;
let own: typeof watcher;
const runs: Record<string, number> = {};

const definition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [input('Amount'), input('Colour', { CellUsages: ['Text'] })],
  outputs: [output('Table', { RangeType: 'RangeWithColumnHeaders' })],
};
const START = Date.parse('2026-03-05T10:00:00Z');

beforeAll(async () => {
  app = await testApp({ executor: createFakeExecutor() });
  const { knex } = app.database;
  watcher = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  own = await signedInUser(app, ['sk.RunActivity']);
  ActivityId = await insertActivity(knex, { UserId: watcher.UserId, Name: 'Prices', definition });
  const rows = await knex('ActivityParameters').where({ ActivityId }).select('Id', 'Name');
  ids = Object.fromEntries(rows.map(({ Id, Name }) => [Name, Id]));
  const insert = async (name: string, run: { took?: number; Status?: string; UserId?: number }, amount?: number) => {
    const { took, ...more } = run;
    const QueueTime = new Date(START + Object.keys(runs).length * 3_600_000);
    const EndTime = took === undefined ? null : new Date(QueueTime.getTime() + took);
    const ActivityRunId = await insertRun(knex, {
      ActivityId,
      UserId: watcher.UserId,
      Status: 'Succeeded',
      QueueTime,
      StartTime: QueueTime,
      EndTime,
      ...more,
    });
    runs[name] = ActivityRunId;
    const value = (ActivityParameterId: number, Value: string) => ({ ActivityRunId, ActivityParameterId, Value });
    if (amount !== undefined) await knex('RunInputs').insert(value(ids['Amount']!, String(amount)));
    await knex('RunInputs').insert(value(ids['Colour']!, `"${name}"`));
  };
  await insert('first', { took: 1500, Status: 'Failed' }, 7);
  await insert('second', { took: 20 }, -3);
  await insert('third', { took: 1500, UserId: own.UserId }, 40);
  await insert('fourth', { Status: 'Cancelled' });
  await insert('fifth', { took: 90_000, Status: 'SucceededWarn' }, 7);
});
afterAll(() => app.close());

const post = async (url: string, payload: object, headers = watcher.headers) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const nameOf = (runId: number): string => Object.entries(runs).find(([, id]) => id === runId)![0];

/** Reads all pages of two runs each. */
async function sorted(
  Sort: HistorySort,
  search: Partial<HistorySearch> = {},
  headers?: typeof watcher.headers,
): Promise<string[]> {
  const names: string[] = [];
  for (let PrevRunId: number | null = null; ;) {
    const { status, body } = await post(
      'runhistory',
      { ActivityId, ApproxRows: 2, PrevRunId, Sort, ...search },
      headers,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    const page = body.result.Runs as HistoryRun[];
    names.push(...page.map(({ Id }) => nameOf(Id)));
    if (!body.result.HasMore) return names;
    PrevRunId = page.at(-1)!.Id;
  }
}
const by = (By: HistorySort['By'], Descending = false): HistorySort => ({ By, Descending });
const byInput = (name: string, Descending = false): HistorySort => ({
  ...by('Value', Descending),
  Direction: 'input',
  ActivityParameterId: ids[name]!,
});

test('runs are sorted by their number, duration, status and who ran them, page by page, either way', async () => {
  expect(await sorted(by('Id'))).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  expect(await sorted(by('Duration'))).toEqual(['second', 'first', 'third', 'fifth']);
  expect(await sorted(by('Duration', true))).toEqual(['fifth', 'third', 'first', 'second']);
  expect(await sorted(by('Status'))).toEqual(['fourth', 'first', 'second', 'third', 'fifth']);
  expect(await sorted(by('ActivityVersion', true))).toEqual(['fifth', 'fourth', 'third', 'second', 'first']);
  const people = await sorted(by('UserFullName'));
  expect(people.indexOf('third')).toBe(people.length === 5 && people[0] === 'third' ? 0 : 4);
});

test('runs are sorted by a value: numbers by size, texts by their letters; runs without a value are skipped', async () => {
  expect(await sorted(byInput('Amount'))).toEqual(['second', 'first', 'fifth', 'third']);
  expect(await sorted(byInput('Amount', true))).toEqual(['third', 'fifth', 'first', 'second']);
  expect(await sorted(byInput('Colour'))).toEqual(['fifth', 'first', 'fourth', 'second', 'third']);
  expect(await sorted(byInput('Amount'), { Statuses: ['Succeeded'] })).toEqual(['second', 'third']);
});

test('who may not see the runs of others sorts their own', async () => {
  expect(await sorted(by('Duration'), {}, own.headers)).toEqual(['third']);
  expect(await sorted(by('Duration'), { ActivityId: null }, own.headers)).toEqual(['third']);
  expect(await sorted(by('Name'), { ActivityId: null })).toHaveLength(5);
});

test('what cannot be sorted by is refused in words', async () => {
  const refused = async (Sort: object) =>
    (await post('runhistory', { ActivityId, ApproxRows: 2, PrevRunId: null, Sort })).body.message;
  const table = { By: 'Value', Descending: false, Direction: 'output', ActivityParameterId: ids['Table'] };
  expect(await refused(table)).toBe('Runs cannot be sorted by a table');
  expect(await refused({ ...table, ActivityParameterId: 999_999 })).toBe('There is no such input or output to sort by');
  expect(
    (await post('runhistory', { ActivityId, ApproxRows: 2, PrevRunId: 999_999, Sort: by('Duration') })).status,
  ).toBe(409);
  expect(
    (await post('runhistory', { ActivityId, ApproxRows: 2, Sort: { By: 'Phase', Descending: true } })).status,
  ).toBe(400);
});

test('more runs than are sorted at once are read as an index has them, or refused', async () => {
  const { knex } = app.database;
  const list = async (sort: HistorySort, before: number | null) => {
    const conditions = await runConditions(knex, { ActivityId });
    const rows = await listSortedHistory({
      db: knex,
      key: sortKeyOf(sort, sort.ActivityParameterId === ids['Amount']),
      descending: sort.Descending,
      candidates: (query) => void query.where('R.ActivityId', ActivityId),
      isRange: true,
      activityId: ActivityId,
      isNarrowed: false,
      filter: { ...conditions, before, limit: 3, deadline: deadlineIn(20_000) },
      maxRuns: 2,
    });
    return rows.map(({ Id }) => nameOf(Id));
  };
  expect(await list(by('Duration'), runs['second']!)).toEqual(['first', 'third', 'fifth']);
  expect(await list(by('Duration'), runs['first']!)).toEqual(['third', 'fifth']);
  expect(await list(by('Status', true), runs['fifth']!)).toEqual(['third', 'second', 'first']);
  expect(await list(by('Id'), runs['second']!)).toEqual(['third', 'fourth', 'fifth']);
  expect(await list(byInput('Amount', true), runs['fifth']!)).toEqual(['first', 'second']);
  await expect(list(by('UserFullName'), null)).rejects.toThrow(
    'More than 10,000 runs were found, which is too many to sort by this value: narrow the search',
  );
});

test('of many runs the wanted ones come in order, whether they are near in the index or far', async () => {
  const { knex } = app.database;
  const list = async (sort: HistorySort, near: number, wanted: Partial<HistorySearch>): Promise<string[]> => {
    const conditions = await runConditions(knex, { ActivityId, ...wanted });
    const pages: string[] = [];
    for (let before: number | null = null; ;) {
      const rows = await listSortedHistory({
        db: knex,
        key: sortKeyOf(sort, sort.ActivityParameterId === ids['Amount']),
        descending: sort.Descending,
        candidates: (query) => void query.where('R.ActivityId', ActivityId),
        isRange: true,
        activityId: ActivityId,
        isNarrowed: true,
        filter: { ...conditions, before, limit: 1, deadline: deadlineIn(20_000) },
        maxRuns: 0,
        near,
      });
      if (rows.length === 0 || pages.length > 9) return pages;
      pages.push(nameOf(rows[0]!.Id));
      before = rows[0]!.Id;
    }
  };
  const Statuses: HistorySearch['Statuses'] = ['Succeeded', 'SucceededWarn'];
  for (const near of [1, 2, 100]) {
    expect(await list(byInput('Amount'), near, { Statuses })).toEqual(['second', 'fifth', 'third']);
    expect(await list(byInput('Amount', true), near, { Statuses })).toEqual(['third', 'fifth', 'second']);
    expect(await list(byInput('Amount'), near, { Statuses: ['Cancelled'] })).toEqual([]);
    expect(await list(by('Duration'), near, { Statuses })).toEqual(['second', 'third', 'fifth']);
    expect(await list(by('Status'), near, { UserIds: [own.UserId] })).toEqual(['third']);
  }
});

test('a summary counts all that ended, and shows how long they took, over time', async () => {
  const { status, body } = await post('runhistory/summary', { ActivityId });
  expect(status, JSON.stringify(body)).toBe(200);
  const { Periods, ...all } = body.result as HistorySummary;
  expect(all).toEqual({
    Runs: 4,
    IsPartial: false,
    PeriodSeconds: 300,
    P50: 1500,
    P95: 90_000,
    Longest: { Id: runs['fifth'], Duration: 90_000 },
  });
  const none = { Succeeded: 0, Warned: 0, Failed: 0, Cancelled: 0 };
  expect(Periods[0]).toEqual({ Time: '2026-03-05T10:00:00.000Z', ...none, Failed: 1, P50: 1500, P95: 1500 });
  expect(Periods).toHaveLength(4);
  const theirs = await post('runhistory/summary', { ActivityId: null }, own.headers);
  expect(theirs.body.result).toMatchObject({ Runs: 1, P50: 1500, Periods: [{ Succeeded: 1 }] });
  const nothing = await post('runhistory/summary', { ActivityId, Statuses: ['Abandoned'] });
  expect(nothing.body.result).toEqual({
    Runs: 0,
    IsPartial: false,
    PeriodSeconds: 0,
    P50: null,
    P95: null,
    Longest: null,
    Periods: [],
  });
});

test('a summary of runs that lack a value counts the same, however many runs it checks one by one', async () => {
  const { knex } = app.database;
  const value = { Direction: 'input', ActivityParameterId: ids['Amount']!, Operator: '<>', Value: 7 } as const;
  const search: HistorySearch = { ActivityId, Values: [value] };
  const conditions = await runConditions(knex, search);
  const candidates = candidatesOf(knex, ActivityId, undefined);
  const found = () => {
    const query = candidates('R');
    narrow(query, knex, 'R', conditions);
    return query;
  };
  for (const near of [1, 3, 10]) {
    const deadline = deadlineIn(60_000);
    const lacking = { candidates, filter: { ...conditions, before: null, deadline } };
    const read = (maxRuns: number) => readSummary({ db: knex, found, deadline, maxRuns, near, lacking });
    // 'fourth' has no value either, but has not ended.
    expect(await read(10)).toMatchObject({ Runs: 2, IsPartial: false, Longest: { Id: runs['third'] } });
    expect(await read(1)).toMatchObject({ Runs: 1, IsPartial: true, Longest: { Id: runs['third'] } });
  }
  expect((await post('runhistory/summary', search)).body.result).toMatchObject({ Runs: 2, IsPartial: false });
  const ofOwn = await post('runhistory/summary', search, own.headers);
  expect(ofOwn.body.result).toMatchObject({ Runs: 1, Longest: { Id: runs['third'] } });
});

test('a run that was cancelled before it began has no duration, and counts as cancelled alone', async () => {
  const { knex } = app.database;
  const QueueTime = new Date(START + 10 * 3_600_000);
  const EndTime = new Date(QueueTime.getTime() + 600_000);
  const Id = await insertRun(knex, { ActivityId, UserId: watcher.UserId, Status: 'Cancelled', QueueTime, EndTime });
  try {
    const { body } = await post('runhistory/summary', { ActivityId });
    const { Periods, ...all } = body.result as HistorySummary;
    expect(all).toMatchObject({ Runs: 5, P50: 1500, P95: 90_000, Longest: { Id: runs['fifth'], Duration: 90_000 } });
    expect(Periods.at(-1)).toMatchObject({ Succeeded: 0, Cancelled: 1, P50: null, P95: null });
    expect(await sorted(by('Duration', true))).toEqual(['fifth', 'third', 'first', 'second']);
    const alone = await post('runhistory/summary', { ActivityId, Statuses: ['Cancelled'] });
    expect(alone.body.result).toMatchObject({ Runs: 1, P50: null, P95: null, Longest: null });
  } finally {
    await knex('ActivityRuns').where({ Id }).delete();
  }
});

test('periods are as long as makes a plot of them', () => {
  expect(periodLength(0)).toBe(60);
  expect(periodLength(90 * 86_400)).toBe(2 * 86_400);
  expect(periodLength(10 * 365 * 86_400)).toBe(61 * 86_400);
});
