/** Sharing of activities: who may give what to whom, who is told, and the limits of the public link. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MailSender } from '#server/mail/mail-sender.ts';
import type { ActivityShares } from '#shared/contract/sharing.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';
import { endExpiredLinks } from './public-links-service.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;
const NOBODY = { UserIds: [], Roles: [], Message: '' };

/** Mails are only queued here, because no delivery engine runs. */
const mail: MailSender = { isConfigured: true, send: async () => {} };

let app: TestApp;
let admin: Signed;
let editor: Signed;
let other: Signed;
let activityId: number;
let made = 0;
beforeAll(async () => {
  app = await testApp({ mail });
  const user = await createUser(app, { isUserAdmin: true });
  admin = { ...user, headers: bearer(await signIn(app, user)) };
});
afterAll(() => app.close());
beforeEach(async () => {
  const Name = `Activity ${++made}`;
  activityId = await insertActivity(app.database.knex, { UserId: admin.UserId, Schema: 'Finance', Name });
  editor = await signedInUser(app, [{ right: 'sk.EditActivity', Id: activityId }]);
  other = await signedInUser(app);
});

async function post(of: { headers: object }, path: string, payload: object = {}) {
  const url = `/api${path}`;
  return (await app.http.inject({ method: 'POST', url, headers: { ...of.headers }, payload })).statusCode;
}
const get = async (of: { headers: object }, path: string) => {
  const answer = await app.http.inject({ url: `/api${path}`, headers: { ...of.headers } });
  return { status: answer.statusCode, ...answer.json() };
};
const share = (of: Signed, given: object) =>
  post(of, `/activities/shares/${activityId}/add`, { Level: 'Run', ...NOBODY, ...given });
const unshare = (of: Signed, from: object) =>
  post(of, `/activities/shares/${activityId}/remove`, { UserIds: [], Roles: [], ...from });
const shares = async (of: Signed = editor): Promise<ActivityShares> =>
  (await get(of, `/activities/shares/${activityId}`)).result;
const has = (of: Signed, right: 'sk.RunActivity' | 'sk.ViewRuns') =>
  app.rights.has({ UserId: of.UserId, IsUserAdmin: false }, right, { Id: activityId, Schema: 'Finance' });

async function role(...members: Signed[]): Promise<string> {
  const name = `role${++made}`;
  expect(await post(admin, `/roles/create/${name}`)).toBe(200);
  if (members.length > 0)
    expect(
      await post(
        admin,
        `/roles/${name}/include`,
        members.map(({ UserId }) => UserId),
      ),
    ).toBe(200);
  return name;
}

test('an editor shares with several people and roles at once, who are notified and mailed', async () => {
  const member = await signedInUser(app);
  const team = await role(member);
  await app.database.knex('Users').where({ UserId: other.UserId }).update({ Email: 'other@example.com' });
  expect(await share(editor, { Level: 'SeeRuns', UserIds: [other.UserId], Roles: [team], Message: 'For May' })).toBe(
    200,
  );
  for (const person of [other, member]) {
    expect(await has(person, 'sk.ViewRuns')).toBe(true);
    const [notice] = (await get(person, '/activities/notifications')).result.Access;
    expect(notice).toMatchObject({ Kind: 'Shared', ActivityId: activityId, Note: 'For May' });
  }
  const mailed = await app.database.knex('Deliveries').where({ Event: 'accessShared' }).pluck('UserId');
  expect(mailed).toEqual([other.UserId]);
  const { Items, Levels } = await shares();
  expect(Levels).toEqual(['Run', 'SeeRuns', 'Edit']);
  expect(Items.map(({ Holder, Scope, Rights }) => [Holder.Kind, Holder.UserId ?? Holder.Name, Scope, Rights])).toEqual([
    ['Role', team, 'Activity', ['sk.RunActivity', 'sk.ViewRuns']],
    ['User', editor.UserId, 'Activity', ['sk.EditActivity']],
    ['User', other.UserId, 'Activity', ['sk.RunActivity', 'sk.ViewRuns']],
  ]);
  expect(await unshare(editor, { UserIds: [other.UserId], Roles: [team] })).toBe(200);
  expect([await has(other, 'sk.RunActivity'), await has(member, 'sk.RunActivity')]).toEqual([false, false]);
});

