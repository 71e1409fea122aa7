/** Calls that create something do so once per idempotency key. Dashboards have tests of their own. */
import { expect, test as base } from 'vitest';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';
import { draftOf } from '#test/support/alert-portal.ts';
import { testApp } from '#test/support/app.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, grant, signIn } from '#test/support/users.ts';

const test = base
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await testApp({ settings: { webhookPrivateAddresses: ['127.0.0.0/8'] } });
    onCleanup(() => app.close());
    return app;
  })
  .extend('activities', { scope: 'file' }, async ({ app }) => {
    const user = await createUser(app, { isUserAdmin: true });
    for (const right of ['sk.EditActivity', 'sk.RunActivity'] as const) await grant(app, user.UserId, right);
    const headers = bearer(await signIn(app, user));
    const make = (Name: string): Promise<number> =>
      insertActivity(app.database.knex, { UserId: user.UserId, Name, definition: EMPTY_DEFINITION });
    return { headers, source: await make('Source'), target: await make('Target') };
  })
  .extend('post', ({ app, activities: { headers } }) => async (url: string, key: string, payload: object) => {
    const keyed = { ...headers, [IDEMPOTENCY_KEY_HEADER]: key };
    const answer = await app.http.inject({ method: 'POST', url: `/api/${url}`, headers: keyed, payload });
    return { status: answer.statusCode, ...answer.json() };
  });

interface Owners {
  source: number;
  target: number;
}

const MONDAYS = { Kind: 'Weekly', Weekdays: [1], TimeOfDay: 0.25 };
const additionalSchedule = ({ source }: Owners) => ({
  Id: 0,
  OwnerId: source,
  Name: 'Mondays',
  Plan: MONDAYS,
  TimeZone: 'Europe/Berlin',
  CalendarId: null,
  HolidayRule: 'Keep',
  Inputs: [],
  RetryCount: 0,
  RetryInterval: 0,
  Overlap: 'Start',
  Missed: 'None',
  MissedMax: 1,
});
const trigger = ({ source }: Owners) => ({
  Id: 0,
  OwnerId: source,
  Name: 'Orders',
  Plan: { Kind: 'Webhook', Scheme: 'Standard' },
  Inputs: [],
  TimeZone: 'Europe/Berlin',
  Overlap: 'Start',
});
const alert = ({ source }: Owners) => ({
  ActivityId: source,
  ...draftOf({ Receivers: { Roles: [], UserIds: [1], ByBell: true, ByMail: false } }),
});
const webhook = () => ({
  Name: 'Ops',
  Url: 'http://127.0.0.1:1/hook',
  OnRunEnded: true,
  OnVersionPublished: false,
  OnApprovalAsked: false,
  IsActive: true,
  ActivityIds: [],
});
const link = ({ source, target }: Owners) => ({
  Id: 0,
  ActivityId: source,
  LinkedActivityId: target,
  LinkInfo: '[]',
  Name: 'Further',
});

test.for([
  ['Timetables', 'activities/timetables', additionalSchedule],
  ['Triggers', 'activities/triggers', trigger],
  ['Alerts', 'activities/alerts/save', alert],
  ['Webhooks', 'admin/webhooks/create', webhook],
  ['ActivityLinks', 'activities/writelink', link],
] as const)(
  'of %s, the same call with the same key creates one',
  async ([table, url, bodyOf], { app, activities, post }) => {
    const { knex } = app.database;
    const body = bodyOf(activities);
    const first = await post(url, `${table}-1`, body);
    expect([first.status, first.message]).toEqual([200, undefined]);
    const actions = await knex('SecurityActions').orderBy('Id').pluck('Id');
    // The result contains the secret of an address, if it has one.
    expect((await post(url, `${table}-1`, body)).result).toEqual(first.result);
    expect(await knex('SecurityActions').orderBy('Id').pluck('Id')).toEqual(actions);
    const other = await post(url, `${table}-1`, { ...body, Name: 'Another' });
    expect([other.status, other.message]).toEqual([409, 'The Idempotency-Key belongs to another call']);
    expect(await knex(table).pluck('Name')).toEqual([body.Name]);
    expect((await post(url, `${table}-2`, body)).status).toBe(200);
    expect(await knex(table).pluck('Name')).toEqual([body.Name, body.Name]);
  },
);
