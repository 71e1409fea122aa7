/** Mails about approvals, sent to a real mail server. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMailSender, type MailSettings } from '#server/mail/mail-sender.ts';
import { approvalBench } from '#test/support/approval-bench.ts';
import { startSmtpPeer, type SmtpPeer } from '#test/support/peers/smtp.ts';
import { until } from '#test/support/until.ts';
import { createApprovalMailer, type ApprovalMailer } from './approval-mailer.ts';
import { takeMails } from './approval-mails-repository.ts';

const portal = approvalBench();
const { bench, people, approval, start, asked, decide, age } = portal;
const log = pino({ level: 'silent' });

let server: SmtpPeer;
beforeAll(async () => {
  server = await startSmtpPeer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] });
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.mails.length = 0;
  for (const [name, UserId] of Object.entries(people))
    await bench.database
      .knex('Users')
      .where({ UserId })
      .update({ Email: `${name}@example.com` });
});

function mailer(settings: Partial<MailSettings> = {}): ApprovalMailer {
  const mail = createMailSender({
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    smtpUser: '',
    smtpPassword: '',
    mailFrom: 'runsheet@example.com',
    ...settings,
  });
  return createApprovalMailer({
    database: bench.database,
    mail,
    log,
    title: 'Portal',
    address: 'https://portal.example.com/',
  });
}
const received = () => server.mails.map(({ to }) => to.join()).sort();
const bodies = () => server.mails.map(({ source }) => source.replaceAll('=\r\n', ''));

/** A run whose starter gets mails too. */
async function begun(more: Parameters<typeof approval>[2] = {}) {
  portal.hearingEngine();
  const id = await start([approval('Is it right', [], { Text: 'Please look at May', ...more })]);
  const { UserId } = await portal.stored(id);
  await bench.database.knex('Users').where({ UserId }).update({ Email: 'starter@example.com' });
  return { id, approvalId: (await asked(id, 'Is it right')).Id as number };
}

describe('when an approval begins', () => {
  test('those who may decide are asked by one mail each, however many servers send', async () => {
    const { approvalId } = await begun({ ExpiresAfterHours: 24 });
    await Promise.all([mailer().sendDue(), mailer().sendDue(), mailer().sendDue()]);
    await mailer().sendDue();
    expect(received()).toEqual(['ada@example.com', 'bob@example.com']);
    const [source] = bodies();
    expect(source).toContain('Subject: Portal: approval needed: Close: Is it right');
    expect(source).toContain('Please look at May');
    expect(source).toContain(`https://portal.example.com/approvals/${approvalId}`);
    expect(source).toMatch(/waits for your approval until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  });

  test('who cannot decide any more gets none, nor does who has no address', async () => {
    await begun({ UserIds: [people.eve] });
    const { knex } = bench.database;
    await knex('RoleUsers').where({ UserId: people.ada }).delete();
    await knex('Users').where({ UserId: people.eve }).update({ Email: '' });
    await mailer().sendDue();
    expect(received()).toEqual(['bob@example.com']);
  });
});

test('those who have not decided are reminded once, and the starter is told of its end', async () => {
  const { id, approvalId } = await begun({ ExpiresAfterHours: 24, Needed: 2 });
  await mailer().sendDue();
  await decide(approvalId, people.ada);
  await age(approvalId, 'RemindTime');
  const engine = portal.engine();
  for (let round = 0; round < 2; round++) {
    await engine.sweep();
    await mailer().sendDue();
  }
  expect(received()).toEqual(['ada@example.com', 'bob@example.com', 'bob@example.com']);
  expect(bodies().at(-1)).toContain('still waits for your approval');
  await decide(approvalId, people.bob, { Approved: false, Comment: 'Too much' });
  expect(await portal.ended(id)).toBe('Failed');
  await mailer().sendDue();
  expect(server.mails.at(-1)!.to).toEqual(['starter@example.com']);
  expect(bodies().at(-1)).toContain(`Rejected by Test`);
  expect(bodies().at(-1)).toContain('Too much');
  expect(server.mails).toHaveLength(4);
});

test('a server that was killed while it sent leaves none to be sent twice', async () => {
  await begun();
  const taken = await takeMails(bench.database, 1);
  expect(taken).toHaveLength(1);
  await mailer().sendDue();
  await mailer().sendDue();
  expect(server.mails).toHaveLength(1);
});

test('what no mail server has taken is tried again, and nothing that was decided meanwhile', async () => {
  const { approvalId } = await begun();
  await mailer({ smtpPort: 1 }).sendDue();
  const rows = () => bench.database.knex('ApprovalMails').where({ ApprovalId: approvalId });
  expect(await rows()).toMatchObject([
    { Attempts: 1, TakenTime: null },
    { Attempts: 1, TakenTime: null },
  ]);
  await mailer().sendDue();
  expect(server.mails).toHaveLength(0);
  await bench.database.knex('ApprovalMails').update({ DueTime: new Date(Date.now() - 1000) });
  await bench.database.knex('ApprovalMails').where({ UserId: people.bob }).delete();
  await mailer().sendDue();
  expect(received()).toEqual(['ada@example.com']);
});

test('mails are sent by themselves, and not those of another day', async () => {
  const { approvalId } = await begun();
  await bench.database
    .knex('ApprovalMails')
    .where({ ApprovalId: approvalId, UserId: people.ada })
    .update({ DueTime: new Date(Date.now() - 2 * 86_400_000) });
  const stop = mailer().start(undefined, 20);
  await until('it is sent', () => server.mails.length > 0);
  await stop();
  expect(received()).toEqual(['bob@example.com']);
});
