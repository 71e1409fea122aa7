/** Asking for access, and granting or declining it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MailSender } from '#server/mail/mail-sender.ts';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { REQUESTS_PER_DAY } from '#shared/contract/access-requests.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { createUser, signedInUser, signIn, bearer, type TestRight } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

/** Mails are only queued here, because no delivery engine runs. */
const mail: MailSender = { isConfigured: true, send: async () => {} };

let app: TestApp;
let asker: Signed;
let editor: Signed;
let activityId: number;
let name: string;
let made = 0;
let ownerId: number;
beforeAll(async () => {
  app = await testApp({ mail, settings: { publicUrl: 'https://portal.example.com', title: 'Portal' } });
  ownerId = (await createUser(app)).UserId;
});
afterAll(() => app.close());
beforeEach(async () => {
  name = `Secret plan ${++made}`;
  activityId = await insertActivity(app.database.knex, { UserId: ownerId, Schema: 'Finance', Name: name });
  asker = await signedInUser(app);
  editor = await signedInUser(app, [{ right: 'sk.EditActivity', Id: activityId }]);
  await app.database
    .knex('Users')
    .whereIn('UserId', [asker.UserId, editor.UserId])
    .update({ Email: app.database.knex.raw("concat(??, '@example.com')", ['UserName']) });
});

async function post(of: { headers: object }, url: string, payload: object = {}) {
  const answer = await app.http.inject({ method: 'POST', url: `/api${url}`, headers: { ...of.headers }, payload });
  return { status: answer.statusCode, ...answer.json<{ message?: string; result?: Record<string, unknown> }>() };
}
const ask = (of: Signed, Id: number, Kind = 'Activity') =>
  post(of, '/accessrequests/ask', { Kind, Id, Message: 'For the close' });
const decide = (of: { headers: object }, Id: number, Grant: boolean) =>
  post(of, '/accessrequests/decide', { Id, Grant });
const get = async (of: { headers: object }, url: string) => {
  const answer = await app.http.inject({ url: `/api${url}`, headers: { ...of.headers } });
  return { status: answer.statusCode, result: answer.json().result };
};
const bell = async (of: { headers: object }): Promise<NotificationList['Access']> =>
  (await get(of, '/activities/notifications')).result.Access;
const open = async (of: { headers: object } = editor) => (await get(of, '/accessrequests')).result.Items;

async function administrator() {
  const user = await createUser(app, { isUserAdmin: true });
  return { ...user, headers: bearer(await signIn(app, user)) };
}
const lastAction = () =>
  app.database
    .knex('SecurityActions')
    .orderBy('Id', 'desc')
    .first('Action', 'UserName', 'TargetUserName', 'RightName', 'KeyColumnValue');

test('a request reaches editors and administrators, and granting it gives access and is logged', async () => {
  expect((await ask(asker, activityId)).status).toBe(200);
  await app.accessRequests.settle();
  const [request] = await open();
  expect(request).toMatchObject({ ActivityName: name, UserId: asker.UserId, Message: 'For the close' });
  expect(request.Rights).toEqual(['sk.RunActivity']);
  expect(await open(await administrator())).toContainEqual(request);
  expect(await bell(editor)).toMatchObject([{ Kind: 'Requested', Name: name, Note: 'For the close' }]);
  expect(await decide(editor, request.Id, true)).toMatchObject({ status: 200, result: { HasAccess: true } });
  expect(await lastAction()).toEqual({
    Action: 'GrantRight',
    UserName: editor.UserName,
    TargetUserName: asker.UserName,
    RightName: 'sk.RunActivity',
    KeyColumnValue: String(activityId),
  });
  expect((await get(asker, `/activities/home/${activityId}`)).status).toBe(200);
  expect(await bell(editor)).toEqual([]);
  const [granted] = await bell(asker);
  expect(granted).toMatchObject({
    Kind: 'Granted',
    ActivityId: activityId,
    Message: `${editor.UserName} gave you access`,
  });
  expect((await post(asker, `/accessrequests/dismiss/${granted!.Id}`)).status).toBe(200);
  expect(await bell(asker)).toEqual([]);
  // Only the first decision counts.
  expect((await decide(await administrator(), request.Id, false)).status).toBe(404);
});

test('whether the object exists shows neither in the answers nor in the limits', async () => {
  const fresh = await signedInUser(app);
  const answers = [];
  for (const id of [activityId, 999_999_999, 3_000_000_000]) {
    const { status, result } = await ask(fresh, id);
    const again = await ask(fresh, id);
    const asked = (await get(fresh, `/accessrequests/asked/Activity/${id}`)).result;
    answers.push({
      status,
      keys: Object.keys(result!),
      isSame: again.result!['AskedTime'] === result!['AskedTime'],
      asked: typeof asked.AskedTime,
    });
  }
  expect(answers[0]).toEqual({ status: 200, keys: ['AskedTime'], isSame: true, asked: 'string' });
  expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
  // A decline is not announced: the request looks as it did.
  const [request] = await open();
  expect((await decide(editor, request.Id, false)).status).toBe(200);
  expect(await lastAction()).toMatchObject({ Action: 'DeclineAccess', TargetUserName: fresh.UserName });
  expect((await get(fresh, `/accessrequests/asked/Activity/${activityId}`)).result.AskedTime).not.toBeNull();
  expect(await bell(fresh)).toEqual([]);
  expect((await ask(fresh, activityId)).status).toBe(200);
  expect(await open()).toEqual([]);
});

