/** Tests mails about approvals with a real mail server. */
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { MailError } from '#server/mail/mail-error.ts';
import { createMailSender, type MailSender, type MailSettings } from '#server/mail/mail-sender.ts';
import { test as base } from '#test/support/fixtures/approval-bench.ts';
import { startSmtpPeer } from '#test/support/peers/smtp.ts';
import { renameTable } from '#test/support/rename-table.ts';
import { until } from '#test/support/until.ts';
import { createNotificationChoices } from '#server/features/alerts/notification-choices-service.ts';
import { createApprovalMailer, type ApprovalMailer } from './approval-mailer.ts';
import { takeMails } from './approval-mails-repository.ts';

const log = pino({ level: 'silent' });

const test = base
  .extend('mailServer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startSmtpPeer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] });
    onCleanup(() => server.stop());
    return server;
  })
  .extend('server', async ({ mailServer, workerBench, approvals }) => {
    mailServer.mails.length = 0;
    for (const [name, UserId] of Object.entries(approvals.people))
      await workerBench.database
        .knex('Users')
        .where({ UserId })
        .update({ Email: `${name}@example.com` });
    return mailServer;
  })
  .extend('mailing', ({ server, workerBench, approvals }) => {
    function mailer(settings: Partial<MailSettings> = {}, other?: MailSender): ApprovalMailer {
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
        database: workerBench.database,
        mail: other ?? mail,
        log,
        title: 'Portal',
        address: 'https://portal.example.com/',
        timeZone: 'Asia/Tokyo',
        mailed: createNotificationChoices(workerBench.database, { timeZone: 'Asia/Tokyo' }).mailed,
      });
    }

    const received = () => server.mails.map(({ to }) => to.join()).sort();
    const bodies = () => server.mails.map(({ source }) => source.replaceAll('=\r\n', ''));

    /** Starts a run whose starter also gets mails. */
    async function startApproval(more: Parameters<typeof approvals.approval>[2] = {}) {
      approvals.startEngine();
      const id = await approvals.start([
        approvals.approval('Is it right', [], { Text: 'Please look at May', ...more }),
      ]);
      const { UserId } = await approvals.stored(id);
      await workerBench.database.knex('Users').where({ UserId }).update({ Email: 'starter@example.com' });
      return { id, approvalId: (await approvals.asked(id, 'Is it right')).Id as number };
    }

    return { mailer, received, bodies, startApproval };
  });

describe('when an approval begins', () => {
  test('those who may decide are asked by one mail each, however many servers send', async ({
    mailing: { startApproval, mailer, received, bodies },
  }) => {
    const { approvalId } = await startApproval({ ExpiresAfterHours: 24 });
    await Promise.all([mailer().sendDue(), mailer().sendDue(), mailer().sendDue()]);
    await mailer().sendDue();
    expect(received()).toEqual(['ada@example.com', 'bob@example.com']);
    const [source] = bodies();
    expect(source).toContain('Subject: Portal: approval needed: Close: Is it right');
    expect(source).toContain('Please look at May');
    expect(source).toContain(`https://portal.example.com/approvals/${approvalId}`);
    expect(source).toMatch(/waits for your approval until \d+ \w+ \d{4}, \d\d:\d\d \(Asia\/Tokyo\)/);
  });

  test('users who can no longer decide get none, nor do users without an address', async ({
    approvals: { people },
    workerBench,
    mailing: { startApproval, mailer, received },
  }) => {
    await startApproval({ UserIds: [people.eve] });
    const { knex } = workerBench.database;
    await knex('RoleUsers').where({ UserId: people.ada }).delete();
    await knex('Users').where({ UserId: people.eve }).update({ Email: '' });
    await mailer().sendDue();
    expect(received()).toEqual(['bob@example.com']);
  });
});

test('those who have not decided are reminded once, and the starter is notified of its end', async ({
  server,
  approvals,
  mailing: { startApproval, mailer, received, bodies },
}) => {
  const { id, approvalId } = await startApproval({ ExpiresAfterHours: 24, Needed: 2 });
  await mailer().sendDue();
  await approvals.decide(approvalId, approvals.people.ada);
  await approvals.age(approvalId, 'RemindTime');
  const engine = approvals.engine();
  for (let round = 0; round < 2; round++) {
    await engine.sweep();
    await mailer().sendDue();
  }
  expect(received()).toEqual(['ada@example.com', 'bob@example.com', 'bob@example.com']);
  expect(bodies().at(-1)).toContain('still waits for your approval');
  await approvals.decide(approvalId, approvals.people.bob, { Approved: false, Comment: 'Too much' });
  expect(await approvals.ended(id)).toBe('Failed');
  await mailer().sendDue();
  expect(server.mails.at(-1)!.to).toEqual(['starter@example.com']);
  expect(bodies().at(-1)).toContain(`Rejected by Test`);
  expect(bodies().at(-1)).toContain('Too much');
  expect(server.mails).toHaveLength(4);
});

