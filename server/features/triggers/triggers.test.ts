import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedHeaders } from '#server/automation/deliveries/signature.ts';
import { createTriggerEngine, type TriggerEngine } from '#server/automation/triggers/trigger-engine.ts';
import type { SavedTrigger, Trigger, TriggerFiring, TriggerInput, TriggerUpdate } from '#shared/contract/triggers.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { input } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, grant, signedInUser, signIn } from '#test/support/users.ts';
import { until } from '#test/support/until.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let data: TestDatabase;
let folder: string;
let editor: Signed;
let admin: Signed;
let ActivityId: number;
let engine: TriggerEngine;
let isPaused = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-triggers-'));
  await mkdir(join(folder, 'in'));
  data = await testDatabase({ isPostgres: true });
  await data.knex.schema.createTable('Orders', (t) => void t.increments('Id'));
  app = await testApp({
    settings: { staticFolders: [`Inbox=${join(folder, 'in')}`], connections: { Shop: { url: data.url } } as never },
  });
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity', 'sk.UseConnection']);
  const made = await createUser(app, { isUserAdmin: true });
  admin = { ...made, headers: bearer(await signIn(app, made)) };
  ActivityId = await activity('Close', [
    input('Day', { CellUsages: ['Date'], AllowDefaultValue: true, DefaultValue: '1' }),
    input('Amount', { CellUsages: ['Number'], AllowDefaultValue: true, DefaultValue: '2' }),
    input('Remark', { CellUsages: ['Text'], AllowDefaultValue: true, DefaultValue: '"-"' }),
    input('File', { CellUsages: ['FilePath'], Blanks: [true], MaxSize: [100] }),
  ]);
  engine = createTriggerEngine({ ...app.triggerContext, signals: app.signals, isPaused: () => isPaused });
});
afterAll(async () => {
  await engine.stop();
  await app.close();
  await data.drop();
  await rm(folder, { recursive: true, force: true });
});

const activity = (Name: string, inputs: ReturnType<typeof input>[] = []): Promise<number> =>
  insertActivity(app.database.knex, { UserId: editor.UserId, Name, definition: { ...EMPTY_DEFINITION, inputs } });
