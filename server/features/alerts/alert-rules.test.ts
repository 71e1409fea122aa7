/** Tests what alert rules cover, whom they tell, how often, and who manages them. */
import { expect } from 'vitest';
import type { AlertEntry, AlertRuleDraft } from '#shared/contract/alert-rules.ts';
import { DEFAULT_CHOICES, type NotificationChoices } from '#shared/contract/notification-choices.ts';
import type { AlertPortal } from '#test/support/alert-portal.ts';
import { test as base } from '#test/support/fixtures/alert-portal.ts';
import { queriesOf } from '#test/support/queries.ts';
import { insertActivity } from '#test/support/runs.ts';
import { createUser, signedInUser, bearer, signIn } from '#test/support/users.ts';

type Signed = AlertPortal['editor'];

const test = base.extend('rules', ({ alerts: { call }, portal }) => {
  const draftFor = ({ UserId }: Signed, changes: Partial<AlertRuleDraft> = {}): AlertRuleDraft => ({
    Id: null,
    Name: 'Watch',
    IsActive: true,
    Scope: 'All',
    ScopeValue: '',
    Condition: { Kind: 'Outcome', Statuses: ['Failed'] },
    Receivers: { Roles: [], UserIds: [UserId], ByBell: true, ByMail: false },
    Webhooks: [],
    ...changes,
  });
  return {
    draftFor,
    save: async (person: Signed, changes: Partial<AlertRuleDraft> = {}): Promise<number> => {
      const answer = await call('POST', '/alerts/rules/save', person, draftFor(person, changes));
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json().result.Id;
    },
    list: async (person: Signed): Promise<AlertEntry[]> => (await call('GET', '/alerts', person)).json().result.Items,
    choose: async (person: Signed, changes: Partial<NotificationChoices>): Promise<void> => {
      const body = { ...DEFAULT_CHOICES, ...changes };
      expect((await call('POST', '/notificationSettings/choices', person, body)).statusCode).toBe(200);
    },
    /** Rows of rules that have fired, without default rules. */
    firings: (): Promise<{ Name: string; Count: number }[]> =>
      portal.app.database
        .knex('AlertFirings as F')
        .join('Alerts as A', 'A.Id', 'F.AlertId')
        .whereNotIn('A.Scope', ['Owner', 'Starter'])
        .groupBy('A.Name')
        .orderBy('A.Name')
        .select('A.Name')
        .count({ Count: '*' }),
  };
});

const none = { Portal: false, Mail: false, Desktop: false };

test('a rule covers all, a schema, a group, names like a pattern, what one owns, or workflows', async ({
  alerts: { endRun, collect, bell },
  rules: { save, firings },
  portal,
}) => {
  const { knex } = portal.app.database;
  const { UserId } = portal.editor;
  const other = await insertActivity(knex, { UserId, Name: 'Month 07 close', Schema: 'Other' });
  await knex('Activities').where('Id', other).update({ Group: 'Finance' });
  const person = await signedInUser(portal.app, ['sk.RunActivity', 'sk.ViewRuns']);
  await save(person, { Name: 'all' });
  await save(person, { Name: 'schema', Scope: 'Schema', ScopeValue: 'Other' });
  await save(person, { Name: 'group', Scope: 'Group', ScopeValue: 'Finance' });
  await save(person, { Name: 'pattern', Scope: 'Pattern', ScopeValue: 'month ?? *' });
  await save(person, { Name: 'mine', Scope: 'Mine' });
  await save(portal.editor, { Name: 'mine of the editor', Scope: 'Mine' });
  await save(person, { Name: 'workflows', Scope: 'Workflows' });
  await endRun('Failed');
  await endRun('Failed', { ActivityId: other });
  await endRun('Succeeded', { ActivityId: other });
  await Promise.all([collect(), collect()]);
  await collect();
  const counts = Object.fromEntries((await firings()).map(({ Name, Count }) => [Name, Count]));
  expect(counts).toEqual({ all: 2, schema: 1, group: 1, pattern: 1, 'mine of the editor': 2 });
  expect((await bell(person)).map(({ Name }) => Name)).toContain('Month 07 close');
});

test('a rule notifies its owner only of runs that the owner may see when it fires', async ({
  alerts: { endRun, collect, bell },
  rules: { save, firings },
  portal,
}) => {
  await save(portal.stranger, { Name: 'without sk.ViewRuns' });
  await endRun('Failed');
  await collect();
  expect(await firings()).toEqual([]);
  await endRun('Failed', { UserId: portal.stranger.UserId });
  await collect();
  expect(await bell(portal.stranger)).toMatchObject([{ Message: 'The run failed', IsOfOwnActivity: false }]);
});

