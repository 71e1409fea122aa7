/** What people choose to be notified of, and how. */
import { Value } from 'typebox/value';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { DEFAULT_CHOICES, NotificationChoices, type NoticeKind } from '#shared/contract/notification-choices.ts';
import { saveDefaultRules } from './default-rules.ts';
import { listChoices, saveChoices } from './notification-settings-repository.ts';

export interface NotificationChoicesService {
  get(person: Pick<Person, 'UserId'>): Promise<NotificationChoices>;
  save(person: Pick<Person, 'UserId'>, choices: NotificationChoices): Promise<void>;
  /** Returns those of the users who want mails of this kind. */
  mailed: (db: Db, userIds: readonly number[], kind: NoticeKind) => Promise<number[]>;
}

export function createNotificationChoices(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  { timeZone }: { timeZone: string },
): NotificationChoicesService {
  return {
    get: async ({ UserId }) => choicesOf((await listChoices(knex, [UserId])).get(UserId)),
    save: async ({ UserId }, choices) => {
      // Must not wait for a poll of the alerts: calls that wait hold connections, and the poll needs further ones.
      const store = (): Promise<void> =>
        inTransaction(knex, async (trx) => {
          await saveChoices(trx, dialect, { UserId, Choices: JSON.stringify(choices), TimeZone: timeZone });
          await saveDefaultRules(trx, UserId, choices);
        });
      try {
        await store();
      } catch (error) {
        if (dialect.classify(error).fault !== 'unique') throw error;
        // A poll of the alerts has created a default rule of the user in the meantime.
        await store();
      }
    },
    mailed: async (db, userIds, kind) => {
      const stored = await listChoices(db, userIds);
      return userIds.filter((userId) => choicesOf(stored.get(userId))[kind].Mail);
    },
  };
}

/** Returns the defaults if nothing was stored, or if an earlier version stored something else. */
function choicesOf(text: string | undefined): NotificationChoices {
  const stored: unknown = text === undefined ? null : JSON.parse(text);
  return Value.Check(NotificationChoices, stored) ? stored : DEFAULT_CHOICES;
}
