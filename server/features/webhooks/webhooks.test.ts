/** Tests webhooks with receivers that fail, hang, redirect, disappear and come back. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import { createDeliveryEngine } from '#server/automation/deliveries/delivery-engine.ts';
import { takeDeliveries } from '#server/automation/deliveries/delivery-rows.ts';
import { postJson, PRIVATE_ADDRESS } from '#server/automation/deliveries/post-json.ts';
import type { DeliveryDetails, Webhook, WebhookDraft } from '#shared/contract/webhooks.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { startHttpPeer, type HttpPeer } from '#test/support/peers/http.ts';
import { insertActivity, insertRun, insertSecondVersion } from '#test/support/runs.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';
import { collectWebhookEvents } from './webhook-events.ts';
import { createWebhookSecrets } from '#server/access/webhook-secrets.ts';
import { createWebhookSender } from './webhook-sender.ts';

const LOCAL = ['127.0.0.0/8'];
let app: TestApp;
let headers: { authorization: string };
let UserId: number;
let receiver: HttpPeer;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp({ settings: { webhookPrivateAddresses: LOCAL, publicUrl: 'https://portal.example' } });
  const admin = await createUser(app, { isUserAdmin: true });
  UserId = admin.UserId;
  headers = bearer(await signIn(app, admin));
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await startHttpPeer();
  ActivityId = await insertActivity(app.database.knex, { UserId });
  await app.collectEvents();
});
afterEach(async () => {
  await receiver.stop();
  await app.database.knex('Webhooks').delete();
});

const call = async (method: 'GET' | 'POST', url: string, payload?: object) =>
  app.http.inject({ method, url: `/api/admin/webhooks${url}`, headers, payload });

async function create(changes: Partial<WebhookDraft> = {}): Promise<{ Id: number; Secret: string }> {
  const draft = { Name: 'Ops', Url: `${receiver.url}/hook`, OnRunEnded: true, OnVersionPublished: true };
  const rest = { OnApprovalAsked: true, IsActive: true, ActivityIds: [] };
  const answer = await call('POST', '/create', { ...draft, ...rest, ...changes });
  expect(answer.statusCode).toBe(200);
  return answer.json().result;
}

const endRun = (more: object = {}): Promise<number> =>
  insertRun(app.database.knex, {
    ActivityId,
    UserId,
    Status: 'Succeeded',
    EndTime: app.database.knex.fn.now(),
    ...more,
  });

async function deliver(): Promise<void> {
  await app.collectEvents();
  await app.deliveries.sendDue();
}

async function logOf(webhookId: number): Promise<DeliveryDetails[]> {
  const { Items } = (await call('GET', `/${webhookId}/deliveries`)).json().result as { Items: { Id: number }[] };
  return Promise.all(Items.map(async ({ Id }) => (await call('GET', `/deliveries/${Id}`)).json().result));
}

const isDue = () => app.database.knex('Deliveries').update({ DueTime: app.database.knex.fn.now() });

function signature(secret: string, { headers: sent, body }: HttpPeer['received'][number]): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const text = `${String(sent['webhook-id'])}.${String(sent['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

test('sends each end of a run and each version once, signed', async () => {
  const early = await endRun();
  const { Id, Secret } = await create();
  const run = await endRun();
  await insertSecondVersion(app.database.knex, ActivityId);
  await deliver();
  await Promise.all([app.collectEvents(), app.collectEvents()]);
  await deliver();
  expect(receiver.received).toHaveLength(2);
  const events = receiver.received.map(({ body }) => JSON.parse(body));
  const ended = events.find(({ type }) => type === 'run.ended');
  expect(ended.data).toMatchObject({ ActivityRunId: run, ActivityId, Status: 'Succeeded', UserId });
  expect(ended.data.Url).toBe(`https://portal.example/activities/runstatus/${run}/`);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['run.ended', 'version.published']));
  expect(events.some(({ data }) => data.ActivityRunId === early)).toBe(false);
  for (const one of receiver.received) expect(one.headers['webhook-signature']).toBe(signature(Secret, one));
  expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(2);
  expect((await logOf(Id)).map(({ Status, StatusCode }) => [Status, StatusCode])).toEqual([
    ['Delivered', 200],
    ['Delivered', 200],
  ]);
});

test('sends only what concerns chosen activities, and nothing while it is switched off', async () => {
  const other = await insertActivity(app.database.knex, { UserId });
  await create({ ActivityIds: [other] });
  await create({ IsActive: false });
  await endRun();
  const run = await endRun({ ActivityId: other });
  await deliver();
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.ActivityRunId)).toEqual([run]);
});

test('comes again with the same id until the receiver takes it, and the log says how each attempt ended', async () => {
  const { Id } = await create();
  await endRun();
  receiver.answer = 503;
  await deliver();
  await deliver();
  expect(receiver.received).toHaveLength(1);
  receiver.answer = 204;
  await isDue();
  await deliver();
  expect(receiver.received).toHaveLength(2);
  expect(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size).toBe(1);
  const [entry] = await logOf(Id);
  expect(entry).toMatchObject({ Status: 'Delivered', Attempts: 2 });
  expect(entry!.Log.map(({ StatusCode, Error }) => [StatusCode, Error])).toEqual([
    [204, null],
    [503, 'It answered 503'],
  ]);
  expect((await call('POST', `/deliveries/${entry!.Id}/redeliver`)).statusCode).toBe(200);
  await deliver();
  expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(entry!.DeliveryKey);
});

test('what waits for hours is sent at once on demand, to a new address and with a new secret', async () => {
  const { Id } = await create();
  receiver.answer = 503;
  await endRun();
  await deliver();
  const { knex, dialect } = app.database;
  const paths = () => receiver.received.map(({ path }) => path);
  /** Makes the delivery wait for hours, then does something about it. */
  const waits = async (path: string, body?: object) => {
    await knex('Deliveries').update({ DueTime: dialect.nowPlus(knex, 6 * 3600) });
    const answer = await call('POST', path, body);
    expect(answer.statusCode, path).toBe(200);
    await deliver();
    return answer.json().result;
  };
  const [entry] = await logOf(Id);
  await waits(`/deliveries/${entry!.Id}/redeliver`);
  expect(await waits(`/sendWaiting/${Id}`)).toEqual({ Count: 1 });
  const draft = { Name: 'Ops', OnRunEnded: true, OnVersionPublished: true, OnApprovalAsked: true, IsActive: true };
  await waits('/update', { ...draft, Id, Url: `${receiver.url}/hook`, ActivityIds: [] });
  expect(paths()).toEqual(['/hook', '/hook', '/hook']);
  await waits('/update', { ...draft, Id, Url: `${receiver.url}/new`, ActivityIds: [] });
  receiver.answer = 200;
  await waits(`/rotate/${Id}`);
  expect(paths().slice(3)).toEqual(['/new', '/new']);
  expect(await logOf(Id)).toMatchObject([{ Status: 'Delivered', Attempts: 5 }]);
  // Once it has ended, its retries begin again.
  receiver.answer = 503;
  await waits(`/deliveries/${entry!.Id}/redeliver`);
  const [again] = await logOf(Id);
  expect(again).toMatchObject({ Status: 'Waiting', Attempts: 1 });
  expect(new Date(again!.DueTime!).getTime()).toBeLessThan(Date.now() + 60_000);
});

