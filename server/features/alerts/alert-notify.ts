/**
 * Notifies people and webhooks that an alert has fired. The deliveries are inserted in the same transaction as the
 * firing, so that none is lost.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { insertDeliveries, type NewDelivery } from '#server/automation/deliveries/delivery-rows.ts';
import { mailWords } from '#server/mail/mail-language.ts';
import type { AlertReceivers } from '#shared/contract/alerts.ts';
import type { AlertAudience, AlertSubject } from './alert-audience.ts';
import { readFacts } from './alert-facts.ts';
import { factsFor } from './facts-for-reader.ts';
import { factLines, mailOf, slackOf, teamsOf, type AlertMessage, type MailReader } from './alert-messages.ts';
import { afterQuiet } from './alert-times.ts';
import type { AlertWebhook, AlertWebhooks } from './alert-webhooks.ts';
import { insertFiring, ownerName, type AlertRow, type NewFiring } from './alerts-repository.ts';
import { listLanguages, listQuiet } from './notification-settings-repository.ts';

export interface NotifyDeps {
  database: Pick<Database, 'dialect'>;
  audience: AlertAudience;
  webhooks: AlertWebhooks;
  /** Name of the installation. */
  title: string;
  /** Public URL of the portal, ending with a slash; null if none is configured. */
  address: string | null;
  canMail: boolean;
  /** Time zone of times in mails. */
  timeZone: string;
}

export interface Fired {
  alert: AlertRow;
  firing: Omit<NewFiring, 'AlertId' | 'IsTest'> & { IsTest?: boolean };
  /** User who started the run. */
  starterId: number | null;
  now: Date;
}

const MINUTE_SECONDS = 60;

/** Fires an alert unless it has already fired for the same subject. Returns whether it fired. */
export async function sendAlert(trx: Knex.Transaction, deps: NotifyDeps, fired: Fired): Promise<boolean> {
  const { alert, firing } = fired;
  const IsTest = firing.IsTest ?? false;
  const Message = firing.Message.slice(0, 1000);
  const id = await insertFiring(trx, { ...firing, Message, IsTest, AlertId: alert.Id });
  if (id === null) return false;
  const next = JSON.parse(alert.NextReceivers) as AlertReceivers;
  if (alert.EscalateMinutes !== null && !IsTest && next.UserIds.length + next.Roles.length > 0) {
    const EscalateTime = deps.database.dialect.nowPlus(trx, alert.EscalateMinutes * MINUTE_SECONDS);
    await trx('AlertFirings').where({ Id: id }).update({ EscalateTime });
  }
  const alertMessage = await messageOf(trx, deps, { alert, id, message: Message, isTest: IsTest, isEscalated: false });
  const subject = subjectOf(alert, firing, fired.starterId);
  const receivers = JSON.parse(alert.Receivers) as AlertReceivers;
  await notifyPeople(trx, deps, { id, receivers, subject, of: firing, alertMessage, now: fired.now });
  await notifyWebhooks(trx, deps, { alert, id, subject, of: firing, alertMessage, now: fired.now });
  return true;
}

export function subjectOf(
  { ActivityId, ChecklistId }: Pick<AlertRow, 'ActivityId' | 'ChecklistId'>,
  { ActivityRunId, ChecklistRunId }: Pick<NewFiring, 'ActivityRunId' | 'ChecklistRunId'>,
  starterId: number | null,
): AlertSubject {
  return { ActivityId, ChecklistId, starterId, isOfRun: ActivityRunId !== null || ChecklistRunId !== null };
}

export async function messageOf(
  trx: Knex.Transaction,
  { title, address }: Pick<NotifyDeps, 'title' | 'address'>,
  of: { alert: AlertRow; id: number } & Pick<AlertMessage, 'message' | 'isTest' | 'isEscalated'>,
): Promise<AlertMessage> {
  const { alert, id, ...rest } = of;
  const link = address === null ? null : `${address}alerts/firings/${id}`;
  return { title, name: await ownerName(trx, alert), alertName: alert.Name, link, ...rest };
}

interface NotifyRequest {
  id: number;
  receivers: AlertReceivers;
  subject: AlertSubject;
  /** The run that the alert is about. */
  of: Pick<NewFiring, 'ActivityRunId' | 'ChecklistRunId'>;
  alertMessage: AlertMessage;
  now: Date;
}

/**
 * Notifies each receiver, during their quiet hours only when these end. A receiver gets one notification per firing,
 * even if several of their roles are receivers.
 */