test('a failed workflow sets a rule off once, whatever number of its steps failed', async ({
  alerts: { endRun, collect },
  rules: { save, firings },
  portal,
}) => {
  const { knex, dialect } = portal.app.database;
  const watcher = await signedInUser(portal.app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.EditChecklist']);
  await save(watcher, { Name: 'all' });
  await save(watcher, { Name: 'workflows', Scope: 'Workflows' });
  const { UserId } = portal.editor;
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: 'Flow', Schema: 'Test', UserId })
    .returning('Id');
  const [{ Id: PlanId }] = await knex('ChecklistPlans')
    .insert({ Hash: `rules ${portal.ActivityId}`, Plan: '{"Graph":{"Steps":[]},"Versions":{}}' })
    .returning('Id');
  const [{ Id: ChecklistRunId }] = await knex('ChecklistRuns')
    .insert({ ChecklistId, PlanId, UserId, Status: 'Started', Inputs: '[]' })
    .returning('Id');
  await endRun('Failed', { ChecklistRunId, StepKey: 'a' });
  await endRun('Failed', { ChecklistRunId, StepKey: 'b' });
  await collect();
  await knex('ChecklistRuns')
    .where('Id', ChecklistRunId)
    .update({ Status: 'Failed', EndTime: dialect.now(knex) });
  await collect();
  expect((await firings()).map(({ Name, Count }) => [Name, Count])).toEqual([
    ['all', 1],
    ['workflows', 1],
  ]);
});

test('owners are notified of failures of others without setting anything, and can turn it off', async ({
  alerts: { endRun, collect, bell, call },
  rules: { choose, list },
  portal,
}) => {
  const { UserId } = portal.viewer;
  await endRun('Failed');
  await endRun('Cancelled', { UserId });
  const run = await endRun('Failed', { UserId });
  await Promise.all([collect(), collect()]);
  await collect();
  const [notice, ...others] = await bell(portal.editor);
  expect(others).toEqual([]);
  expect(notice).toMatchObject({ IsOfOwnActivity: true, Name: `Close ${portal.made}`, Message: 'The run failed' });
  const firing = (await call('GET', `/alerts/firings/${notice!.AlertFiringId}`)).json().result;
  expect(firing).toMatchObject({ ActivityRunId: run, Scope: 'Owner', Facts: { Error: null, Step: null } });
  expect(firing.Facts.Starter).not.toBe('');
  // The default rule is part of the settings, not of the list.
  expect(await list(portal.editor)).toEqual([]);
  await choose(portal.editor, { Activities: none });
  await endRun('Failed', { UserId });
  await collect();
  expect(await bell(portal.editor)).toHaveLength(1);
});

test('a user who wants mails gets one about everything of a few minutes, and none about what was muted since', async ({
  alerts: { endRun, collectAndSend },
  rules: { choose, save },
  portal,
}) => {
  const { knex } = portal.app.database;
  const { viewer, mails } = portal;
  await choose(viewer, { Runs: { Portal: true, Mail: true, Desktop: false }, RunLevel: 'All' });
  const of = { UserId: viewer.UserId };
  await endRun('Failed', of);
  await collectAndSend();
  expect(mails.mails.map(({ to }) => to)).toEqual([[`${viewer.UserName}@example.com`]]);
  expect(mails.mails[0]!.source).toMatch(/Subject: .*Close \d+: The run failed/);
  for (let at = 0; at < 3; at++) await endRun('Succeeded', of);
  await endRun('Failed', of);
  const ByMail = { Roles: [], UserIds: [viewer.UserId], ByBell: false, ByMail: true };
  const muted = await save(viewer, { Name: 'Muted', Receivers: ByMail });
  await endRun('Failed', { UserId: portal.editor.UserId });
  await collectAndSend();
  expect(mails.mails).toHaveLength(1);
  await knex('AlertMutes').insert({ AlertId: muted, UserId: viewer.UserId });
  await knex('AlertNotices')
    .whereNotNull('MailTime')
    .update({ MailTime: new Date(0) });
  await Promise.all([collectAndSend(), collectAndSend()]);
  expect(mails.mails).toHaveLength(2);
  const source = mails.mails[1]!.source.replaceAll('=\r\n', '');
  expect(source).toMatch(/Subject: .*4 alerts/);
  expect(source).toMatch(/3 runs of Close \d+ succeeded/);
  expect(source).toMatch(/Close \d+: The run failed\r\n/);
  expect(source).toContain('https://portal.example/notifications/settings');
});