test('is given up after three days', async () => {
  const { Id } = await create();
  await endRun();
  receiver.answer = 500;
  await app.collectEvents();
  const { knex, dialect } = app.database;
  await knex('Deliveries').update({ CreateTime: dialect.nowPlus(knex, -72 * 3600 + 5) });
  await deliver();
  expect(await logOf(Id)).toMatchObject([{ Status: 'GivenUp', DueTime: null }]);
  const [webhook] = (await call('GET', '')).json().result.Items as Webhook[];
  expect(webhook).toMatchObject({ Waiting: 0, GivenUp: 1 });
});

test('one whose server died between taking and sending it is sent by another, with the same id', async () => {
  await create();
  await endRun();
  await collectWebhookEvents({ database: app.database, address: null });
  const [taken] = await takeDeliveries(app.database, 1, 60);
  await app.deliveries.sendDue();
  expect(receiver.received).toEqual([]);
  const { knex, dialect } = app.database;
  await knex('Deliveries').update({ TakenUntil: dialect.nowPlus(knex, -1) });
  await app.deliveries.sendDue();
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]!.headers['webhook-id']).toBe(taken!.DeliveryKey);
});

test('two servers that send at once send each once', async () => {
  await create();
  for (let i = 0; i < 30; i++) await endRun();
  await app.collectEvents();
  const secrets = createWebhookSecrets('a key of the tests, of no other use');
  const webhook = createWebhookSender({ database: app.database, secrets, allowed: LOCAL });
  const channels = { Webhook: webhook, Teams: webhook, Slack: webhook, Mail: webhook };
  const second = createDeliveryEngine({ database: app.database, log: pino({ level: 'silent' }), channels });
  await Promise.all([second.sendDue(), app.deliveries.sendDue()]);
  expect(receiver.received).toHaveLength(30);
});

