/**
 * A portal with alerts on an activity, a real mail server, a webhook receiver, and users with more and fewer rights.
 */
import { expect } from 'vitest';
import type { Config } from '#server/config/config-schema.ts';
import { createMailSender, type MailSettings } from '#server/mail/mail-sender.ts';
import type { AlertDraft, AlertList } from '#shared/contract/alerts.ts';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from './app.ts';
import { MAIL_SERVER_CERTIFICATE, MAIL_USER, startSmtpPeer, type SmtpPeer } from './peers/smtp.ts';
import { output } from './portal.ts';
import { startHttpPeer, type HttpPeer } from './peers/http.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from './runs.ts';
import { signedInUser } from './users.ts';

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
export const NOBODY = { Roles: [], UserIds: [], ByBell: true, ByMail: false };

export interface AlertServer {
  /** A test may close it and assign another. */
  mails: SmtpPeer;
  app: TestApp;
  editor: Signed;
  /** Has the role that alerts notify, and may see the runs of other users. */
  viewer: Signed;
  /** Has the role that alerts notify, but may not see the runs of other users. */
  stranger: Signed;
  /** Number of activities created by the tests. */
  made: number;
}

/** Each test has its own receiver and activity. */
export interface AlertPortal extends AlertServer {
  receiver: HttpPeer;
  ActivityId: number;
}

export const draftOf = (changes: Partial<AlertDraft>): AlertDraft => ({
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

export async function startAlertServer(): Promise<AlertServer> {
  const mails = await startSmtpPeer();
  const mail = createMailSender({ ...SETTINGS, smtpPort: mails.port }, { ca: MAIL_SERVER_CERTIFICATE });
  const app = await testApp({ mail, settings: SETTINGS });
  const editor = await signedInUser(app, ['sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns']);
  const viewer = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  const stranger = await signedInUser(app, ['sk.RunActivity']);
  const { knex } = app.database;
  await knex('Roles').insert({ Name: 'Close' });
  for (const { UserId, UserName } of [viewer, stranger]) {
    await knex('RoleUsers').insert({ RoleName: 'Close', UserId });
    await knex('Users')
      .where({ UserId })
      .update({ Email: `${UserName}@example.com` });
  }
  return { mails, app, editor, viewer, stranger, made: 0 };
}

/** Creates the receiver and the activity of the next test. */
export async function prepareTest(server: AlertServer): Promise<AlertPortal> {
  const receiver = await startHttpPeer();
  const definition = { ...EMPTY_DEFINITION, outputs: [output('Total')] };
  server.made += 1;
  const of = { UserId: server.editor.UserId, Name: `Close ${server.made}`, definition };
  const ActivityId = await insertActivity(server.app.database.knex, of);
  await server.app.collectEvents();
  // Returns the same object, because a test may replace its mail server.
  return Object.assign(server, { receiver, ActivityId });
}

export async function cleanUpTest({ receiver, app, mails }: AlertPortal): Promise<void> {
  await receiver.stop();
  for (const table of ['Alerts', 'NotificationSettings', 'Deliveries']) await app.database.knex(table).delete();
  mails.mails.length = 0;
}

export function alertCalls(portal: AlertPortal) {
  const call = (method: 'GET' | 'POST', url: string, { headers }: Signed = portal.editor, payload?: object) =>
    portal.app.http.inject({ method, url: `/api${url}`, headers, payload });

  const collect = (): Promise<void> => portal.app.collectEvents();

  return {
    call,
    save: async (changes: Partial<AlertDraft> = {}): Promise<number> => {
      const { ActivityId, editor } = portal;
      const answer = await call('POST', '/activities/alerts/save', editor, { ActivityId, ...draftOf(changes) });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json().result.Id;
    },
    list: async (): Promise<AlertList> => (await call('GET', `/activities/alerts/${portal.ActivityId}`)).json().result,
    bell: async (of: Signed): Promise<NotificationList['Alerts']> =>
      (await call('GET', '/activities/notifications', of)).json().result.Alerts,
    endRun: (Status: string, more: object = {}): Promise<number> => {
      const { ActivityId, editor, app } = portal;
      const { knex } = app.database;
      return insertRun(knex, { ActivityId, UserId: editor.UserId, Status, EndTime: knex.fn.now(), ...more });
    },
    /** Collects events without sending anything. */
    collect,
    collectAndSend: async (): Promise<void> => {
      await collect();
      await portal.app.deliveries.sendDue();
    },
  };
}
