/** Tests when alerts fire, and who manages them. */
import { expect } from 'vitest';
import { hasNoChannel } from '#shared/rules/alert-rules.ts';
import { test } from '#test/support/fixtures/alert-portal.ts';
import { draftOf, NOBODY } from '#test/support/alert-portal.ts';
import { output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity } from '#test/support/runs.ts';
import { notifyPeople } from './alert-notify.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

test('an outcome is announced once, by bell, mail and webhook, to those who may see the run', async ({
  alerts: { save, endRun, collectAndSend, bell, list },
  portal,
}) => {
  const Webhooks = [
    { Kind: 'Teams', Url: `${portal.receiver.url}/teams` },
    { Kind: 'Slack', Url: `${portal.receiver.url}/slack` },
  ] as const;
  await save({ Webhooks: [...Webhooks] });
  await endRun('Succeeded');
  const run = await endRun('Failed');
  await Promise.all([collectAndSend(), collectAndSend()]);
  await collectAndSend();
  expect(await bell(portal.viewer)).toMatchObject([
    { Name: `Close ${portal.made}`, Message: 'The run failed', Category: 3 },
  ]);
  expect(await bell(portal.stranger)).toEqual([]);
  expect(portal.mails.mails.map(({ to }) => to)).toEqual([[`${portal.viewer.UserName}@example.com`]]);
  expect(portal.mails.mails[0]!.source).toMatch(/Subject: .*Close \d+: Ended badly/);
  const { Items } = await list();
  expect(Items[0]!.Firings).toMatchObject([{ ActivityRunId: run, Told: 1, Delivered: 3, GivenUp: 0 }]);
  expect(portal.receiver.received.map(({ path }) => path).toSorted((a, b) => a.localeCompare(b))).toEqual([
    '/slack',
    '/teams',
  ]);
  const link = `https://portal.example/alerts/firings/${Items[0]!.Firings[0]!.Id}`;
  const [slack, teams] = portal.receiver.received
    .toSorted((a, b) => a.path.localeCompare(b.path))
    .map(({ body }) => JSON.parse(body));
  expect(slack.blocks.at(-1).elements[0].url).toBe(link);
  expect(teams.attachments[0].content).toMatchObject({ type: 'AdaptiveCard', actions: [{ url: link }] });
  expect(Items[0]!.Webhooks[0]).toEqual({ Kind: 'Teams', Host: new URL(portal.receiver.url).host });
  expect(JSON.stringify(await portal.app.database.knex('Alerts').select())).not.toContain('/teams');
});

test('a workflow causes one message, however many of its runs fail', async ({
  alerts: { save, endRun, collectAndSend, bell, call },
  portal,
}) => {
  await save();
  const { knex } = portal.app.database;
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId: portal.editor.UserId })
    .returning('Id');
  const [{ Id: PlanId }] = await knex('ChecklistPlans')
    .insert({ Hash: `alerts ${portal.ActivityId}`, Plan: '{"Graph":{"Steps":[]},"Versions":{}}' })
    .returning('Id');
  const workflowRun = { ChecklistId, PlanId, UserId: portal.editor.UserId, Status: 'Started', Inputs: '[]' };
  const [{ Id: ChecklistRunId }] = await knex('ChecklistRuns').insert(workflowRun).returning('Id');
  await endRun('Failed', { ChecklistRunId, StepKey: 'a' });
  await endRun('Failed', { ChecklistRunId, StepKey: 'b' });
  await collectAndSend();
  expect(await bell(portal.viewer)).toHaveLength(1);
  const owner = await signedInUser(portal.app, ['sk.EditChecklist', 'sk.ViewRuns']);
  const body = { ChecklistId, ...draftOf({ Receivers: { ...NOBODY, UserIds: [owner.UserId] } }) };
  expect((await call('POST', '/checklists/alerts/save', owner, body)).statusCode).toBe(200);
  await knex('ChecklistRuns')
    .where('Id', ChecklistRunId)
    .update({ Status: 'Failed', EndTime: portal.app.database.dialect.now(knex) });
  await collectAndSend();
  expect(await bell(owner)).toMatchObject([{ Name: 'Close', Message: 'The run failed' }]);
  expect((await call('POST', '/checklists/alerts/save', portal.stranger, body)).statusCode).toBe(403);
});

test('lateness is announced if nothing has succeeded by then, and checked again the next day', async ({
  alerts: { save, endRun, collectAndSend, bell, list },
  portal,
}) => {
  const Condition = { Kind: 'Late', By: 0, TimeZone: 'UTC', Days: [1, 2, 3, 4, 5, 6, 7], CalendarId: null } as const;
  const id = await save({ Condition: { ...Condition, Days: [...Condition.Days] } });
  const { knex } = portal.app.database;
  const deadline = new Date(Date.now() - 1000);
  await knex('Alerts').where('Id', id).update({ NextTime: deadline });
  await endRun('Succeeded', { EndTime: new Date(deadline.getTime() + 500) });
  await collectAndSend();
  // People who may not see other users' runs may still learn that no run succeeded.
  expect(await bell(portal.stranger)).toHaveLength(1);
  expect((await bell(portal.viewer))[0]!.Message).toMatch(/^No run succeeded by \d\d:\d\d on \d{4}-\d\d-\d\d \(UTC\)$/);
  const [{ NextTime }] = await knex('Alerts').where('Id', id).select('NextTime');
  expect(NextTime.getTime()).toBeGreaterThan(Date.now());
  await knex('AlertFirings').delete();
  await knex('Alerts')
    .where('Id', id)
    .update({ NextTime: new Date(Date.now() - 1) });
  await collectAndSend();
  expect((await list()).Items[0]!.Firings).toEqual([]);
});

