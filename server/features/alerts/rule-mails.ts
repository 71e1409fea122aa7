/** Writes the mails about rules that are due. One mail is about everything since the last one to the same user. */
import type { Knex } from 'knex';
import { insertDeliveries } from '#server/automation/deliveries/delivery-rows.ts';
import { readFacts } from './alert-facts.ts';
import type { NotifyDeps } from './alert-notify.ts';
import { factsFor } from './facts-for-reader.ts';
import { findEmail } from './notification-settings-repository.ts';
import type { RuleAudience } from './rule-audience.ts';
import { ruleMail, type MailedGroup } from './rule-mail-texts.ts';
import { countDueNotices, listDueNotices, listDueUsers, markMailed, type DueNotice } from './rule-mails-repository.ts';

/** Number of users who are mailed per poll. The next poll mails further users. */
const MAX_USERS = 100;
/** Number of notices that a mail groups; it counts further ones. */
const MAX_NOTICES = 200;
/** Number of notices of which a mail reports the error, the person and the times. */
const MAX_DETAILS = 10;

export interface RuleMailDeps extends Pick<NotifyDeps, 'audience' | 'title' | 'address' | 'canMail' | 'timeZone'> {
  ruleAudience: RuleAudience;
}

export async function writeRuleMails(trx: Knex.Transaction, deps: RuleMailDeps, now: Date): Promise<void> {
  for (const userId of await listDueUsers(trx, now, MAX_USERS)) {
    const count = await countDueNotices(trx, userId, now);
    const notices = await listDueNotices(trx, userId, now, MAX_NOTICES);
    await markMailed(trx, userId, now);
    await writeMail(trx, deps, { userId, notices, further: count - notices.length, now });
  }
}

interface MailOrder {
  userId: number;
  notices: readonly DueNotice[];
  /** Number of notices that were not read. */
  further: number;
  now: Date;
}

async function writeMail(trx: Knex.Transaction, deps: RuleMailDeps, { userId, notices, further, now }: MailOrder) {
  const person = deps.canMail ? await findEmail(trx, userId) : undefined;
  if (!person) return;
  // The person may have lost the right to see a run since the rule fired.
  const permitted: DueNotice[] = [];
  for (const notice of notices) {
    const run = {
      UserId: notice.StarterId ?? 0,
      OwnerId: notice.OwnerId,
      Schema: notice.Schema,
      IsActive: notice.IsActive,
    };
    if (await deps.ruleAudience.mayLearn(userId, run, notice.ChecklistId !== null)) permitted.push(notice);
  }
  const groups = await groupsOf(trx, deps, userId, permitted);
  const [newest] = permitted;
  if (!newest) return;
  const { title, address, timeZone } = deps;
  const Body = JSON.stringify(
    ruleMail({
      groups,
      further,
      reason: { scope: newest.Scope, rule: newest.AlertName, isOwn: newest.RuleUserId === userId },
      title,
      address,
      reader: { language: person.Language, timeZone, time: now },
    }),
  );
  const mail = { Channel: 'Mail', Event: 'alert', SubjectId: null, TargetKey: 'mail' } as const;
  await insertDeliveries(trx, [{ ...mail, AlertFiringId: newest.AlertFiringId, UserId: userId, Body }]);
}

/** Groups notices that say the same about the same activity. */
async function groupsOf(
  trx: Knex.Transaction,
  { audience }: Pick<RuleMailDeps, 'audience'>,
  userId: number,
  notices: readonly DueNotice[],
): Promise<MailedGroup[]> {
  const holder = await audience.holder(trx, userId);
  const byText = Map.groupBy(notices, ({ Name, Message }) => JSON.stringify([Name, Message]));
  const groups: MailedGroup[] = [];
  for (const [newest, ...others] of byText.values()) {
    if (!newest) continue;
    const { Name: name, Message: message, Category: category, AlertFiringId: firingId } = newest;
    const isDetailed = others.length === 0 && groups.length < MAX_DETAILS;
    const facts = isDetailed ? await factsFor(trx, audience, holder, await readFacts(trx, newest)) : null;
    groups.push({ name, message, category, firingId, count: others.length + 1, facts });
  }
  return groups;
}
