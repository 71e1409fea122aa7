/** Plans when a user is mailed about rules: at once, but at most every few minutes, and not in their quiet hours. */
import type { Knex } from 'knex';
import { inParts } from '#server/db/in-parts.ts';
import { afterQuiet } from './alert-times.ts';
import type { SettingsRow } from './notification-settings-repository.ts';

/** Minimum time between two mails to a user. What happens in between is in the next one. */
export const MAIL_INTERVAL_MS = 5 * 60_000;

/** Returns when the users are mailed about something that happens now. */
export async function planMails(
  trx: Knex.Transaction,
  userIds: readonly number[],
  { now, quiet }: { now: Date; quiet: ReadonlyMap<number, SettingsRow> },
): Promise<Map<number, Date>> {
  const since = new Date(now.getTime() - MAIL_INTERVAL_MS);
  const planned = await inParts(userIds, (part) =>
    trx('AlertNotices')
      .whereIn('UserId', part)
      .whereNotNull('MailTime')
      .groupBy('UserId')
      .select('UserId')
      .min<{ UserId: number; Time: Date }[]>({ Time: 'MailTime' }),
  );
  const mailed = await inParts(userIds, (part) =>
    trx('AlertNotices')
      .whereIn('UserId', part)
      .where('MailedTime', '>', since)
      .groupBy('UserId')
      .select('UserId')
      .max<{ UserId: number; Time: Date }[]>({ Time: 'MailedTime' }),
  );
  const plannedOf = new Map(planned.map(({ UserId, Time }) => [UserId, Time]));
  const mailedOf = new Map(mailed.map(({ UserId, Time }) => [UserId, Time]));
  const timeOf = (userId: number): Date => {
    const last = mailedOf.get(userId);
    const next = last === undefined ? now : new Date(last.getTime() + MAIL_INTERVAL_MS);
    const time = plannedOf.get(userId) ?? next;
    // The quiet hours may begin before the next mail is due.
    return afterQuiet(time > now ? time : now, quiet.get(userId));
  };
  return new Map(userIds.map((userId) => [userId, timeOf(userId)]));
}