async function call(method: 'GET' | 'POST', url: string, payload?: object, { headers }: Signed = editor) {
  const answer = await app.http.inject({ method, url: `/api/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}
const FILE: TriggerUpdate['Plan'] = { Kind: 'File', Folder: 'Inbox', Pattern: '*.csv', FileInput: 'File' };
const from = (Name: string, From: string): TriggerInput => ({ Name, Value: null, RelativeDate: null, From });
const body = (more: Partial<TriggerUpdate> = {}): TriggerUpdate => ({
  Id: 0,
  OwnerId: ActivityId,
  Name: 'Rates',
  Plan: FILE,
  Inputs: [],
  TimeZone: 'Europe/Berlin',
  Overlap: 'Start',
  ...more,
});
async function save(more: Partial<TriggerUpdate> = {}, user = editor): Promise<SavedTrigger> {
  const answer = await call('POST', 'activities/triggers', body(more), user);
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body.result;
}
async function triggerOf(id: number, owner = ActivityId): Promise<Trigger> {
  const { Items } = (await call('GET', `activities/triggers/${owner}`)).body.result;
  return Items.find(({ Id }: Trigger) => Id === id);
}
const firings = async (id: number, owner = ActivityId): Promise<string[]> =>
  (await triggerOf(id, owner)).Firings.map(({ Outcome, Message }: TriggerFiring) => `${Outcome}: ${Message}`);
const inputsOf = async (runId: number): Promise<unknown[]> =>
  app.database
    .knex('RunInputs as V')
    .join('ActivityParameters as P', 'P.Id', 'V.ActivityParameterId')
    .where('V.ActivityRunId', runId)
    .orderBy('P.Id')
    .select('P.Name', 'V.Value', 'V.FileName');
const endRun = (Id: number, Status: string): Promise<unknown> =>
  app.database
    .knex('ActivityRuns')
    .where({ Id })
    .update({ Status, EndTime: app.database.dialect.now(app.database.knex) });
const runOf = async (owner: number): Promise<number> => {
  const [row] = await app.database
    .knex('ActivityRuns')
    .insert({ ActivityId: owner, ActivityVersion: 1, UserId: editor.UserId, Status: 'Started', MemoryCost: 0 })
    .returning('Id');
  return row.Id;
};
const drop = (name: string, text: string): Promise<void> => writeFile(join(folder, 'in', name), text);
async function poll(count = 2): Promise<void> {
  for (let at = 0; at < count; at += 1) await engine.poll();
}

test('a file that arrives starts one run with it; the same content never again, other content does', async () => {
  await drop('before.csv', 'lay there');
  const { Trigger: made } = await save({ Inputs: [from('Remark', 'name')] });
  expect(made.Text).toBe('A file matching *.csv arrives in the folder Inbox');
  await drop('rates.csv', 'one');
  await drop('notes.txt', 'no');
  await engine.poll();
  expect(await firings(made.Id)).toEqual([]);
  await poll(1);
  expect(await firings(made.Id)).toEqual(['Started: rates.csv']);
  const [{ RunId }] = (await triggerOf(made.Id)).Firings as [TriggerFiring];
  expect(await inputsOf(RunId!)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ Name: 'File', FileName: 'rates.csv' }),
      expect.objectContaining({ Name: 'Remark', Value: '"rates.csv"' }),
    ]),
  );
  const other = createTriggerEngine({ ...app.triggerContext, signals: app.signals });
  await Promise.all([other.poll(), engine.poll()]);
  await Promise.all([other.poll(), engine.poll()]);
  expect(await firings(made.Id)).toEqual(['Started: rates.csv']);
  const { mtime } = await stat(join(folder, 'in', 'rates.csv'));
  await utimes(join(folder, 'in', 'rates.csv'), mtime, new Date(mtime.getTime() + 5000));
  await poll();
  await drop('rates.csv', 'two!');
  await Promise.all([other.poll(), engine.poll()]);
  await Promise.all([other.poll(), engine.poll()]);
  expect(await firings(made.Id)).toEqual([
    'Started: rates.csv',
    'LeftOut: rates.csv. Seen before: the same file with the same content',
    'Started: rates.csv',
  ]);
  await other.stop();
  await call('POST', `activities/triggers/pause/${made.Id}`);
  await drop('late.csv', 'x');
  await poll();
  expect((await firings(made.Id))[0]).toBe('LeftOut: late.csv. The trigger was paused');
  await call('POST', `activities/triggers/delete/${made.Id}`);
});

test('the end of a run with a chosen outcome starts, one without does not; cycles are refused', async () => {
  const second = await activity('Second');
  const ended = (SourceId: number, Outcomes = ['Failed']): TriggerUpdate['Plan'] =>
    ({ Kind: 'Ended', Source: 'Activity', SourceId, Outcomes }) as never;
  const { Trigger: made } = await save({ OwnerId: second, Plan: ended(ActivityId), Overlap: 'Skip' });
  await engine.poll();
  const [good, bad, again] = [await runOf(ActivityId), await runOf(ActivityId), await runOf(ActivityId)];
  await endRun(good, 'Succeeded');
  await endRun(bad, 'Failed');
  await poll();
  expect(await firings(made.Id, second)).toEqual([`Started: Run ${bad} of Close: Failed`]);
  await endRun(again, 'Failed');
  await poll();
  const [left] = await firings(made.Id, second);
  expect(left).toMatch(/^LeftOut: Run \d+ of Close: Failed. Run \d+, which the trigger started before, had not ended/);
  const third = await activity('Third');
  await save({ OwnerId: third, Plan: ended(second) });
  for (const [owner, source] of [
    [ActivityId, ActivityId],
    [ActivityId, third],
  ] as const) {
    const { status, body: answer } = await call(
      'POST',
      'activities/triggers',
      body({ OwnerId: owner, Plan: ended(source) }),
    );
    expect([status, answer.message]).toEqual([400, 'The triggers would start each other in an endless loop']);
  }
  const { status } = await call('POST', 'activities/triggers', body({ Plan: ended(999_999) }));
  expect(status).toBe(404);
});

const inbound = (address: string, text: string, headers: Record<string, string>) =>
  app.http.inject({
    method: 'POST',
    url: address,
    payload: text,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('a signed call starts once, with values of its body; others are answered 401 without a reason', async () => {
  const Plan = { Kind: 'Webhook', Scheme: 'Standard' } as const;
  const Inputs = [from('Amount', '/order/amount'), from('Day', '/order/due'), from('Remark', '/order/number')];
  const { Trigger: made, Secret } = await save({ Plan, Inputs, Name: 'Orders' });
  const address = made.Address!;
  const text = JSON.stringify({ order: { amount: '1,250.5', due: '2026-11-24T00:00:00.000Z' } });
  const headers = signedHeaders([Secret!], 'msg_1', text);
  const first = await inbound(address, text, headers);
  expect([first.statusCode, first.json().result]).toMatchObject([202, { Outcome: 'Started', IsRepeated: false }]);
  const { RunId } = first.json().result;
  expect(await inputsOf(RunId)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ Name: 'Amount', Value: '1250.5' }),
      expect.objectContaining({ Name: 'Day', Value: '46350' }),
    ]),
  );
  const again = await Promise.all([1, 2, 3].map(() => inbound(address, text, headers)));
  expect(again.map((answer) => answer.json().result)).toMatchObject([1, 2, 3].map(() => ({ RunId, IsRepeated: true })));
  const sameHeaders = signedHeaders([Secret!], 'msg_at_once', text);
  const concurrent = await Promise.all([1, 2, 3, 4].map(() => inbound(address, text, sameHeaders)));
  expect(concurrent.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202]);
  const own = concurrent.map((answer) => answer.json().result.RunId as number);
  expect(new Set(own)).toEqual(new Set([own[0]]));
  expect(await app.database.knex('ActivityRuns').where('Id', '>', RunId).pluck('Id')).toEqual([own[0]]);
  // The number as written: JSON.parse would round it.
  const long = '{"order":{"amount":12.5,"number":12345678901234567891}}';
  const numbered = await inbound(address, long, signedHeaders([Secret!], 'msg_long', long));
  expect(await inputsOf(numbered.json().result.RunId)).toEqual(
    expect.arrayContaining([expect.objectContaining({ Name: 'Remark', Value: '"12345678901234567891"' })]),
  );
  const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) };
  const refused = await Promise.all([
    inbound(address, `${text} `, headers),
    inbound(address, text, old),
    inbound(address, text, { ...headers, 'webhook-id': 'msg_2' }),
    inbound(address, text, {}),
    inbound(`${address.slice(0, -5)}XXXXX`, text, headers),
  ]);
  expect(refused.map((answer) => [answer.statusCode, answer.json()])).toEqual(
    refused.map(() => [401, { message: 'The call is not signed correctly' }]),
  );
  const bad = JSON.stringify({ order: { amount: {} } });
  const wrong = await inbound(address, bad, signedHeaders([Secret!], 'msg_3', bad));
  expect(wrong.json().result).toMatchObject({
    Outcome: 'Refused',
    Message: 'A call. Amount: the value at /order/amount is not a number',
    RunId: null,
  });
  const large = JSON.stringify({ x: 'x'.repeat(300_000) });
  expect((await inbound(address, large, signedHeaders([Secret!], 'msg_4', large))).statusCode).toBe(413);
  const renewed = (await call('POST', `activities/triggers/secret/${made.Id}`)).body.result as SavedTrigger;
  expect((await inbound(address, text, signedHeaders([Secret!], 'msg_5', text))).statusCode).toBe(401);
  expect((await inbound(address, text, signedHeaders([renewed.Secret!], 'msg_5', text))).statusCode).toBe(202);
  const stored = await app.database.knex('Triggers').where('Id', made.Id).first();
  expect(JSON.stringify(stored)).not.toContain(renewed.Secret!);
});

test('a call signed as GitHub does counts once for its body', async () => {
  const { Trigger: made, Secret } = await save({ Plan: { Kind: 'Webhook', Scheme: 'Hub' }, Name: 'Push' });
  const text = '{"ref":"refs/heads/main"}';
  const signature = `sha256=${createHmac('sha256', Secret!).update(text).digest('hex')}`;
  const send = (id: string, with_ = signature) =>
    inbound(made.Address!, text, { 'x-hub-signature-256': with_, 'x-github-delivery': id });
  expect((await send('1')).json().result).toMatchObject({ Outcome: 'Started', IsRepeated: false });
  expect((await send('2')).json().result).toMatchObject({ IsRepeated: true });
  expect((await send('3', `sha256=${'0'.repeat(64)}`)).statusCode).toBe(401);
});

const ask = async (id: number): Promise<void> => {
  await app.database
    .knex('Triggers')
    .where('Id', id)
    .update({ NextTime: new Date(0), LookMessage: 'asking' });
  await engine.poll();
  await until(
    'it was asked',
    async () => (await app.database.knex('Triggers').where('Id', id).first()).LookMessage !== 'asking',
  );
  await poll(1);
};

test('a query starts when it turns true, and once for each new key', async () => {
  const Plan = (When: 'BecomesTrue' | 'NewKey', Sql: string): TriggerUpdate['Plan'] => ({
    Kind: 'Query',
    Connection: 'Shop',
    Sql,
    Minutes: 1,
    When,
  });
  const many = await save({ Plan: Plan('BecomesTrue', 'select count(*) > 1 as "Many" from "Orders"'), Name: 'Many' });
  const each = await save({
    Plan: Plan('NewKey', 'select "Id" as "Key", "Id" * 10 as "Total" from "Orders"'),
    Inputs: [from('Amount', 'total')],
    Name: 'Each',
  });
  const long = await save({
    Plan: Plan('NewKey', 'select "Id" + 9007199254740990 as "Key" from "Orders"'),
    Name: 'Keys that are one double',
  });
  await data.knex('Orders').insert({ Id: 1 });
  await ask(long.Trigger.Id);
  await ask(many.Trigger.Id);
  await ask(each.Trigger.Id);
  expect(await firings(each.Trigger.Id)).toEqual([]);
  await data.knex('Orders').insert([{ Id: 2 }, { Id: 3 }]);
  for (const { Trigger: made } of [many, each, many, each, long]) await ask(made.Id);
  await until('it fired', async () => (await firings(long.Trigger.Id)).length === 2);
  await until('it fired', async () => (await firings(each.Trigger.Id)).length === 2);
  await until('it fired', async () => (await firings(many.Trigger.Id)).length === 1);
  expect((await firings(each.Trigger.Id)).toSorted()).toEqual(['Started: New: 2', 'Started: New: 3']);
  expect(await firings(many.Trigger.Id)).toEqual(['Started: The condition has become true']);
  const { Firings } = await triggerOf(each.Trigger.Id);
  const amounts = await Promise.all(Firings.map(({ RunId }) => inputsOf(RunId!)));
  expect(amounts.flat()).toEqual(expect.arrayContaining([expect.objectContaining({ Name: 'Amount', Value: '20' })]));
  const tried = await call('POST', 'activities/triggers/test', { Id: each.Trigger.Id, Body: null });
  expect(tried.body.result).toEqual({ WouldStart: false, Lines: ['3 rows, of which 0 are new'] });
  const writing = await call('POST', 'activities/triggers', body({ Plan: Plan('NewKey', 'delete from "Orders"') }));
  expect(writing.status).toBe(400);
  await data.knex.schema.dropTable('Orders');
  await ask(many.Trigger.Id);
  expect((await triggerOf(many.Trigger.Id)).LookMessage).not.toBeNull();
});

test('where the person has gone it is paused and says why; everything waits for the end of a maintenance', async () => {
  const leaver = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity']);
  const { Trigger: made } = await save({ Plan: { ...FILE, Pattern: 'gone*' } as never, Overlap: 'Wait' }, leaver);
  isPaused = true;
  await drop('gone1.csv', '1');
  await poll(3);
  expect(await firings(made.Id)).toEqual([]);
  isPaused = false;
  await poll();
  expect(await firings(made.Id)).toEqual(['Started: gone1.csv']);
  await drop('gone2.csv', '2');
  await poll();
  expect((await firings(made.Id))[0]).toBe('Waiting: gone2.csv');
  const [, { RunId }] = (await triggerOf(made.Id)).Firings as [TriggerFiring, TriggerFiring];
  expect((await triggerOf(made.Id)).WaitsFor).toBe(RunId);
  await app.database.knex('Users').where('UserId', leaver.UserId).update({ Enabled: false });
  await endRun(RunId!, 'Succeeded');
  await poll();
  const { PausedReason, Firings, WaitsFor } = await triggerOf(made.Id);
  expect(WaitsFor).toBeNull();
  expect(PausedReason).toMatch(/^The user that the trigger runs as, .*, is disabled$/);
  expect(Firings[0]!.Outcome).toBe('Refused');
  const bell = (await call('GET', 'activities/notifications', undefined, admin)).body.result;
  expect(JSON.stringify(bell)).toContain(String(Firings[0]!.RunId));
  const { UserId } = (await save({ ...body(), Id: made.Id, Plan: { ...FILE, Pattern: 'gone*' } as never })).Trigger;
  expect(UserId).toBe(editor.UserId);
});

test('only those who may edit what they start see and change them, and each change is a security action', async () => {
  const stranger = await signedInUser(app, ['sk.RunActivity']);
  expect((await call('GET', `activities/triggers/${ActivityId}`, undefined, stranger)).status).toBe(403);
  expect((await call('POST', 'activities/triggers', body(), stranger)).status).toBe(403);
  const { Items } = (await call('GET', 'triggers')).body.result;
  expect(Items.length).toBeGreaterThan(3);
  expect((await call('GET', 'triggers', undefined, stranger)).body.result.Items).toEqual([]);
  const unconnected = await signedInUser(app, ['sk.RunActivity']);
  await grant(app, unconnected.UserId, { right: 'sk.EditActivity', Id: ActivityId });
  const Plan = { Kind: 'Query', Connection: 'Shop', Sql: 'select 1', Minutes: 1, When: 'NewKey' } as const;
  expect((await call('POST', 'activities/triggers', body({ Plan }), unconnected)).status).toBe(403);
  expect((await call('GET', 'triggers', undefined, unconnected)).body.result.Items).toHaveLength(Items.length - 2);
  const { Trigger: made } = await save({ Name: 'Logged' });
  for (const action of ['pause', 'resume', 'delete']) await call('POST', `activities/triggers/${action}/${made.Id}`);
  const logged = await app.database
    .knex('SecurityActions')
    .orderBy('Id', 'desc')
    .limit(4)
    .select('Action', 'KeyColumnValue');
  expect(logged).toEqual(
    ['DeleteTrigger', 'ResumeTrigger', 'PauseTrigger', 'SaveTrigger'].map((Action) => ({
      Action,
      KeyColumnValue: `${ActivityId}: Logged`,
    })),
  );
});
