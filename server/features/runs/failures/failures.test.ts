/** The operator's calls: failures by reason, searches by error, retries of many runs, and the timeline of a day. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeExecutor } from '#test/support/fake-executor.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import type { FailureGroup, RetriedRun } from '#shared/contract/run-failures.ts';
import type { HistorySearch } from '#shared/contract/run-history.ts';

let app: TestApp;
let operator: Awaited<ReturnType<typeof signedInUser>>;
let starter: typeof operator;
let prices: number;
let sales: number;

beforeAll(async () => {
  app = await testApp({ executor: createFakeExecutor() });
  const { knex } = app.database;
  operator = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  starter = await signedInUser(app, ['sk.RunActivity']);
  const mails = { Action: 'Mail', Step: 'Send' } as (typeof EMPTY_DEFINITION.steps)[number];
  const UserId = operator.UserId;
  prices = await insertActivity(knex, { UserId, Name: 'Prices', Schema: 'Finance' });
  sales = await insertActivity(knex, {
    UserId,
    Name: 'Sales',
    Schema: 'Trade',
    definition: { ...EMPTY_DEFINITION, steps: [mails] },
  });
});
afterAll(() => app.close());

const post = async (url: string, payload: object, headers = operator.headers) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};

const at = new Date('2026-03-05T10:00:00Z');
const DAY = { QueuedFrom: '2026-03-05T00:00:00.000Z', QueuedBefore: '2026-03-06T00:00:00.000Z' };

async function fail(ActivityId: number, Message: string | null, more: object = {}): Promise<number> {
  const { knex } = app.database;
  const times = { QueueTime: at, StartTime: at, EndTime: new Date(at.getTime() + 2_000) };
  const Id = await insertRun(knex, { ActivityId, UserId: operator.UserId, Status: 'Failed', ...times, ...more });
  const line = { ActivityRunId: Id, StatusCode: 1000, Category: 3 };
  await knex('RunLogEntries').insert([
    { ...line, Message: 'It began', Category: 1 },
    { ...line, Message: 'A consequence', StatusCode: 10_000 },
    ...(Message === null ? [] : [{ ...line, Message }]),
  ]);
  return Id;
}

const groupsOf = async (search: HistorySearch = DAY, headers?: typeof operator.headers): Promise<FailureGroup[]> =>
  (await post('runhistory/reasons', search, headers)).body.result.Groups;
const found = async (search: HistorySearch, headers?: typeof operator.headers): Promise<number[]> => {
  const { body } = await post('runhistory', { ApproxRows: 50, ...search }, headers);
  return body.result.Runs.map(({ Id }: { Id: number }) => Id);
};

describe('failures', () => {
  const ids: number[] = [];
  beforeAll(async () => {
    // Ids follow the time of storing.
    await fail(prices, 'Row 3 has no date', { QueueTime: new Date('2026-03-01T10:00:00Z') });
    ids.push(await fail(prices, 'Row 7 has no date'), await fail(prices, 'Row 2041 has no date'));
    ids.push(await fail(sales, 'Row 9 has no date'), await fail(prices, 'The input "Rate" is missing'));
    await fail(prices, 'Somebody stopped it', { Status: 'Cancelled' });
  });

  test('are grouped by the first error that somebody can act on, per activity, the most frequent first', async () => {
    const groups = await groupsOf();
    expect(groups.map(({ Text, Count, IsVaried }) => [Text, Count, IsVaried])).toEqual([
      ['Row 2041 has no date', 2, true],
      ['The input "Rate" is missing', 1, false],
      ['Row 9 has no date', 1, false],
    ]);
    expect(groups[0]).toMatchObject({ Activities: [{ Id: prices, Name: 'Prices' }], ActivityCount: 1, NotRetried: 2 });
  });

  test('of a reason are found, page by page, and each history row says its reason', async () => {
    const [{ Key } = { Key: '' }] = await groupsOf();
    expect(await found({ ...DAY, Reason: Key })).toEqual([ids[1], ids[0]]);
    const { body } = await post('runhistory', { ApproxRows: 1, ...DAY, Reason: Key, PrevRunId: ids[1] });
    expect(body.result.Runs).toMatchObject([{ Id: ids[0], Reason: 'Row 7 has no date' }]);
  });

  test('are found by their error, their activity and its schema', async () => {
    expect(await found({ ...DAY, Error: 'NO DATE' })).toEqual([ids[2], ids[1], ids[0]]);
    expect(await found({ ...DAY, Error: '2041' })).toEqual([ids[1]]);
    expect(await found({ ...DAY, Error: '%' })).toEqual([]);
    expect(await found({ ...DAY, Error: 'no date', Statuses: ['Succeeded'] })).toEqual([]);
    expect(await found({ ...DAY, Schema: 'Trade' })).toEqual([ids[2]]);
    expect(await found({ ...DAY, Name: 'ale', Statuses: ['Failed'] })).toEqual([ids[2]]);
    expect(await found({ ...DAY, Schema: 'Nowhere' })).toEqual([]);
  });

  test('of others are neither grouped nor found for people who may see only their own', async () => {
    const own = await fail(prices, 'Row 5 has no date', { UserId: starter.UserId });
    const [group, ...rest] = await groupsOf(DAY, starter.headers);
    expect([group?.Count, group?.LastRunId, rest]).toEqual([1, own, []]);
    expect(await found({ ...DAY, Error: 'no date' }, starter.headers)).toEqual([own]);
    expect(await found({ ...DAY, Mine: true }, starter.headers)).toEqual([own]);
    expect(await found({ ...DAY, Mine: true, Error: 'no date' })).not.toContain(own);
    await app.database.knex('ActivityRuns').where('Id', own).update({ Status: 'Cancelled' });
  });
});

describe('retrying a reason', () => {
  const plan = async (body: object, headers?: typeof operator.headers) =>
    (await post('retryplan', body, headers)).body.result;
  const retry = async (Ids: number[], headers?: typeof operator.headers): Promise<RetriedRun[]> =>
    (await post('retryruns', { Ids }, headers)).body.result;

  test('a plan counts each run once, and says what happens outside', async () => {
    const first = await fail(sales, 'The mail server is away');
    const second = await fail(sales, 'The mail server is away');
    const group = (await groupsOf()).find(({ Text }) => Text === 'The mail server is away')!;
    const wanted = { Search: { ...DAY, Reason: group.Key } };
    expect(await plan(wanted)).toMatchObject({
      Runs: [{ Id: first, Name: 'Sales' }, { Id: second }],
      MoreCount: 0,
      Effects: [{ ActivityId: sales, Name: 'Sales', Kinds: ['Mail'] }],
    });
    expect(await retry([first])).toMatchObject([{ Id: first, Outcome: 'Started' }]);
    expect(await plan(wanted)).toMatchObject({ Runs: [{ Id: second }], Retried: 1 });
    expect(await plan({ Ids: [first, second] })).toMatchObject({ Runs: [{ Id: second }], Retried: 1 });
    expect(await plan({ Ids: [second] }, starter.headers)).toMatchObject({ Runs: [], NotAllowed: 0 });
  });

  test('a run is retried once, even if two people ask for it at the same time', async () => {
    const Id = await fail(prices, 'Once');
    const [one, two] = await Promise.all([retry([Id]), retry([Id])]);
    const outcomes = [...one, ...two].map(({ Outcome }) => Outcome).sort();
    expect(outcomes).toEqual(['AlreadyRetried', 'Started']);
    expect(new Set([...one, ...two].map(({ NewId }) => NewId)).size).toBe(1);
    const count = await app.database.knex('ActivityRuns').where('RetryOf', Id).count({ Count: '*' }).first();
    expect(Number(count?.['Count'])).toBe(1);
  });

  test('a refusal of one run does not keep the others from being retried', async () => {
    const Id = await fail(prices, 'Among others');
    const hidden = await fail(prices, 'Hidden', { UserId: operator.UserId });
    const own = await fail(prices, 'Own', { UserId: starter.UserId });
    expect(await retry([hidden, own], starter.headers)).toMatchObject([
      { Id: hidden, Outcome: 'Refused', NewId: null, Message: 'There is no such run' },
      { Id: own, Outcome: 'Started' },
    ]);
    expect((await retry([Id]))[0]?.Outcome).toBe('Started');
  });

  test('a step of a workflow is left to its workflow', async () => {
    const parent = await fail(prices, 'Parent');
    const Id = await fail(prices, 'A row', { ParentRunId: parent, StepKey: 'start', RowKey: 'a' });
    expect(await plan({ Ids: [Id] })).toMatchObject({ Runs: [], Steps: 1 });
  });
});

test('a timeline has the runs of a day by activity, and of no more than a day', async () => {
  const { body } = await post('runhistory/timeline', { ...DAY, Schema: 'Trade' });
  expect(body.result.Rows.map(({ Name }: { Name: string }) => Name)).toEqual(['Sales']);
  expect(body.result.Rows[0].Runs[0]).toMatchObject({ Status: 'Failed', StartTime: at.toISOString() });
  expect((await post('runhistory/timeline', { ...DAY, QueuedFrom: '2026-03-01T00:00:00.000Z' })).status).toBe(400);
  expect((await post('runhistory/timeline', {})).status).toBe(400);
});
