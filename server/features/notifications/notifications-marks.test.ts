/** Tests marking notifications as read, and removing many of them at once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let person: Signed;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp();
  const author = await signedInUser(app);
  ActivityId = await insertActivity(app.database.knex, { UserId: author.UserId, Name: 'Nightly' });
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signedInUser(app, ['sk.RunActivity']);
});

const URL = '/api/activities/notifications';
const list = async ({ headers }: Signed = person): Promise<NotificationList> =>
  (await app.http.inject({ url: URL, headers })).json().result;
const mark = async (what: 'read' | 'clear', payload: object, { headers }: Signed = person): Promise<number> =>
  (await app.http.inject({ method: 'POST', url: `${URL}/${what}`, headers, payload })).statusCode;
const addRun = (user = person): Promise<number> =>
  insertRun(app.database.knex, { ActivityId, UserId: user.UserId, Status: 'Failed', EndTime: new Date() });
const addRuns = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await addRun());
  return ids;
};

test('what was read is there still, and no longer counted as new', async () => {
  const [first, second, third] = await addRuns(3);
  expect(await list()).toMatchObject({ Count: 3, Unread: 3 });
  expect(await mark('read', { ActivityRunIds: [second] })).toBe(200);
  expect(await mark('read', { ActivityRunIds: [second] })).toBe(200);
  const { Items, Count, Unread } = await list();
  expect(Items.map(({ ActivityRunId, IsRead }) => [ActivityRunId, IsRead])).toEqual([
    [third, false],
    [second, true],
    [first, false],
  ]);
  expect([Count, Unread]).toEqual([3, 2]);
});

test('all up to one are read or removed, and those that came since stay as they are', async () => {
  const ids = await addRuns(23);
  await mark('read', { UpTo: ids[20] });
  expect(await list()).toMatchObject({ Count: 23, Unread: 2, HasMore: true });
  await mark('clear', { UpTo: ids[21] });
  const { Items, Count, Unread } = await list();
  expect(Items.map(({ ActivityRunId }) => ActivityRunId)).toEqual([ids[22]]);
  expect([Count, Unread]).toEqual([1, 1]);
});

test('nobody reads or removes those of others', async () => {
  const stranger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  const id = await addRun();
  const own = await addRun(stranger);
  for (const what of ['read', 'clear'] as const) {
    expect(await mark(what, { ActivityRunIds: [id, own] }, stranger)).toBe(200);
    expect(await mark(what, { UpTo: own }, stranger)).toBe(200);
  }
  expect(await list()).toMatchObject({ Count: 1, Unread: 1 });
  expect(await list(stranger)).toMatchObject({ Count: 0, Unread: 0 });
});

test.each([{}, { UpTo: 0 }, { ActivityRunIds: [] }, { UpTo: 1, ActivityRunIds: [1] }, { UpTo: 1, UserId: 1 }])(
  '%j is refused',
  async (body) => {
    expect(await mark('clear', body)).toBe(400);
  },
);
