/** Alerts with a real mail server and real receivers. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Config } from '#server/config/config-schema.ts';
import { createMailSender, type MailSettings } from '#server/mail/mail-sender.ts';
import type { AlertDraft, AlertList, NotificationSettings } from '#shared/contract/alerts.ts';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { MAIL_SERVER_CERTIFICATE, MAIL_USER, startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { output } from '#test/support/portal.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;
const SETTINGS: Partial<Config> & MailSettings = {
  webhookPrivateAddresses: ['127.0.0.0/8'],
  publicUrl: 'https://portal.example',
  smtpHost: 'localhost',
  smtpUser: MAIL_USER.name,
  smtpPassword: MAIL_USER.password,
  mailFrom: 'Runsheet <runsheet@example.com>',
  smtpPort: 0,
  smtpSecurity: 'starttls',
};
const NOBODY = { Roles: [], UserIds: [], ByBell: true, ByMail: false };

let mails: TestMailServer;
let app: TestApp;
let editor: Signed;
let looker: Signed;
let stranger: Signed;
let receiver: Receiver;
let ActivityId: number;
let made = 0;

beforeAll(async () => {
  mails = await startMailServer();
  const mail = createMailSender({ ...SETTINGS, smtpPort: mails.port }, { ca: MAIL_SERVER_CERTIFICATE });
  app = await testApp({ mail, settings: SETTINGS });
  editor = await signedInUser(app, ['sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns']);
  looker = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  stranger = await signedInUser(app, ['sk.RunActivity']);
  await app.database.knex('Roles').insert({ Name: 'Close' });
  for (const { UserId, UserName } of [looker, stranger]) {
    await app.database.knex('RoleUsers').insert({ RoleName: 'Close', UserId });
    await app.database
      .knex('Users')
      .where({ UserId })
      .update({ Email: `${UserName}@example.com` });
  }
});
afterAll(async () => {
  await app.close();
  await mails.close();
});
beforeEach(async () => {
  receiver = await startReceiver();
  const definition = { ...EMPTY_DEFINITION, outputs: [output('Total')] };
  ActivityId = await insertActivity(app.database.knex, { UserId: editor.UserId, Name: `Close ${++made}`, definition });
  await app.outgoing.collect();
});
afterEach(async () => {
  await receiver.close();
  await app.database.knex('Alerts').delete();
  await app.database.knex('NotificationSettings').delete();
  await app.database.knex('Deliveries').delete();
  mails.mails.length = 0;
});

const call = (method: 'GET' | 'POST', url: string, { headers }: Signed = editor, payload?: object) =>
  app.http.inject({ method, url: `/api${url}`, headers, payload });

const draftOf = (changes: Partial<AlertDraft>): AlertDraft => ({
  Id: null,
  Name: 'Ended badly',
  IsActive: true,
  Condition: { Kind: 'Outcome', Statuses: ['Failed'] },
  Receivers: { Roles: ['Close'], UserIds: [], ByBell: true, ByMail: true },
  NextReceivers: NOBODY,
  EscalateMinutes: null,
  Webhooks: [],
  ...changes,
});

async function save(changes: Partial<AlertDraft> = {}): Promise<number> {
  const answer = await call('POST', '/activities/alerts/save', editor, { ActivityId, ...draftOf(changes) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().result.Id;
}

const list = async (): Promise<AlertList> => (await call('GET', `/activities/alerts/${ActivityId}`)).json().result;
const bell = async (of: Signed): Promise<NotificationList['Alerts']> =>
  (await call('GET', '/activities/notifications', of)).json().result.Alerts;

const endRun = (Status: string, more: object = {}): Promise<number> =>
  insertRun(app.database.knex, {
    ActivityId,
    UserId: editor.UserId,
    Status,
    EndTime: app.database.knex.fn.now(),
    ...more,
  });

async function look(): Promise<void> {
  await app.outgoing.collect();
  await app.outgoing.deliveries.sendDue();
}

test('an outcome is told once, by bell, mail and webhook, to those who may see the run', async () => {
  const Webhooks = [
    { Kind: 'Teams', Url: `${receiver.url}/teams` },
    { Kind: 'Slack', Url: `${receiver.url}/slack` },
  ] as const;
  await save({ Webhooks: [...Webhooks] });
  await endRun('Succeeded');
  const run = await endRun('Failed');
  await Promise.all([look(), look()]);
  await look();
  expect(await bell(looker)).toMatchObject([{ Name: `Close ${made}`, Message: 'The run failed', Category: 3 }]);
  expect(await bell(stranger)).toEqual([]);
  expect(mails.mails.map(({ to }) => to)).toEqual([[`${looker.UserName}@example.com`]]);
  expect(mails.mails[0]!.source).toMatch(/Subject: .*Close \d+: Ended badly/);
  const { Items } = await list();
  expect(Items[0]!.Firings).toMatchObject([{ ActivityRunId: run, Told: 1, Delivered: 3, GivenUp: 0 }]);
  expect(receiver.received.map(({ path }) => path).toSorted((a, b) => a.localeCompare(b))).toEqual([
    '/slack',
    '/teams',
  ]);
  const link = `https://portal.example/alerts/firings/${Items[0]!.Firings[0]!.Id}`;
  const [slack, teams] = receiver.received
    .toSorted((a, b) => a.path.localeCompare(b.path))
    .map(({ body }) => JSON.parse(body));
  expect(slack.blocks.at(-1).elements[0].url).toBe(link);
  expect(teams.attachments[0].content).toMatchObject({ type: 'AdaptiveCard', actions: [{ url: link }] });
  expect(Items[0]!.Webhooks[0]).toEqual({ Kind: 'Teams', Host: new URL(receiver.url).host });
  expect(JSON.stringify(await app.database.knex('Alerts').select())).not.toContain('/teams');
});

test('of a chain there is one message, however many of its runs fail', async () => {
  await save();
  const { knex } = app.database;
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId: editor.UserId })
    .returning('Id');
  const [{ Id: PlanId }] = await knex('ChecklistPlans')
    .insert({ Hash: `alerts ${ActivityId}`, Plan: '{}' })
    .returning('Id');
  const chain = { ChecklistId, PlanId, UserId: editor.UserId, Status: 'Started', Inputs: '[]' };
  const [{ Id: ChecklistRunId }] = await knex('ChecklistRuns').insert(chain).returning('Id');
  await endRun('Failed', { ChecklistRunId, StepKey: 'a' });
  await endRun('Failed', { ChecklistRunId, StepKey: 'b' });
  await look();
  expect(await bell(looker)).toHaveLength(1);
  const owner = await signedInUser(app, ['sk.EditChecklist', 'sk.ViewRuns']);
  const body = { ChecklistId, ...draftOf({ Receivers: { ...NOBODY, UserIds: [owner.UserId] } }) };
  expect((await call('POST', '/checklists/alerts/save', owner, body)).statusCode).toBe(200);
  await knex('ChecklistRuns')
    .where('Id', ChecklistRunId)
    .update({ Status: 'Failed', EndTime: app.database.dialect.now(knex) });
  await look();
  expect(await bell(owner)).toMatchObject([{ Name: 'Close', Message: 'The run failed' }]);
  expect((await call('POST', '/checklists/alerts/save', stranger, body)).statusCode).toBe(403);
});

test('lateness is told where nothing has succeeded by then, and looks again the next day', async () => {
  const Condition = { Kind: 'Late', By: 0, TimeZone: 'UTC', Days: [1, 2, 3, 4, 5, 6, 7], CalendarId: null } as const;
  const id = await save({ Condition: { ...Condition, Days: [...Condition.Days] } });
  const { knex } = app.database;
  const deadline = new Date(Date.now() - 1000);
  await knex('Alerts').where('Id', id).update({ NextTime: deadline });
  await endRun('Succeeded', { EndTime: new Date(deadline.getTime() + 500) });
  await look();
  // Who may not see runs of others may know that there is none.
  expect(await bell(stranger)).toHaveLength(1);
  expect((await bell(looker))[0]!.Message).toMatch(/^No run has succeeded today by \d\d:\d\d \(UTC\)$/);
  const [{ NextTime }] = await knex('Alerts').where('Id', id).select('NextTime');
  expect(NextTime.getTime()).toBeGreaterThan(Date.now());
  await knex('AlertFirings').delete();
  await knex('Alerts')
    .where('Id', id)
    .update({ NextTime: new Date(Date.now() - 1) });
  await look();
  expect((await list()).Items[0]!.Firings).toEqual([]);
});

test('lateness says nothing on a day on which the calendar does not work', async () => {
  const { knex } = app.database;
  const deadline = new Date(Date.now() - 1000);
  const [{ Id: CalendarId }] = await knex('HolidayCalendars').insert({ Name: 'Rest', Weekend: '' }).returning('Id');
  await knex('Holidays').insert({ CalendarId, Day: deadline.toISOString().slice(0, 10), Name: 'Today' });
  const Condition = { Kind: 'Late' as const, By: 0, TimeZone: 'UTC', Days: [1, 2, 3, 4, 5, 6, 7], CalendarId };
  const id = await save({ Condition });
  expect((await list()).Items[0]!.Condition).toEqual(Condition);
  await knex('Alerts').where('Id', id).update({ NextTime: deadline });
  await look();
  expect((await list()).Items[0]!.Firings).toEqual([]);
  await knex('Holidays').where({ CalendarId }).update({ Day: '2020-02-29' });
  await knex('Alerts').where('Id', id).update({ NextTime: deadline });
  await look();
  expect((await list()).Items[0]!.Firings).toHaveLength(1);
  const administrator = await createUser(app, { isUserAdmin: true });
  const headers = bearer(await signIn(app, administrator));
  const removed = await call('POST', `/holidayCalendars/delete/${CalendarId}`, { ...administrator, headers });
  expect([removed.statusCode, removed.json().message]).toEqual([
    409,
    'Schedules or alerts heed this calendar: give them another one first',
  ]);
  const unknown = { ActivityId, ...draftOf({ Condition: { ...Condition, CalendarId: 999_999 } }) };
  expect((await call('POST', '/activities/alerts/save', editor, unknown)).statusCode).toBe(400);
});

test('a run that takes longer than usual is told of while it goes on', async () => {
  await save({ Condition: { Kind: 'Long', Factor: 2 } });
  const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
  for (let i = 0; i < 20; i++) await endRun('Succeeded', { StartTime: ago(3_610), EndTime: ago(3_600) });
  await endRun('Succeeded', { StartTime: ago(19), EndTime: ago(0) });
  await endRun('Started', { StartTime: ago(15), EndTime: null });
  await look();
  expect(await bell(looker)).toEqual([]);
  const slow = await endRun('Started', { StartTime: ago(65), EndTime: null });
  await look();
  await look();
  expect((await list()).Items[0]!.Firings).toMatchObject([
    {
      ActivityRunId: slow,
      Message: expect.stringMatching(/has been running for 1 min 5 s; 95 of 100 .* took (10|19) s/),
    },
  ]);
});

test('a value of an output is told where the condition holds', async () => {
  await save({ Condition: { Kind: 'Value', Condition: 'Total > 1000' } });
  const { knex } = app.database;
  const [ActivityParameterId] = await knex('ActivityParameters').where({ ActivityId, Direction: 'output' }).pluck('Id');
  for (const Value of ['1000', '1000.5', '{"error":"#N/A"}']) {
    const ActivityRunId = await endRun('Succeeded', { EndTime: null });
    await knex('RunOutputs').insert({ ActivityRunId, ActivityParameterId, Value });
    await knex('ActivityRuns')
      .where('Id', ActivityRunId)
      .update({ EndTime: app.database.dialect.now(knex) });
  }
  await look();
  expect((await bell(looker)).map(({ Message }) => Message)).toEqual(['Total > 1000: Total is 1000.5']);
  const wrong = { ActivityId, ...draftOf({ Condition: { Kind: 'Value', Condition: 'Nothing > 1' } }) };
  expect((await call('POST', '/activities/alerts/save', editor, wrong)).json().message).toBe('Condition is invalid');
});

test('what the message says of a value is how it was decided; one that cannot be read is told, and keeps no other alert waiting', async () => {
  const outputs = [
    output('Ratio'),
    output('Day', { CellUsages: ['Date'] }),
    output('Open', { CellUsages: ['Boolean'] }),
  ];
  ActivityId = await insertActivity(app.database.knex, {
    UserId: editor.UserId,
    Name: `Values ${++made}`,
    definition: { ...EMPTY_DEFINITION, outputs },
  });
  const Condition = "NOT Ratio < 5 AND Day > '2026-01-01' AND Open = TRUE";
  await save({ Condition: { Kind: 'Value', Condition } });
  await save({ Name: 'Any end', Condition: { Kind: 'Outcome', Statuses: ['Succeeded'] } });
  const { knex } = app.database;
  const ids = (await knex('ActivityParameters').where({ ActivityId }).orderBy('Id').pluck('Id')) as number[];
  for (const Ratio of ['{"error":"#DIV/0!"}', '{']) {
    const ActivityRunId = await endRun('Succeeded', { EndTime: null });
    const Values = [Ratio, '46356', 'true'];
    await knex('RunOutputs').insert(
      ids.map((ActivityParameterId, at) => ({ ActivityRunId, ActivityParameterId, Value: Values[at] })),
    );
    await knex('ActivityRuns')
      .where('Id', ActivityRunId)
      .update({ EndTime: app.database.dialect.now(knex) });
  }
  await look();
  expect((await bell(looker)).map(({ Message }) => Message).toSorted()).toEqual([
    `${Condition}: Ratio is #DIV/0!, Day is 30/Nov/2026, Open is TRUE`,
    `The condition ${Condition} cannot be decided any more`,
    'The run was successful',
    'The run was successful',
  ]);
});

test('a person who wants quiet hears of it afterwards', async () => {
  const minute = (offset: number): number => (Math.floor(Date.now() / 60_000) + offset + 1440) % 1440;
  const quiet: NotificationSettings = {
    QuietFrom: minute(-60),
    QuietUntil: minute(60),
    SummaryAt: null,
    TimeZone: 'UTC',
  };
  expect((await call('POST', '/notificationSettings', looker, quiet)).statusCode).toBe(200);
  await save();
  await endRun('Failed');
  await look();
  expect(await bell(looker)).toEqual([]);
  expect(mails.mails).toEqual([]);
  const { knex, dialect } = app.database;
  const [{ VisibleTime }] = await knex('AlertNotices').select('VisibleTime');
  expect(VisibleTime.getTime() - Date.now()).toBeGreaterThan(50 * 60_000);
  await knex('AlertNotices').update({ VisibleTime: dialect.now(knex) });
  await knex('Deliveries')
    .where('Status', 'Waiting')
    .update({ DueTime: dialect.now(knex) });
  await look();
  expect(await bell(looker)).toHaveLength(1);
  expect(mails.mails).toHaveLength(1);
  expect((await call('POST', '/notificationSettings', looker, { ...quiet, TimeZone: 'Nowhere' })).statusCode).toBe(400);
});

test('the next are told where nobody has looked, and nobody where somebody has', async () => {
  const next = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  await save({ EscalateMinutes: 10, NextReceivers: { ...NOBODY, UserIds: [next.UserId] } });
  const { knex } = app.database;
  const passTime = () =>
    knex('AlertFirings')
      .whereNotNull('EscalateTime')
      .update({ EscalateTime: new Date(0) });
  await endRun('Failed');
  await look();
  expect(await bell(next)).toEqual([]);
  const { AlertFiringId } = (await bell(looker))[0]!;
  expect((await call('POST', `/alerts/firings/${AlertFiringId}/seen`, stranger)).statusCode).toBe(404);
  await passTime();
  await look();
  expect(await bell(next)).toHaveLength(1);
  await knex('AlertNotices').delete();
  await endRun('Failed');
  await look();
  const [second] = await bell(looker);
  expect((await call('POST', `/alerts/firings/${second!.AlertFiringId}/seen`, looker)).statusCode).toBe(200);
  await passTime();
  await look();
  expect(await bell(next)).toEqual([]);
  expect((await list()).Items[0]!.Firings[0]).toMatchObject({ SeenTime: expect.any(String) });
});

test('a mail that the server does not take comes when it takes it, with the same Message-ID', async () => {
  await save();
  const { knex, dialect } = app.database;
  const { port } = mails;
  await mails.close();
  await endRun('Failed');
  await look();
  expect(await knex('Deliveries').select('Status', 'Attempts')).toEqual([{ Status: 'Waiting', Attempts: 1 }]);
  mails = await startMailServer({}, port);
  await knex('Deliveries').update({ DueTime: dialect.now(knex) });
  await look();
  const [{ DeliveryKey }] = await knex('Deliveries').select('DeliveryKey');
  expect(mails.mails[0]!.source).toContain(`Message-ID: <${DeliveryKey}@example.com>`);
});

test('a mail server and a channel that take what comes and never answer hold up nothing, and get it when they are back', async () => {
  const { knex, dialect } = app.database;
  const { port } = mails;
  await mails.close();
  let isHung = false;
  mails = await startMailServer({ onMailFrom: () => (isHung = true) }, port);
  receiver.answer = null;
  await save({ Webhooks: [{ Kind: 'Teams', Url: `${receiver.url}/teams` }] });
  await endRun('Failed');
  await app.outgoing.collect();
  const sending = app.outgoing.deliveries.sendDue();
  await until('both hang', () => isHung && receiver.received.length === 1);
  expect(await bell(looker)).toHaveLength(1);
  receiver.hangUp();
  for (const socket of mails.connections()) socket.destroy();
  await sending;
  const waiting = { Status: 'Waiting', Attempts: 1 };
  expect(await knex('Deliveries').select('Status', 'Attempts')).toEqual([waiting, waiting]);
  await mails.close();
  mails = await startMailServer({}, port);
  receiver.answer = 200;
  await knex('Deliveries').update({ DueTime: dialect.now(knex) });
  await look();
  expect(await knex('Deliveries').pluck('Status')).toEqual(['Delivered', 'Delivered']);
  expect([mails.mails.length, receiver.received.length]).toEqual([1, 2]);
});

test('the summary of the day comes at its time, once', async () => {
  const settings = { QuietFrom: null, QuietUntil: null, SummaryAt: 420, TimeZone: 'Europe/Berlin' };
  await call('POST', '/notificationSettings', looker, settings);
  await endRun('Failed', { UserId: looker.UserId });
  await look();
  expect(mails.mails).toEqual([]);
  await app.database.knex('NotificationSettings').update({ SummaryNext: new Date(Date.now() - 1000) });
  await look();
  await look();
  expect(mails.mails).toHaveLength(1);
  expect(mails.mails[0]!.source).toContain('Your runs of the last day: 1, of which 1 failed.');
});

test('a test tells the receivers, and only those who may edit the activity manage its alerts', async () => {
  const id = await save();
  expect((await call('POST', `/alerts/test/${id}`, looker)).statusCode).toBe(403);
  expect((await call('POST', `/alerts/test/${id}`)).statusCode).toBe(200);
  await look();
  expect((await bell(looker))[0]!.Message).toContain('to try the alert');
  expect((await call('GET', `/activities/alerts/${ActivityId}`, looker)).statusCode).toBe(403);
  expect((await call('POST', `/alerts/delete/${id}`, looker)).statusCode).toBe(403);
  expect((await call('POST', `/alerts/delete/${id}`)).statusCode).toBe(200);
  const actions = await app.database.knex('SecurityActions').orderBy('Id', 'desc').limit(2).select();
  expect(actions).toMatchObject([
    { Action: 'UpdateAlerts', KeyColumnName: 'ActivityId', KeyColumnValue: String(ActivityId) },
    { Action: 'UpdateAlerts' },
  ]);
});