test('nobody shares what they may not share, or gives more than they hold', async () => {
  const runner = await signedInUser(app, [{ right: 'sk.RunActivity', Id: activityId }]);
  const home = async (of: Signed) => (await get(of, `/activities/home/${activityId}`)).result.CanShare;
  expect([await home(editor), await home(runner), await home(admin)]).toEqual([true, false, true]);
  expect(await share(runner, { UserIds: [other.UserId] })).toBe(403);
  expect((await get(runner, `/activities/shares/${activityId}`)).status).toBe(403);
  expect((await get(runner, `/activities/shares/${activityId}/people?Search=a`)).status).toBe(403);
  expect(await share(other, { UserIds: [other.UserId] })).toBe(404);
  const narrow = await signedInUser(app, [
    { right: 'sk.EditActivity', Id: activityId },
    { right: 'sk.ViewRuns', Id: activityId, access: -1 },
  ]);
  expect((await shares(narrow)).Levels).toEqual(['Run']);
  expect(await share(narrow, { Level: 'SeeRuns', UserIds: [other.UserId] })).toBe(403);
  expect(await share(narrow, { Level: 'SeeRuns', UserIds: [narrow.UserId] })).toBe(403);
  // The right to edit would bring the right to see runs, which they lack.
  expect(await share(narrow, { Level: 'Edit', UserIds: [other.UserId] })).toBe(403);
  expect(await has(other, 'sk.RunActivity')).toBe(false);
  expect(await share(editor, { UserIds: [999_999] })).toBe(404);
  expect(await share(editor, {})).toBe(400);
});

test('an editor overrides no denial, directly or through a role, and those who manage rights may', async () => {
  await app.rights.grantToUser(app.database.knex, { UserId: other.UserId, RightName: 'sk.RunActivity', Access: -1 });
  const team = await role(other);
  expect(await share(editor, { UserIds: [other.UserId] })).toBe(409);
  expect(await share(editor, { Level: 'Edit', UserIds: [other.UserId] })).toBe(409);
  expect(await share(editor, { Roles: [team] })).toBe(409);
  const denying = await role(editor);
  expect(await post(admin, `/rights/sk.RunActivity/roles/deny/Schema/Finance`, [denying])).toBe(200);
  expect(await share(editor, { Roles: [denying] })).toBe(409);
  expect(await share(admin, { UserIds: [other.UserId] })).toBe(200);
  expect(await has(other, 'sk.RunActivity')).toBe(true);
  // A denial on the activity itself is not removed together with a share.
  expect(await post(admin, `/rights/sk.ViewRuns/users/deny/Id/${activityId}`, [other.UserId])).toBe(200);
  expect(await unshare(editor, { UserIds: [other.UserId] })).toBe(200);
  expect((await shares()).Items).toContainEqual(
    expect.objectContaining({ Scope: 'Activity', IsDenied: true, Rights: ['sk.ViewRuns'] }),
  );
});

test('people are found by name and mail address, and the list says how each has access', async () => {
  await app.database
    .knex('Users')
    .where({ UserId: other.UserId })
    .update({ Email: `unusual${made}@example.com` });
  const found = (await get(editor, `/activities/shares/${activityId}/people?Search=unusual${made}`)).result;
  expect(found).toMatchObject({
    Items: [{ UserId: other.UserId, UserName: other.UserName, Email: `unusual${made}@example.com` }],
    HasMore: false,
  });
  const team = await role();
  await post(admin, `/rights/sk.RunActivity/roles/grant/Schema/Finance`, [team]);
  await post(admin, `/rights/sk.ViewRuns/users/grant`, [other.UserId]);
  const { Items, Schema, AdministratorCount } = await shares();
  expect({ Schema, isCounted: AdministratorCount > 0 }).toEqual({ Schema: 'Finance', isCounted: true });
  expect(Items.map(({ Holder, Scope }) => [Holder.Name, Scope])).toEqual(
    expect.arrayContaining([
      [team, 'Schema'],
      [other.UserName, 'All'],
    ]),
  );
});

test('a public link is for those who manage rights, ends at its time, and has no more runs than it was given', async () => {
  const path = `/activities/shares/${activityId}/publiclink`;
  expect(await post(editor, path, { Days: 1, MaxRuns: null })).toBe(403);
  expect(await post(admin, path, { Days: 1, MaxRuns: 1 })).toBe(200);
  const visit = async () => (await get({ headers: {} }, `/public/activities/details/${activityId}`)).status;
  const start = () =>
    post({ headers: {} }, '/public/activities/start', {
      ActivityId: activityId,
      ActivityVersion: 1,
      UniqueId: null,
      Inputs: [],
    });
  expect(await visit()).toBe(200);
  const statuses = await Promise.all([start(), start()]);
  expect(statuses.toSorted()).toEqual([200, 409]);
  // Rows that are calculated without runs would evade the limit.
  expect(await post({ headers: {} }, `/public/activities/${activityId}/evaluate`, { Rows: [{}] })).toBe(409);
  expect(await visit()).toBe(409);
  // The form would still calculate outputs.
  const form = { ActivityId: activityId, ActivityVersion: 1, Inputs: [] };
  expect(await post({ headers: {} }, '/public/activities/updateui', form)).toBe(409);
  expect((await shares()).PublicLink).toMatchObject({ IsOpen: true, IsOwn: true, MaxRuns: 1, RunCount: 1 });
  expect(await post(admin, path, { Days: 1, MaxRuns: null })).toBe(200);
  expect(await visit()).toBe(200);
  const { knex } = app.database;
  await knex('PublicLinks')
    .where({ ActivityId: activityId })
    .update({ ExpiryTime: new Date(Date.now() - 1000) });
  expect(await visit()).toBe(404);
  expect((await shares()).PublicLink.IsOpen).toBe(false);
  await app.cleanSharing();
  expect((await shares()).PublicLink).toMatchObject({ IsOwn: false, ExpiryTime: null });
  const last = await knex('SecurityActions').orderBy('Id', 'desc').first('Action', 'UserName', 'KeyColumnValue');
  expect(last).toEqual({ Action: 'DeleteInternetAccess', UserName: 'system', KeyColumnValue: String(activityId) });
  // A later grant does not inherit the limits.
  expect(await post(admin, path, { Days: 1, MaxRuns: 5 })).toBe(200);
  expect(await post(admin, `${path}/revoke`)).toBe(200);
  expect(await visit()).toBe(404);
  expect(await post(admin, `/rights/sk.RunActivity/internet/grant/Id/${activityId}`)).toBe(200);
  expect((await shares()).PublicLink).toMatchObject({ IsOpen: true, ExpiryTime: null, MaxRuns: null });
});