test('a secret is kept encrypted, and the one before is used for a day besides a new one', async () => {
  const { Id, Secret } = await create();
  const rotated = (await call('POST', `/rotate/${Id}`)).json().result as { Secret: string };
  expect(JSON.stringify(await app.database.knex('Webhooks').select())).not.toContain(Secret.slice(8, 30));
  expect(JSON.stringify((await call('GET', '')).json())).not.toContain('Secret"');
  await call('POST', `/test/${Id}`);
  await deliver();
  const [one] = receiver.received;
  expect(one!.headers['webhook-signature']).toBe(`${signature(rotated.Secret, one!)} ${signature(Secret, one!)}`);
  await app.database.knex('Webhooks').update({ OldSecretUntil: new Date(Date.now() - 1000) });
  await call('POST', `/test/${Id}`);
  await deliver();
  const second = receiver.received[1]!;
  expect(second.headers['webhook-signature']).toBe(signature(rotated.Secret, second));
  const actions = await app.database.knex('SecurityActions').orderBy('Id', 'desc').limit(2).pluck('Action');
  expect(actions).toEqual(['RotateWebhookSecret', 'CreateWebhook']);
});

test('the clock of the database says how long the old secret is used, whatever that of the server shows', async () => {
  const { Id, Secret } = await create();
  const rotated = (await call('POST', `/rotate/${Id}`)).json().result as { Secret: string };
  await call('POST', `/test/${Id}`);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
  try {
    await deliver();
    const [listed] = (await call('GET', '')).json().result.Items;
    expect(listed.OldSecretUntil).toEqual(expect.any(String));
  } finally {
    vi.useRealTimers();
  }
  const [one] = receiver.received;
  expect(one!.headers['webhook-signature']).toBe(`${signature(rotated.Secret, one!)} ${signature(Secret, one!)}`);
});

test('private addresses are refused unless a setting allows them, by whatever name, and redirects are not followed', async () => {
  const port = receiver.url.split(':').at(-1)!;
  const refused = [`https://localhost:${port}/`, `https://127.0.0.1:${port}/`, `https://[::1]:${port}/`];
  refused.push(
    `https://[::ffff:127.0.0.1]:${port}/`,
    'https://169.254.169.254/latest',
    'https://0.0.0.0/',
    'https://0x7f000001/',
  );
  for (const url of refused) {
    expect(await postJson(url, '{}', { allowed: [], timeLimit: 5000 }), url).toMatchObject({ Error: PRIVATE_ADDRESS });
  }
  // A public address, without encryption.
  const plain = await postJson('http://1.1.1.1/', '{}', { allowed: LOCAL, timeLimit: 5000 });
  expect(plain.Error).toBe('Only https is allowed for this address');
  receiver.answer = { status: 302, location: `${receiver.url}/inner` };
  const moved = await postJson(receiver.url, '{}', { allowed: LOCAL, timeLimit: 5000 });
  expect(moved).toMatchObject({ StatusCode: 302, Error: 'It answered 302: redirects are not followed' });
  expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
});