test('a muted alert notifies the others, and again when it is unmuted', async ({
  alerts: { save: saveAlert, endRun, collect, bell, call },
  rules: { save, list },
  portal,
}) => {
  const rule = await save(portal.viewer);
  const alert = await saveAlert();
  await endRun('Failed');
  await collect();
  expect(await bell(portal.viewer)).toHaveLength(2);
  for (const id of [rule, alert])
    expect((await call('POST', `/alerts/mute/${id}`, portal.viewer, { Minutes: 60 })).statusCode).toBe(200);
  expect((await call('POST', `/alerts/mute/${rule}`, portal.stranger, { Minutes: 60 })).statusCode).toBe(404);
  await endRun('Failed');
  await collect();
  expect(await bell(portal.viewer)).toHaveLength(2);
  const listed = await list(portal.viewer);
  expect(listed.map(({ Id, IsMuted, CanEdit }) => [Id, IsMuted, CanEdit])).toEqual([
    [alert, true, false],
    [rule, true, true],
  ]);
  expect(listed[1]!.LastTime).not.toBeNull();
  await call('POST', `/alerts/unmute/${rule}`, portal.viewer);
  await endRun('Failed');
  await collect();
  expect(await bell(portal.viewer)).toHaveLength(3);
});

test('a rule belongs to one person; only those who may edit all that it covers notify others', async ({
  alerts: { call },
  rules: { save, list, draftFor },
  portal,
}) => {
  const id = await save(portal.viewer);
  const others = { Receivers: { Roles: ['Close'], UserIds: [], ByBell: true, ByMail: false } };
  const refused = await call('POST', '/alerts/rules/save', portal.viewer, draftFor(portal.viewer, others));
  expect(refused.json().message).toBe(
    'To notify other people or channels, you must be able to edit everything that the rule covers',
  );
  const admin = await createUser(portal.app, { isUserAdmin: true });
  const headers = bearer(await signIn(portal.app, admin));
  await save({ ...admin, headers }, others);
  const changed = draftFor(portal.editor, { Id: id });
  expect((await call('POST', '/alerts/rules/save', portal.editor, changed)).statusCode).toBe(404);
  expect((await call('GET', `/alerts/rules/${id}`, portal.editor)).statusCode).toBe(404);
  expect((await call('POST', `/alerts/delete/${id}`, portal.editor)).statusCode).toBe(404);
  expect((await list(portal.stranger)).map(({ Id }) => Id)).toEqual([]);
  const seen = await list({ ...admin, headers });
  expect(seen.find(({ Id }) => Id === id)).toMatchObject({ CanEdit: false, CanDelete: true });
  expect((await call('POST', `/alerts/delete/${id}`, { ...admin, headers })).statusCode).toBe(200);
  expect(await list(portal.viewer)).toEqual([]);
  const missing = draftFor(portal.viewer, { Scope: 'Pattern', ScopeValue: '  ' });
  expect((await call('POST', '/alerts/rules/save', portal.viewer, missing)).json().message).toBe('Enter a pattern');
});

test('a test of a rule reaches its receivers, and what it covers is counted before', async ({
  alerts: { collectAndSend, bell, call },
  rules: { save },
  portal,
}) => {
  const id = await save(portal.viewer, { Name: 'Night watch' });
  expect((await call('POST', `/alerts/test/${id}`, portal.viewer)).statusCode).toBe(200);
  await collectAndSend();
  expect(await bell(portal.viewer)).toMatchObject([{ Name: 'Night watch' }]);
  const covered = { Scope: 'Pattern', ScopeValue: `close ${portal.made}` };
  expect((await call('POST', '/alerts/rules/matches', portal.viewer, covered)).json().result).toEqual({
    Activities: 1,
    Workflows: 0,
    Examples: [`Close ${portal.made}`],
  });
});

test('the cost of a poll does not grow with rules times runs', async ({
  alerts: { endRun, collect },
  rules: { save, firings },
  portal,
}) => {
  for (let at = 0; at < 20; at++)
    await save(portal.viewer, { Name: `Rule ${at}`, Scope: 'Pattern', ScopeValue: at < 2 ? 'close*' : `other ${at}` });
  const pollAfter = async (runs: number): Promise<number> => {
    for (let at = 0; at < runs; at++) await endRun('Failed');
    return (await queriesOf(portal.app.database.knex, collect)).queries.length;
  };
  const few = await pollAfter(2);
  expect(await pollAfter(40)).toBe(few);
  expect((await firings()).map(({ Count }) => Count)).toEqual([42, 42]);
});