test('lateness names the day of the deadline, also if it is noticed on a later day', async ({
  alerts: { save, collectAndSend, bell },
  portal,
}) => {
  // In Auckland, the deadline is on the next day.
  const Condition = { Kind: 'Late' as const, By: 0, TimeZone: 'Pacific/Auckland', Days: [1, 2, 3, 4, 5, 6, 7] };
  const id = await save({ Condition: { ...Condition, CalendarId: null } });
  await portal.app.database
    .knex('Alerts')
    .where('Id', id)
    .update({ NextTime: new Date('2026-02-27T23:30:00Z') });
  await collectAndSend();
  expect(await bell(portal.viewer)).toMatchObject([
    { Message: 'No run succeeded by 12:30 on 2026-02-28 (Pacific/Auckland)' },
  ]);
});

test('lateness says nothing on a day on which the calendar does not work', async ({
  alerts: { save, list, collectAndSend, call },
  portal,
}) => {
  const { knex } = portal.app.database;
  const deadline = new Date(Date.now() - 1000);
  const [{ Id: CalendarId }] = await knex('HolidayCalendars').insert({ Name: 'Rest', Weekend: '' }).returning('Id');
  await knex('Holidays').insert({ CalendarId, Day: deadline.toISOString().slice(0, 10), Name: 'Today' });
  const Condition = { Kind: 'Late' as const, By: 0, TimeZone: 'UTC', Days: [1, 2, 3, 4, 5, 6, 7], CalendarId };
  const id = await save({ Condition });
  expect((await list()).Items[0]!.Condition).toEqual(Condition);
  await knex('Alerts').where('Id', id).update({ NextTime: deadline });
  await collectAndSend();
  expect((await list()).Items[0]!.Firings).toEqual([]);
  await knex('Holidays').where({ CalendarId }).update({ Day: '2020-02-29' });
  await knex('Alerts').where('Id', id).update({ NextTime: deadline });
  await collectAndSend();
  expect((await list()).Items[0]!.Firings).toHaveLength(1);
  const administrator = await createUser(portal.app, { isUserAdmin: true });
  const headers = bearer(await signIn(portal.app, administrator));
  const removed = await call('POST', `/holidayCalendars/delete/${CalendarId}`, { ...administrator, headers });
  expect([removed.statusCode, removed.json().message]).toEqual([
    409,
    'Schedules or alerts use this calendar: choose another one for them first',
  ]);
  const unknown = { ActivityId: portal.ActivityId, ...draftOf({ Condition: { ...Condition, CalendarId: 999_999 } }) };
  expect((await call('POST', '/activities/alerts/save', portal.editor, unknown)).statusCode).toBe(400);
});

test('a run that takes longer than usual is reported while it is in progress', async ({
  alerts: { save, endRun, collectAndSend, bell, list },
  portal,
}) => {
  await save({ Condition: { Kind: 'Long', Factor: 2 } });
  const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
  // The time that the test itself takes must not matter.
  for (let i = 0; i < 20; i++) await endRun('Succeeded', { StartTime: ago(36_100), EndTime: ago(36_000) });
  await endRun('Succeeded', { StartTime: ago(190), EndTime: ago(0) });
  await endRun('Started', { StartTime: ago(15), EndTime: null });
  await collectAndSend();
  expect(await bell(portal.viewer)).toEqual([]);
  const slow = await endRun('Started', { StartTime: ago(9_000), EndTime: null });
  await collectAndSend();
  await collectAndSend();
  expect((await list()).Items[0]!.Firings).toMatchObject([
    {
      ActivityRunId: slow,
      Message: expect.stringMatching(/has been running for 2 h 3\d min; 95% .* took 1 min 40 s or less/),
    },
  ]);
});

test('a value of an output is announced if the condition holds', async ({
  alerts: { save, endRun, collectAndSend, bell, call },
  portal,
}) => {
  await save({ Condition: { Kind: 'Value', Condition: 'Total > 1000' } });
  const { knex } = portal.app.database;
  const [ActivityParameterId] = await knex('ActivityParameters')
    .where({ ActivityId: portal.ActivityId, Direction: 'output' })
    .pluck('Id');
  for (const Value of ['1000', '1000.5', '{"error":"#N/A"}']) {
    const ActivityRunId = await endRun('Succeeded', { EndTime: null });
    await knex('RunOutputs').insert({ ActivityRunId, ActivityParameterId, Value });
    await knex('ActivityRuns')
      .where('Id', ActivityRunId)
      .update({ EndTime: portal.app.database.dialect.now(knex) });
  }
  await collectAndSend();
  expect((await bell(portal.viewer)).map(({ Message }) => Message)).toEqual(['Total > 1000: Total is 1000.5']);
  const wrong = {
    ActivityId: portal.ActivityId,
    ...draftOf({ Condition: { Kind: 'Value', Condition: 'Nothing > 1' } }),
  };
  expect((await call('POST', '/activities/alerts/save', portal.editor, wrong)).json().message).toBe(
    'There is no output Nothing that a condition can compare',
  );
});