test('a change of one limit of a public link leaves the other as it is, with its count', async () => {
  const path = `/activities/shares/${activityId}/publiclink`;
  const link = async () => (await shares()).PublicLink;
  expect(await post(admin, path, { Days: 1, MaxRuns: 5 })).toBe(200);
  await app.database.knex('PublicLinks').where({ ActivityId: activityId }).update({ RunCount: 2 });
  const { ExpiryTime } = await link();
  expect(await post(admin, path, { Days: 30 })).toBe(200);
  const longer = await link();
  expect(longer).toMatchObject({ MaxRuns: 5, RunCount: 2 });
  expect(Date.parse(longer.ExpiryTime!)).toBeGreaterThan(Date.parse(ExpiryTime!) + 28 * 86_400_000);
  expect(await post(admin, path, { MaxRuns: 9 })).toBe(200);
  expect(await link()).toMatchObject({ MaxRuns: 9, RunCount: 0, ExpiryTime: longer.ExpiryTime });
  expect(await post(admin, path, {})).toBe(200);
  expect(await link()).toMatchObject({ MaxRuns: 9, ExpiryTime: longer.ExpiryTime });
  expect(await post(admin, path, { Days: null, MaxRuns: null })).toBe(200);
  expect(await link()).toMatchObject({ IsOpen: true, MaxRuns: null, ExpiryTime: null });
});

test('limits that should stay do not become none because the link has ended in the meantime', async () => {
  const path = `/activities/shares/${activityId}/publiclink`;
  const link = async () => (await shares()).PublicLink;
  expect(await post(admin, path, { Days: 1, MaxRuns: 5 })).toBe(200);
  expect(await post(admin, `${path}/revoke`)).toBe(200);
  for (const limits of [{}, { Days: 30 }, { MaxRuns: 9 }]) expect(await post(admin, path, limits)).toBe(409);
  expect(await link()).toMatchObject({ IsOpen: false, IsOwn: false });
  expect(await post(admin, path, { Days: 1, MaxRuns: 5 })).toBe(200);
  const ExpiryTime = new Date(Date.now() - 1000);
  await app.database.knex('PublicLinks').where({ ActivityId: activityId }).update({ ExpiryTime });
  expect(await post(admin, path, { MaxRuns: 9 })).toBe(409);
  // The number of runs of an expired link is still there to stay.
  expect(await post(admin, path, { Days: 30 })).toBe(200);
  expect(await link()).toMatchObject({ IsOpen: true, MaxRuns: 5 });
});

test('a link that is renewed while expired links are ended remains', async () => {
  const { knex } = app.database;
  expect(await post(admin, `/activities/shares/${activityId}/publiclink`, { Days: 1, MaxRuns: null })).toBe(200);
  const end = (hours: number) =>
    knex('PublicLinks')
      .where({ ActivityId: activityId })
      .update({ ExpiryTime: new Date(Date.now() + hours * 3_600_000) });
  await end(-1);
  const ended: string[] = [];
  await endExpiredLinks(app.database, {
    // The person who renews the link holds the lock until then.
    lock: async () => void (await end(1)),
    changeTogether: async (_trx, _actor, { value }) => void ended.push(value),
  });
  expect(ended).toEqual([]);
});

test('many editors share at the same time with few connections to the database', async () => {
  const small = await testApp({ poolSize: 2 });
  const { knex } = small.database;
  const { UserId } = await createUser(small);
  const id = await insertActivity(knex, { UserId, Schema: 'Finance', Name: 'Plan' });
  const author = await signedInUser(small, [{ right: 'sk.EditActivity', Id: id }]);
  const people = [await createUser(small), await createUser(small), await createUser(small), await createUser(small)];
  const answers = await Promise.all(
    people.map((person) =>
      small.http.inject({
        method: 'POST',
        url: `/api/activities/shares/${id}/add`,
        headers: author.headers,
        payload: { ...NOBODY, Level: 'SeeRuns', UserIds: [person.UserId] },
      }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  await small.close();
});
