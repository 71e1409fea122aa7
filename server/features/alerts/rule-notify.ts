/**
 * Notifies people and channels of the rules that have fired. Everything is inserted in the transaction of the firings,
 * so that nothing is lost or sent twice. Mails are only planned here: one mail is about everything that a user is
 * notified of within a few minutes.
 */
import type { Knex } from 'knex';
import { insertDeliveries, type NewDelivery } from '#server/automation/deliveries/delivery-rows.ts';
import { inParts } from '#server/db/in-parts.ts';
import type { AlertsRow } from '#server/db/tables.ts';
import { mailWords } from '#server/mail/mail-language.ts';
import type { AlertReceivers } from '#shared/contract/alerts.ts';
import { readFacts } from './alert-facts.ts';
import { factLines, type AlertMessage } from './alert-messages.ts';
import { webhookDeliveries, type NotifyDeps } from './alert-notify.ts';
import { afterQuiet } from './alert-times.ts';
import { factsFor } from './facts-for-reader.ts';
import { listQuiet } from './notification-settings-repository.ts';
import type { RuleAudience } from './rule-audience.ts';
import { planMails } from './rule-mail-times.ts';
import { insertNotices, listMutes, type RuleRun } from './rule-watch-repository.ts';

export interface RuleFired {
  /** Id of the firing. */
  id: number;
  rule: AlertsRow;
  run: RuleRun;
  isWorkflow: boolean;
  message: string;
}

interface Told {
  id: number;
  userId: number;
  byBell: boolean;
  byMail: boolean;
}

export interface Firings {
  firings: readonly RuleFired[];
  audience: RuleAudience;
  now: Date;
}

export async function notifyOfFirings(trx: Knex.Transaction, deps: NotifyDeps, of: Firings): Promise<void> {
  const { firings, now } = of;
  if (firings.length === 0) return;
  const told = await peopleToTell(trx, deps, of);
  const people = [...new Set(told.map(({ userId }) => userId))];
  const quiet = new Map(await inParts(people, async (part) => [...(await listQuiet(trx, part))]));
  const mailed = [...new Set(told.filter(({ byMail }) => byMail).map(({ userId }) => userId))];
  const mailTimes = await planMails(trx, mailed, { now, quiet });
  await insertNotices(
    trx,
    told.map(({ id, userId, byBell, byMail }) => ({
      AlertFiringId: id,
      UserId: userId,
      ByBell: byBell,
      VisibleTime: afterQuiet(now, quiet.get(userId)),
      MailTime: byMail ? (mailTimes.get(userId) ?? now) : null,
    })),
  );
  await notifyChannels(trx, deps, of);
}

/** Returns who is notified: the receivers who may see the run and have not muted the rule. */
async function peopleToTell(
  trx: Knex.Transaction,
  { canMail }: Pick<NotifyDeps, 'canMail'>,
  { firings, audience, now }: Firings,
): Promise<Told[]> {
  const mutes = await listMutes(trx, [...new Set(firings.map(({ rule }) => rule.Id))], now);
  const told: Told[] = [];
  for (const { id, rule, run, isWorkflow } of firings) {
    const { ByBell, ByMail } = JSON.parse(rule.Receivers) as AlertReceivers;
    const byMail = ByMail && canMail;
    if (!ByBell && !byMail) continue;
    for (const userId of await audience.receivers(rule)) {
      if (mutes.get(rule.Id)?.has(userId)) continue;
      if (await audience.mayLearn(userId, run, isWorkflow)) told.push({ id, userId, byBell: ByBell, byMail });
    }
  }
  return told;
}

/** More firings of a rule than this at a time are one message in a channel. */
const SINGLE_MESSAGES = 3;
const MAX_LINES = 20;

async function notifyChannels(trx: Knex.Transaction, deps: NotifyDeps, { firings, now }: Firings): Promise<void> {
  const deliveries: NewDelivery[] = [];
  for (const ofRule of Map.groupBy(firings, ({ rule }) => rule.Id).values()) {
    const [first] = ofRule;
    // The default rules have no channels.
    if (!first || first.rule.EncryptedWebhooks === '') continue;
    const targets = deps.webhooks.decrypt(first.rule.EncryptedWebhooks);
    if (targets.length === 0) continue;
    if (ofRule.length > SINGLE_MESSAGES) {
      deliveries.push(...webhookDeliveries(deps.webhooks, targets, first.id, summaryOf(deps, ofRule)));
      continue;
    }
    for (const fired of ofRule) {
      const message = await messageOfFired(trx, deps, fired, now);
      deliveries.push(...webhookDeliveries(deps.webhooks, targets, fired.id, message));
    }
  }
  await insertDeliveries(trx, deliveries);
}

type Texts = Pick<NotifyDeps, 'title' | 'address' | 'audience' | 'timeZone'>;

/** A channel has no rights, so it gets what the owner of the rule may see. */
async function messageOfFired(
  trx: Knex.Transaction,
  { title, address, audience, timeZone }: Texts,
  { id, rule, run, isWorkflow, message }: RuleFired,
  now: Date,
): Promise<AlertMessage> {
  const of = { ActivityRunId: isWorkflow ? null : run.Id, ChecklistRunId: isWorkflow ? run.Id : null };
  const facts = await factsFor(trx, audience, await audience.holder(trx, rule.UserId), await readFacts(trx, of));
  const link = address === null ? null : `${address}alerts/firings/${id}`;
  const lines = factLines(mailWords(null), { facts, time: now, timeZone });
  const head = { title, name: run.Name, alertName: rule.Name, isTest: false, isEscalated: false };
  return { ...head, message, link, lines };
}

function summaryOf({ title, address }: Pick<Texts, 'title' | 'address'>, firings: readonly RuleFired[]): AlertMessage {
  const counts = Map.groupBy(firings, ({ run, message }) => `${run.Name}: ${message}`);
  const all = [...counts].map(([text, found]) => (found.length === 1 ? text : `${text} (${found.length} runs)`));
  const lines = [...all.slice(0, MAX_LINES), ...(all.length > MAX_LINES ? [`and ${all.length - MAX_LINES} more`] : [])];
  const name = `${firings.length} alerts`;
  const head = { title, name, alertName: firings[0]?.rule.Name ?? '', isTest: false, isEscalated: false };
  const message = `${firings.length} runs have triggered this rule.`;
  return { ...head, message, link: address === null ? null : `${address}alerts`, lines };
}
