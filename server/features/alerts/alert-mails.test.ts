/** Tests what the mails of alerts report about a run, and to whom. */
import { expect } from 'vitest';
import { draftOf, NOBODY, type AlertPortal } from '#test/support/alert-portal.ts';
import { test } from '#test/support/fixtures/alert-portal.ts';
import { signedInUser } from '#test/support/users.ts';
import { mailOf, type AlertMessage, type MailReader } from './alert-messages.ts';

/** Returns the text of the last mail to a person. */
function lastMail({ mails }: AlertPortal, userName: string): string {
  const source = mails.mails.findLast(({ to }) => to.includes(`${userName}@example.com`))?.source ?? '';
  // Decodes quoted-printable, which mails use for non-ASCII text.
  const bytes = source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}

async function logError(portal: AlertPortal, ActivityRunId: number, Message: string): Promise<void> {
  await portal.app.database
    .knex('RunLogEntries')
    .insert({ ActivityRunId, Message, Category: 3, StatusCode: 1, Time: new Date() });
}

test('a mail says the error, the starter and the times, in the language of its reader', async ({
  alerts: { save, endRun, collectAndSend },
  portal,
}) => {
  const { knex } = portal.app.database;
  await knex('Users').where('UserId', portal.viewer.UserId).update({ Language: 'de' });
  await knex('Users')
    .where('UserId', portal.editor.UserId)
    .update({ FirstName: 'Ada', MiddleName: '', LastName: 'Moor' });
  await save();
  const at = { QueueTime: new Date('2026-11-29T17:58:00Z'), EndTime: null };
  const run = await endRun('Failed', at);
  await logError(portal, run, 'Sheet Rates, cell B2:\nthe rate is missing <b>$&</b>');
  await knex('ActivityRuns').where('Id', run).update({ EndTime: knex.fn.now() });
  await collectAndSend();
  const text = lastMail(portal, portal.viewer.UserName);
  expect(text).toContain('\nDer Lauf ist fehlgeschlagen\n');
  expect(text).toContain('\nFehler: Sheet Rates, cell B2: the rate is missing <b>$&</b>\n');
  expect(text).toContain('\nGestartet von: Ada Moor\nGestartet: 29.11.2026, 17:58 (UTC)\nBeendet: ');
  expect(text).toContain('https://portal.example/alerts/firings/');
  await knex('Users').where('UserId', portal.viewer.UserId).update({ Language: null });
  const next = await endRun('Failed', at);
  await logError(portal, next, 'The rate is missing');
  await knex('ActivityRuns').where('Id', next).update({ EndTime: knex.fn.now() });
  await collectAndSend();
  expect(lastMail(portal, portal.viewer.UserName)).toContain(
    '\nError: The rate is missing\nStarted by: Ada Moor\nStarted: 29 Nov 2026, 17:58 (UTC)\nEnded: ',
  );
});

test('the mail of a workflow names the step, and its error to those alone who may see that run', async ({
  alerts: { endRun, collectAndSend, call },
  portal,
}) => {
  const { knex, dialect } = portal.app.database;
  const partly = await signedInUser(portal.app, ['sk.EditChecklist']);
  const wholly = await signedInUser(portal.app, ['sk.EditChecklist', 'sk.ViewRuns', 'sk.RunActivity']);
  for (const { UserId, UserName } of [partly, wholly])
    await knex('Users')
      .where({ UserId })
      .update({ Email: `${UserName}@example.com` });
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId: portal.editor.UserId })
    .returning('Id');
  const Plan = JSON.stringify({ Graph: { Steps: [{ Key: 's1', Name: 'Read the rates' }] }, Versions: {} });
  const [{ Id: PlanId }] = await knex('ChecklistPlans')
    .insert({ Hash: `mails ${ChecklistId}`, Plan })
    .returning('Id');
  const workflowRun = { ChecklistId, PlanId, UserId: partly.UserId, Status: 'Started', Inputs: '[]' };
  const [{ Id: ChecklistRunId }] = await knex('ChecklistRuns').insert(workflowRun).returning('Id');
  const Receivers = { ...NOBODY, UserIds: [partly.UserId, wholly.UserId], ByMail: true };
  const saved = await call('POST', '/checklists/alerts/save', wholly, { ChecklistId, ...draftOf({ Receivers }) });
  expect(saved.statusCode, saved.body).toBe(200);
  const run = await endRun('Failed', { ChecklistRunId, StepKey: 's1' });
  await logError(portal, run, 'The rate is 4711');
  await knex('ChecklistRuns')
    .where('Id', ChecklistRunId)
    .update({ Status: 'Failed', EndTime: dialect.now(knex) });
  await collectAndSend();
  const [seen, unseen] = [lastMail(portal, wholly.UserName), lastMail(portal, partly.UserName)];
  expect(seen).toContain('\nError: The rate is 4711\nStep: Read the rates\n');
  // This person started the workflow; somebody else started the run of its step.
  expect(unseen).toContain('\nStep: Read the rates\n');
  expect(unseen).not.toContain('4711');
});

test('times are those of the zone that is configured', () => {
  const alertMessage: AlertMessage = {
    title: 'Portal',
    name: 'Close',
    alertName: 'Late',
    message: 'No run succeeded by 18:00 on 2026-11-29 (Asia/Tokyo)',
    isTest: false,
    isEscalated: true,
    link: null,
  };
  const reader: MailReader = {
    language: 'de',
    timeZone: 'Asia/Tokyo',
    facts: null,
    time: new Date('2026-11-29T09:00:00Z'),
  };
  expect(mailOf({ ...alertMessage, message: 'constructor' }, reader).text).toContain('\n\nconstructor\n\n');
  expect(mailOf(alertMessage, reader)).toEqual({
    subject: 'Portal: Eskaliert, noch nicht geöffnet: Close: Late',
    text: 'Eskaliert, noch nicht geöffnet: Close: Late\n\nAm 2026-11-29 war bis 18:00 (Asia/Tokyo) kein Lauf erfolgreich\n\nZeit: 29.11.2026, 18:00 (Asia/Tokyo)\n\nSehen Sie in Portal nach.\n',
  });
});
