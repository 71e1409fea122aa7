/** A portal with alerts on an activity, a real mail server and a receiver of webhooks, and people with more and less rights. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Config } from '#server/config/config-schema.ts';
import { createMailSender, type MailSettings } from '#server/mail/mail-sender.ts';
import type { AlertDraft, AlertList } from '#shared/contract/alerts.ts';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from './app.ts';
import { MAIL_SERVER_CERTIFICATE, MAIL_USER, startSmtpPeer, type SmtpPeer } from './peers/smtp.ts';
import { output } from './portal.ts';
import { startHttpPeer, type HttpPeer } from './peers/http.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from './runs.ts';
import { until } from './until.ts';
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

export interface AlertPortal {
  /** May be closed, and another put in its place. */
  mails: SmtpPeer;
  app: TestApp;
  editor: Signed;
  /** Of the role that is told, as is the stranger, who may see no runs of others. */
  looker: Signed;
  stranger: Signed;
  /** Of each test its own, as is the activity. */
  receiver: HttpPeer;
  ActivityId: number;
  /** How many activities there were. */
  made: number;
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

/** Registers what sets it up and takes it down. */
export function alertPortal() {
  const portal = { made: 0 } as AlertPortal;

  beforeAll(async () => {
    portal.mails = await startSmtpPeer();
    const mail = createMailSender({ ...SETTINGS, smtpPort: portal.mails.port }, { ca: MAIL_SERVER_CERTIFICATE });
    const app = await testApp({ mail, settings: SETTINGS });
    portal.app = app;
    portal.editor = await signedInUser(app, ['sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns']);
    portal.looker = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
    portal.stranger = await signedInUser(app, ['sk.RunActivity']);
    const { knex } = app.database;
    await knex('Roles').insert({ Name: 'Close' });
    for (const { UserId, UserName } of [portal.looker, portal.stranger]) {
      await knex('RoleUsers').insert({ RoleName: 'Close', UserId });
      await knex('Users')
        .where({ UserId })
        .update({ Email: `${UserName}@example.com` });
    }
  });
  afterAll(async () => {
    await portal.app.close();
    await portal.mails.stop();
  });
  beforeEach(async () => {
    portal.receiver = await startHttpPeer();
    const definition = { ...EMPTY_DEFINITION, outputs: [output('Total')] };
    portal.made += 1;
    const of = { UserId: portal.editor.UserId, Name: `Close ${portal.made}`, definition };
    portal.ActivityId = await insertActivity(portal.app.database.knex, of);
    await portal.app.outgoing.collect();
  });
  afterEach(async () => {
    await portal.receiver.stop();
    const { knex } = portal.app.database;
    for (const table of ['Alerts', 'NotificationSettings', 'Deliveries']) await knex(table).delete();
    portal.mails.mails.length = 0;
  });

  const call = (method: 'GET' | 'POST', url: string, { headers }: Signed = portal.editor, payload?: object) =>
    portal.app.http.inject({ method, url: `/api${url}`, headers, payload });

  async function collect(): Promise<void> {
    const { knex } = portal.app.database;
    const lookedAt = async (): Promise<number> =>
      (
        (await knex('EventCursors').where('Name', 'alerts').first('Time')) as { Time: Date } | undefined
      )?.Time.getTime() ?? 0;
    const before = await lookedAt();
    // SQL Server keeps application locks for each database (sp_getapplock); Babelfish 4.4 has them for all, and another suite may hold it.
    await until('it is this portal that looks', async () => {
      await portal.app.outgoing.collect();
      return (await lookedAt()) > before;
    });
  }

  return {
    portal,
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
    /** Looks at what has happened, and sends nothing. */
    collect,
    look: async (): Promise<void> => {
      await collect();
      await portal.app.outgoing.deliveries.sendDue();
    },
  };
}