test('one person has one open request per object and few per day, also if they ask at the same time', async () => {
  await Promise.all([1, 2, 3].map(() => ask(asker, activityId)));
  expect(await open()).toHaveLength(1);
  for (let id = 2; id <= REQUESTS_PER_DAY; id++) expect((await ask(asker, 800_000_000 + id)).status).toBe(200);
  expect((await ask(asker, 900_000_000)).status).toBe(429);
  const other = await insertActivity(app.database.knex, { UserId: ownerId, Schema: 'Finance', Name: 'Other' });
  expect((await ask(asker, other)).status).toBe(429);
  expect((await ask(asker, activityId)).status).toBe(200);
});

test('nobody else sees or decides a request, and nobody asks for what they see', async () => {
  await ask(asker, activityId);
  const [request] = await open();
  const others: TestRight[][] = [[], ['sk.RunActivity'], [{ right: 'sk.EditActivity', Schema: 'Sales' }]];
  for (const rights of others) {
    const other = await signedInUser(app, rights);
    expect(await open(other)).toEqual([]);
    expect((await decide(other, request.Id, true)).status).toBe(404);
  }
  expect((await decide(asker, request.Id, true)).status).toBe(404);
  expect((await ask(editor, activityId)).status).toBe(409);
});

test('an editor gives no right that they do not hold, and overrides no denial', async () => {
  const runId = await insertRun(app.database.knex, {
    ActivityId: activityId,
    UserId: ownerId,
    Status: 'Succeeded',
    EndTime: new Date(),
  });
  await ask(asker, runId, 'Run');
  const [request] = await open();
  expect(request).toMatchObject({ ActivityRunId: runId, Rights: ['sk.RunActivity', 'sk.ViewRuns'] });
  const narrow = await signedInUser(app, [
    { right: 'sk.EditActivity', Id: activityId },
    { right: 'sk.ViewRuns', Id: activityId, access: -1 },
  ]);
  expect((await decide(narrow, request.Id, true)).status).toBe(403);
  await app.rights.grantToUser(app.database.knex, { UserId: asker.UserId, RightName: 'sk.ViewRuns', Access: -1 });
  expect((await decide(editor, request.Id, true)).status).toBe(409);
  expect(await open()).toHaveLength(1);
  expect((await decide(await administrator(), request.Id, true)).status).toBe(200);
  expect((await get(asker, `/activities/status/${runId}`)).status).toBe(200);
});

test('editors decide nothing where the settings reserve sharing for administrators', async () => {
  const strict = await testApp({ settings: { editorsMayShare: false } });
  const { knex } = strict.database;
  const owner = await createUser(strict);
  const id = await insertActivity(knex, { UserId: owner.UserId, Schema: 'Finance', Name: 'Plan' });
  const [person, author, manager] = [
    await signedInUser(strict),
    await signedInUser(strict, [{ right: 'sk.EditActivity', Id: id }]),
    await signedInUser(strict, ['sk.ManageRights']),
  ];
  const payload = { Kind: 'Activity', Id: id, Message: '' };
  await strict.http.inject({ method: 'POST', url: '/api/accessrequests/ask', headers: person.headers, payload });
  await strict.accessRequests.settle();
  const listed = async ({ headers }: Signed) =>
    (await strict.http.inject({ url: '/api/accessrequests', headers })).json().result.Items.length;
  expect([await listed(author), await listed(manager)]).toEqual([0, 1]);
  const people = ({ headers }: Signed) => strict.http.inject({ url: '/api/accessreasons/people?Search=a', headers });
  expect([(await people(author)).statusCode, (await people(manager)).statusCode]).toEqual([403, 200]);
  await strict.close();
});

test('editors are mailed the request, and the asker the access, each with a link', async () => {
  await ask(asker, activityId);
  await app.accessRequests.settle();
  const [request] = await open();
  await decide(editor, request.Id, true);
  const bodies = (await app.database
    .knex('Deliveries')
    .whereIn('UserId', [asker.UserId, editor.UserId])
    .orderBy('Id')) as { Body: string; UserId: number }[];
  expect(bodies.map(({ Body, UserId }) => ({ UserId, ...JSON.parse(Body) }))).toEqual([
    {
      UserId: editor.UserId,
      subject: `Portal: ${asker.UserName} asks for access to ${name}`,
      text: expect.stringContaining('For the close\n\nhttps://portal.example.com/accessRequests\n'),
    },
    {
      UserId: asker.UserId,
      subject: `Portal: You now have access to ${name}`,
      text: expect.stringContaining(`https://portal.example.com/activities/${activityId}/`),
    },
  ]);
});