test('a receiver that hangs or is unreachable is waited for no longer than the limit, and gets nothing else in that time', async () => {
  receiver.answer = null;
  const hung = await postJson(receiver.url, '{}', { allowed: LOCAL, timeLimit: 300 });
  expect(hung).toMatchObject({ StatusCode: null, Error: 'It did not respond within 0 seconds' });
  const { Id } = await create({ Url: 'http://127.0.0.1:1/' });
  for (let i = 0; i < 40; i++) await endRun();
  await deliver();
  const log = await logOf(Id);
  expect(log.filter(({ Attempts }) => Attempts > 0).length).toBeLessThan(20);
  expect(log.every(({ Status, DueTime }) => Status === 'Waiting' && new Date(DueTime!) > new Date())).toBe(true);
});

test('an address that the settings refuse is not saved, and one where nobody answers is said so', async () => {
  const body = { Name: 'x', OnRunEnded: true, OnVersionPublished: false, OnApprovalAsked: false, ActivityIds: [] };
  const save = async (Url: string, Id?: number, IsActive = true) => {
    const path = Id === undefined ? '/create' : '/update';
    const answer = await call('POST', path, { ...body, Url, IsActive, ...(Id === undefined ? {} : { Id }) });
    return { status: answer.statusCode, ...answer.json() };
  };
  for (const [Url, message] of [
    ['https://169.254.169.254/latest', PRIVATE_ADDRESS],
    ['https://10.1.2.3/', PRIVATE_ADDRESS],
    ['https://[::1]/', PRIVATE_ADDRESS],
    ['http://1.1.1.1/', 'Only https is allowed for this address'],
  ] as const) {
    expect(await save(Url), Url).toEqual({ status: 400, message, modelState: { Url: [message] } });
  }
  const good = await save(receiver.url);
  expect(good).toMatchObject({ status: 200, result: { AddressIssue: null } });
  const { Id } = good.result;
  expect((await save('https://10.1.2.3/', Id)).status).toBe(400);
  expect((await save('http://127.0.0.1:1/', Id)).result).toEqual({
    AddressIssue: 'It cannot be reached: ECONNREFUSED',
  });
  const unknown = await save('https://no-such-host.invalid/');
  expect(unknown.result.AddressIssue).toBe('The host name of the address was not found');
  // A webhook whose address is no longer allowed can still be switched off.
  await app.database.knex('Webhooks').where({ Id }).update({ Url: 'https://10.1.2.3/' });
  expect(await save('https://10.1.2.3/', Id, false)).toEqual({ status: 200, result: { AddressIssue: null } });
  expect(receiver.received).toEqual([]);
});

test('invalid addresses are refused, and so are users who are no administrators', async () => {
  for (const Url of ['ftp://example.com', 'https://', 'https://a:b@example.com/', 'example.com', 'https://exa mple/']) {
    const answer = await call('POST', '/create', {
      Name: 'x',
      Url,
      OnRunEnded: true,
      OnVersionPublished: false,
      OnApprovalAsked: false,
      IsActive: true,
      ActivityIds: [],
    });
    expect(answer.statusCode, Url).toBe(400);
  }
  const person = bearer(await signIn(app, await createUser(app, { rights: ['sk.EditActivity'] })));
  expect((await app.http.inject({ url: '/api/admin/webhooks', headers: person })).statusCode).toBe(403);
});