test('the message quotes the value that decided; an unreadable value is reported, and delays no other alert', async ({
  alerts: { save, endRun, collectAndSend: look, bell },
  portal,
}) => {
  const outputs = [
    output('Ratio'),
    output('Day', { CellUsages: ['Date'] }),
    output('Open', { CellUsages: ['Boolean'] }),
  ];
  portal.ActivityId = await insertActivity(portal.app.database.knex, {
    UserId: portal.editor.UserId,
    Name: `Values ${(portal.made += 1)}`,
    definition: { ...EMPTY_DEFINITION, outputs },
  });
  const Condition = "NOT Ratio < 5 AND Day > '2026-01-01' AND Open = TRUE";
  await save({ Condition: { Kind: 'Value', Condition } });
  await save({ Name: 'Any end', Condition: { Kind: 'Outcome', Statuses: ['Succeeded'] } });
  const { knex } = portal.app.database;
  const ids = (await knex('ActivityParameters')
    .where({ ActivityId: portal.ActivityId })
    .orderBy('Id')
    .pluck('Id')) as number[];
  for (const Ratio of ['{"error":"#DIV/0!"}', '{']) {
    const ActivityRunId = await endRun('Succeeded', { EndTime: null });
    const Values = [Ratio, '46356', 'true'];
    await knex('RunOutputs').insert(
      ids.map((ActivityParameterId, at) => ({ ActivityRunId, ActivityParameterId, Value: Values[at] })),
    );
    await knex('ActivityRuns')
      .where('Id', ActivityRunId)
      .update({ EndTime: portal.app.database.dialect.now(knex) });
  }
  await look();
  expect((await bell(portal.viewer)).map(({ Message }) => Message).toSorted()).toEqual([
    `${Condition}: Ratio is #DIV/0!, Day is 30/Nov/2026, Open is TRUE`,
    `The condition ${Condition} can no longer be evaluated`,
    'The run was successful',
    'The run was successful',
  ]);
});

test('a test notifies the receivers, and only those who may edit the activity manage its alerts', async ({
  alerts: { save, call, collectAndSend, bell },
  portal,
}) => {
  const id = await save();
  expect((await call('POST', `/alerts/test/${id}`, portal.viewer)).statusCode).toBe(403);
  expect((await call('POST', `/alerts/test/${id}`)).statusCode).toBe(200);
  await collectAndSend();
  expect((await bell(portal.viewer))[0]!.Message).toContain('to test the alert');
  expect((await call('GET', `/activities/alerts/${portal.ActivityId}`, portal.viewer)).statusCode).toBe(403);
  expect((await call('POST', `/alerts/delete/${id}`, portal.viewer)).statusCode).toBe(403);
  expect((await call('POST', `/alerts/delete/${id}`)).statusCode).toBe(200);
  const actions = await portal.app.database.knex('SecurityActions').orderBy('Id', 'desc').limit(2).select();
  expect(actions).toMatchObject([
    { Action: 'UpdateAlerts', KeyColumnName: 'ActivityId', KeyColumnValue: String(portal.ActivityId) },
    { Action: 'UpdateAlerts' },
  ]);
});

test('on a portal that sends no mail, nobody can be notified by mail alone, and nobody counts as notified', async ({
  alerts: { save },
  portal,
}) => {
  const receivers = { Roles: ['Close'], UserIds: [], ByBell: false, ByMail: true };
  expect([hasNoChannel(receivers, true), hasNoChannel(receivers, false)]).toEqual([false, true]);
  const id = await save();
  const { knex } = portal.app.database;
  const [{ Id }] = await knex('AlertFirings')
    .insert({ AlertId: id, Subject: 'test 1', IsTest: true, Message: 'Test', Category: 0 })
    .returning('Id');
  const audience = { people: () => Promise.resolve([portal.viewer.UserId]) } as never;
  const subject = { ActivityId: portal.ActivityId, ChecklistId: null, starterId: null, isOfRun: false };
  const alertMessage = {
    title: '',
    name: '',
    alertName: '',
    link: null,
    message: '',
    isTest: true,
    isEscalated: false,
  };
  await knex.transaction((trx) =>
    notifyPeople(
      trx,
      { audience, canMail: false, timeZone: 'UTC' },
      { id: Id, receivers, subject, of: { ActivityRunId: null, ChecklistRunId: null }, alertMessage, now: new Date() },
    ),
  );
  expect(await knex('AlertNotices').where('AlertFiringId', Id)).toEqual([]);
});