test('a server that was killed while it sent leaves none to be sent twice', async ({
  server,
  workerBench,
  mailing: { startApproval, mailer },
}) => {
  await startApproval();
  const taken = await takeMails(workerBench.database, 1);
  expect(taken).toHaveLength(1);
  await mailer().sendDue();
  await mailer().sendDue();
  expect(server.mails).toHaveLength(1);
});

test('mails that no mail server accepted are retried, unless the approval was decided in the meantime', async ({
  server,
  workerBench,
  approvals: { people },
  mailing: { startApproval, mailer, received },
}) => {
  const { approvalId } = await startApproval();
  await mailer({ smtpPort: 1 }).sendDue();
  const rows = () => workerBench.database.knex('ApprovalMails').where({ ApprovalId: approvalId });
  expect(await rows()).toMatchObject([
    { Attempts: 1, TakenTime: null },
    { Attempts: 1, TakenTime: null },
  ]);
  await mailer().sendDue();
  expect(server.mails).toHaveLength(0);
  await workerBench.database.knex('ApprovalMails').update({ DueTime: new Date(Date.now() - 1000) });
  await workerBench.database.knex('ApprovalMails').where({ UserId: people.bob }).delete();
  await mailer().sendDue();
  expect(received()).toEqual(['ada@example.com']);
});

test('mails are sent automatically, but not those of another day', async ({
  server,
  workerBench,
  approvals: { people },
  mailing: { startApproval, mailer, received },
}) => {
  const { approvalId } = await startApproval();
  await workerBench.database
    .knex('ApprovalMails')
    .where({ ApprovalId: approvalId, UserId: people.ada })
    .update({ DueTime: new Date(Date.now() - 2 * 86_400_000) });
  const stop = mailer().start(undefined, 20);
  await until('it is sent', () => server.mails.length > 0);
  await stop();
  expect(received()).toEqual(['bob@example.com']);
});

test('a mail is sent later if a database error occurs before it is sent', async ({
  workerBench,
  mailing: { startApproval, mailer, received },
}) => {
  const { approvalId } = await startApproval();
  const { knex } = workerBench.database;
  const rows = () => knex('ApprovalMails').where({ ApprovalId: approvalId });
  await renameTable(knex, 'ApprovalDecisions', 'OtherDecisions');
  try {
    await mailer().sendDue();
  } finally {
    await renameTable(knex, 'OtherDecisions', 'ApprovalDecisions');
  }
  expect(await rows()).toMatchObject([
    { Attempts: 1, TakenTime: null },
    { Attempts: 1, TakenTime: null },
  ]);
  await mailer().sendDue();
  expect(received()).toEqual([]);
  await rows().update({ DueTime: new Date(Date.now() - 1000) });
  await mailer().sendDue();
  expect(received()).toEqual(['ada@example.com', 'bob@example.com']);
});

test('a mail that cannot be composed is tried five times', async ({
  workerBench,
  mailing: { startApproval, mailer },
}) => {
  const { approvalId } = await startApproval();
  const { knex } = workerBench.database;
  const rows = () => knex('ApprovalMails').where({ ApprovalId: approvalId });
  await rows().update({ Attempts: 4 });
  await renameTable(knex, 'ApprovalDecisions', 'OtherDecisions');
  try {
    await mailer().sendDue();
  } finally {
    await renameTable(knex, 'OtherDecisions', 'ApprovalDecisions');
  }
  expect(await rows().whereNull('TakenTime')).toEqual([]);
});

test('a mail is released after the database was away when the mail server refused the connection', async ({
  workerBench,
  mailing: { startApproval, mailer, received },
}) => {
  const { approvalId } = await startApproval();
  const { knex } = workerBench.database;
  const rows = () => knex('ApprovalMails').where({ ApprovalId: approvalId });
  let attempts = 0;
  const isAway: MailSender = {
    isConfigured: true,
    send: async () => {
      attempts += 1;
      if (attempts === 1) await renameTable(knex, 'ApprovalMails', 'OtherMails');
      throw new MailError('connection', 'The mail server cannot be reached');
    },
  };
  const stop = mailer({}, isAway).start(undefined, 20);
  await until('the first attempt', () => attempts > 0);
  await until('the table is away', () => knex.schema.hasTable('OtherMails'));
  await renameTable(knex, 'OtherMails', 'ApprovalMails');
  await until('both mails are released', async () => {
    const waiting = await rows().whereNull('TakenTime').where('Attempts', 1);
    return waiting.length === 2;
  });
  await stop();
  await rows().update({ DueTime: new Date(Date.now() - 1000) });
  await mailer().sendDue();
  expect(received()).toEqual(['ada@example.com', 'bob@example.com']);
});
