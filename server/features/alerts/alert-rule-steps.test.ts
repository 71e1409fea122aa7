/** Tests how often a workflow run sets a rule off, when its mails are due, and choices that are stored beside a poll. */
import { expect } from 'vitest';
import { DEFAULT_CHOICES } from '#shared/contract/notification-choices.ts';
import type { AlertPortal } from '#test/support/alert-portal.ts';
import { test } from '#test/support/fixtures/alert-portal.ts';
import { signedInUser } from '#test/support/users.ts';
import { planMails } from './rule-mail-times.ts';

async function startWorkflow({ app, editor: { UserId }, ActivityId }: AlertPortal): Promise<number> {
  const { knex } = app.database;
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: 'Steps', Schema: 'Test', UserId })
    .returning('Id');
  const [{ Id: PlanId }] = await knex('ChecklistPlans')
    .insert({ Hash: `steps ${ActivityId}`, Plan: '{"Graph":{"Steps":[]},"Versions":{}}' })
    .returning('Id');
  const [{ Id }] = await knex('ChecklistRuns')
    .insert({ ChecklistId, PlanId, UserId, Status: 'Started', Inputs: '[]' })
    .returning('Id');
  return Id;
}

test('a step that succeeded hides neither that a later one fails nor that the workflow succeeds', async ({
  alerts: { endRun, collect, call },
  portal,
}) => {
  const { knex, dialect } = portal.app.database;
  const watcher = await signedInUser(portal.app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.EditChecklist']);
  const saved = await call('POST', '/alerts/rules/save', watcher, {
    Id: null,
    Name: 'Watch',
    IsActive: true,
    Scope: 'All',
    ScopeValue: '',
    Condition: { Kind: 'Outcome', Statuses: ['Succeeded', 'SucceededWarn', 'Failed'] },
    Receivers: { Roles: [], UserIds: [watcher.UserId], ByBell: true, ByMail: false },
    Webhooks: [],
  });
  const AlertId: number = saved.json().result.Id;
  const fired = (): Promise<string[]> => knex('AlertFirings').where({ AlertId }).orderBy('Id').pluck('Message');
  const ChecklistRunId = await startWorkflow(portal);
  const ends = ['Succeeded', 'Succeeded', 'SucceededWarn', 'Failed', 'Failed'];
  for (const [at, Status] of ends.entries()) {
    await endRun(Status, { ChecklistRunId, StepKey: `step ${at}` });
    await collect();
  }
  const steps = ['The run was successful', 'The run succeeded with warnings', 'The run failed'];
  expect(await fired()).toEqual(steps);
  await knex('ChecklistRuns')
    .where('Id', ChecklistRunId)
    .update({ Status: 'Succeeded', EndTime: dialect.now(knex) });
  await collect();
  expect(await fired()).toEqual([...steps, 'The run was successful']);
});

test('choices are stored while the alerts are polled, so no call waits for the poll with a connection', async ({
  alerts: { call },
  portal: { app, viewer },
}) => {
  const { knex, dialect } = app.database;
  const choices = { ...DEFAULT_CHOICES, Activities: { Portal: false, Mail: false, Desktop: false } };
  await knex.transaction(async (trx) => {
    await dialect.lock(trx, 'runsheet.events.alerts');
    expect((await call('POST', '/notificationSettings/choices', viewer, choices)).statusCode).toBe(200);
  });
  const { UserId } = viewer;
  expect(await knex('Alerts').where({ UserId, Scope: 'Owner' }).pluck('IsActive')).toEqual([false]);
});

test('a mail that waits for the previous one is not sent in quiet hours that have started', async ({
  alerts: { endRun, collect },
  portal: { app, editor, viewer },
}) => {
  const { knex } = app.database;
  await endRun('Failed', { UserId: viewer.UserId });
  await collect();
  const now = new Date('2026-11-30T21:58:00Z');
  await knex('AlertNotices').update({ MailedTime: new Date('2026-11-30T21:57:00Z') });
  const { UserId } = editor;
  const settings = {
    UserId,
    QuietFrom: 22 * 60,
    QuietUntil: 6 * 60,
    SummaryAt: null,
    TimeZone: 'UTC',
    SummaryNext: null,
  };
  const plan = (quiet: Map<number, typeof settings>) =>
    knex.transaction(async (trx) => (await planMails(trx, [UserId], { now, quiet })).get(UserId)?.toISOString());
  expect(await plan(new Map())).toBe('2026-11-30T22:02:00.000Z');
  expect(await plan(new Map([[UserId, settings]]))).toBe('2026-12-01T06:00:00.000Z');
});

test('owners are not notified of old failures after a long time without polls', async ({
  alerts: { endRun, collect, bell },
  portal: { app, editor, viewer },
}) => {
  const { knex } = app.database;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await endRun('Failed', { UserId: viewer.UserId, EndTime: daysAgo(30) });
  await endRun('LogicError', { UserId: viewer.UserId, EndTime: daysAgo(0.5) });
  await knex('EventCursors')
    .where('Name', 'alerts')
    .update({ Time: daysAgo(90) });
  await collect();
  expect((await bell(editor)).map(({ Message }) => Message)).toEqual([
    'The run could not complete because of an error in the setup of the activity',
  ]);
});
