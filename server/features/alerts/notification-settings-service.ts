/** A person's settings for when to be notified. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { NotificationSettings } from '#shared/contract/alerts.ts';
import { isTimeZone, nextMinute } from './alert-times.ts';
import { findEmail, findSettings, saveSettings } from './notification-settings-repository.ts';

export interface NotificationSettingsService {
  get(person: Person): Promise<NotificationSettings & { CanMail: boolean; HasEmail: boolean }>;
  save(person: Person, settings: NotificationSettings): Promise<void>;
}

export function createNotificationSettingsService(
  { knex, dialect }: Database,
  { timeZone, canMail }: { timeZone: string; canMail: boolean },
): NotificationSettingsService {
  return {
    get: async ({ UserId }) => {
      const row = await findSettings(knex, UserId);
      return {
        QuietFrom: row?.QuietFrom ?? null,
        QuietUntil: row?.QuietUntil ?? null,
        SummaryAt: row?.SummaryAt ?? null,
        TimeZone: row?.TimeZone ?? timeZone,
        CanMail: canMail,
        HasEmail: (await findEmail(knex, UserId)) !== undefined,
      };
    },
    save: async ({ UserId }, settings) => {
      const { QuietFrom, QuietUntil, SummaryAt, TimeZone } = settings;
      const refuse = (field: string, text: string): never => {
        throw new AppError('invalidSettings', 400, text, { modelState: { [field]: [text] } });
      };
      if (!isTimeZone(TimeZone)) refuse('TimeZone', 'Enter a time zone such as Europe/Berlin');
      if ((QuietFrom === null) !== (QuietUntil === null)) refuse('QuietUntil', 'Enter both times, or neither');
      const { Now } = await knex.select({ Now: dialect.now(knex) }).first<{ Now: Date }>();
      const SummaryNext = SummaryAt === null ? null : nextMinute(Now, SummaryAt, TimeZone);
      await saveSettings(knex, dialect, { UserId, QuietFrom, QuietUntil, SummaryAt, TimeZone, SummaryNext });
    },
  };
}