export async function notifyPeople(
  trx: Knex.Transaction,
  deps: Pick<NotifyDeps, 'audience' | 'canMail' | 'timeZone'>,
  { id, receivers, subject, of, alertMessage, now }: NotifyRequest,
): Promise<void> {
  const { audience, canMail } = deps;
  const { ByBell, ByMail } = receivers;
  // The receivers were saved when the portal still had a mail server. Nobody can be reached now, so no notice is
  // recorded.
  if (!ByBell && !(ByMail && canMail)) return;
  const before = new Set(await trx('AlertNotices').where('AlertFiringId', id).pluck('UserId'));
  const muted = await listMutedBy(trx, id, now);
  const permitted = await audience.people(trx, receivers, subject);
  const people = permitted.filter((userId) => !before.has(userId) && !muted.has(userId));
  const quiet = await listQuiet(trx, people);
  const mailed = ByMail && canMail ? await mailReaders(trx, deps, people, { of, now }) : new Map<number, MailReader>();
  const mails: NewDelivery[] = [];
  for (const UserId of people) {
    const DueTime = afterQuiet(now, quiet.get(UserId));
    await trx('AlertNotices').insert({ AlertFiringId: id, UserId, ByBell, VisibleTime: DueTime });
    const mail = { Channel: 'Mail', Event: 'alert', SubjectId: null, AlertFiringId: id, UserId } as const;
    const reader = mailed.get(UserId);
    if (reader) mails.push({ ...mail, TargetKey: 'mail', Body: JSON.stringify(mailOf(alertMessage, reader)), DueTime });
  }
  await insertDeliveries(trx, mails);
}

/** Returns who has muted the alert of a firing. */
async function listMutedBy(trx: Knex.Transaction, AlertFiringId: number, now: Date): Promise<Set<number>> {
  const query = trx('AlertFirings as F')
    .join('AlertMutes as M', 'M.AlertId', 'F.AlertId')
    .where('F.Id', AlertFiringId)
    .where((current) => void current.whereNull('M.Until').orWhere('M.Until', '>', now));
  return new Set(await query.pluck('M.UserId'));
}

/** Returns each reader's language and what they may know of the run. */
async function mailReaders(
  trx: Knex.Transaction,
  { audience, timeZone }: Pick<NotifyDeps, 'audience' | 'timeZone'>,
  userIds: readonly number[],
  { of, now }: Pick<NotifyRequest, 'of' | 'now'>,
): Promise<Map<number, MailReader>> {
  if (userIds.length === 0) return new Map();
  const facts = await readFacts(trx, of);
  const languages = await listLanguages(trx, userIds);
  const readers = new Map<number, MailReader>();
  for (const userId of userIds) {
    const holder = await audience.holder(trx, userId);
    readers.set(userId, {
      language: languages.get(userId) ?? null,
      timeZone,
      time: now,
      facts: await factsFor(trx, audience, holder, facts),
    });
  }
  return readers;
}

interface WebhookRequest extends Pick<NotifyRequest, 'id' | 'subject' | 'of' | 'alertMessage' | 'now'> {
  alert: AlertRow;
}

/** A channel has no rights, so it gets what the person who saved the alert may see. */
async function notifyWebhooks(
  trx: Knex.Transaction,
  deps: Pick<NotifyDeps, 'audience' | 'webhooks' | 'timeZone'>,
  { alert, id, subject, of, alertMessage, now }: WebhookRequest,
): Promise<void> {
  const { audience, webhooks, timeZone } = deps;
  const targets = webhooks.decrypt(alert.EncryptedWebhooks);
  if (targets.length === 0) return;
  const author = await audience.holder(trx, alert.UserId);
  if (!author || !(await audience.mayLearn(trx, author, subject))) return;
  const facts = await factsFor(trx, audience, author, await readFacts(trx, of));
  const lines = factLines(mailWords(null), { facts, time: now, timeZone });
  await insertDeliveries(trx, webhookDeliveries(webhooks, targets, id, { ...alertMessage, lines }));
}

export function webhookDeliveries(
  webhooks: Pick<AlertWebhooks, 'encryptOne'>,
  targets: readonly AlertWebhook[],
  AlertFiringId: number,
  alertMessage: AlertMessage,
): NewDelivery[] {
  return targets.map((target) => ({
    Channel: target.Kind,
    Event: 'alert',
    SubjectId: null,
    AlertFiringId,
    EncryptedTarget: webhooks.encryptOne(target),
    TargetKey: new URL(target.Url).host.slice(0, 100),
    Body: JSON.stringify(target.Kind === 'Teams' ? teamsOf(alertMessage) : slackOf(alertMessage)),
  }));
}
