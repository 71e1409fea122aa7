import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { inParts } from '#server/db/in-parts.ts';
import type { UsersRow } from '#server/db/tables.ts';
import type { Language } from '#shared/contract/auth.ts';
import type { NotificationSettings } from '#shared/contract/alerts.ts';

/** Without what the user chooses to be notified of. */
export interface SettingsRow extends NotificationSettings {
  UserId: number;
  SummaryNext: Date | null;
}

export async function findSettings(db: Db, UserId: number): Promise<SettingsRow | undefined> {
  return db('NotificationSettings').where({ UserId }).first();
}

export async function saveSettings(db: Db, dialect: Dialect, row: SettingsRow): Promise<void> {
  const update = ['QuietFrom', 'QuietUntil', 'SummaryAt', 'TimeZone', 'SummaryNext'];
  await dialect.upsert(db, { table: 'NotificationSettings', rows: [{ ...row }], key: ['UserId'], update });
}

/** Returns what users have chosen to be notified of, as JSON; users who have not chosen have no entry. */
export async function listChoices(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await inParts(userIds, (part) =>
    db('NotificationSettings').whereIn('UserId', part).whereNotNull('Choices').select('UserId', 'Choices'),
  );
  return new Map(rows.flatMap(({ UserId, Choices }) => (Choices === null ? [] : [[UserId, Choices] as const])));
}

/** @param row TimeZone is stored only if the user has no settings yet */
export async function saveChoices(
  db: Db,
  dialect: Dialect,
  row: { UserId: number; Choices: string; TimeZone: string },
): Promise<void> {
  await dialect.upsert(db, { table: 'NotificationSettings', rows: [row], key: ['UserId'], update: ['Choices'] });
}

/** Returns the notification settings by user id; users without settings have no entry. */
export async function listQuiet(db: Db, userIds: readonly number[]): Promise<Map<number, SettingsRow>> {
  if (userIds.length === 0) return new Map();
  const rows = await db('NotificationSettings').whereIn('UserId', userIds).select();
  return new Map(rows.map((row) => [row.UserId, row]));
}

/** Returns the languages that users have chosen for the portal. */
export async function listLanguages(db: Db, userIds: readonly number[]): Promise<Map<number, Language | null>> {
  const rows = await db('Users').whereIn('UserId', userIds).select('UserId', 'Language');
  return new Map(rows.map((row) => [row.UserId, row.Language]));
}

export async function listDueSummaries(db: Db, now: Date, limit: number): Promise<SettingsRow[]> {
  return db('NotificationSettings').where('SummaryNext', '<=', now).orderBy('SummaryNext').limit(limit).select();
}

export async function moveSummary(db: Db, UserId: number, SummaryNext: Date): Promise<void> {
  await db('NotificationSettings').where({ UserId }).update({ SummaryNext });
}

export type MailRecipient = Pick<UsersRow, 'Email' | 'FirstName' | 'Language'>;

export async function findEmail(db: Db, UserId: number): Promise<MailRecipient | undefined> {
  return db('Users')
    .where({ UserId, Enabled: true })
    .whereNull('DeletedTime')
    .whereNot('Email', '')
    .first('Email', 'FirstName', 'Language');
}
