import type { KeyScope } from '#shared/contract/users.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';

export interface ApiKeyRow {
  KeyId: string;
  UserId: number;
  /** SHA-256 of the secret part, base64url. */
  KeyHash: string;
  Name: string;
  Scope: KeyScope;
  /** A JSON array of activity ids; null for all activities. */
  ActivityIds: string | null;
  AssistantWrites: boolean;
  CreationTime: Date;
  ExpiryTime: Date | null;
  LastUsedTime: Date | null;
}

/** A key with its user; the times are in seconds, relative to the database clock. */
export interface ApiKeyOwner {
  KeyHash: string;
  Scope: KeyScope;
  ActivityIds: string | null;
  AssistantWrites: boolean;
  UserId: number;
  UserName: string;
  FirstName: string;
  LastName: string;
  Source: 'Local' | 'AD' | 'SSO';
  IsUserAdmin: boolean;
  Enabled: boolean;
  /** Seconds since the key expired; negative before that, null if it does not expire. */
  expiredFor: number | null;
  /** Seconds since the key was last used; null if it was never used. */
  unusedFor: number | null;
}

export async function findApiKey(db: Db, KeyId: string): Promise<ApiKeyOwner | undefined> {
  const dialect = dialectOf(db);
  return db('ApiKeys as k')
    .join('Users as u', 'u.UserId', 'k.UserId')
    .where({ 'k.KeyId': KeyId })
    .select('k.KeyHash', 'k.Scope', 'k.ActivityIds', 'u.UserId', 'u.UserName', 'u.FirstName', 'u.LastName', 'u.Source')
    .select('u.IsUserAdmin', 'u.Enabled', 'k.AssistantWrites')
    .select({
      expiredFor: dialect.secondsSince(db, 'k.ExpiryTime'),
      unusedFor: dialect.secondsSince(db, 'k.LastUsedTime'),
    })
    .first<ApiKeyOwner | undefined>();
}

export async function touchApiKey(db: Db, KeyId: string): Promise<void> {
  await db('ApiKeys')
    .where({ KeyId })
    .update({ LastUsedTime: dialectOf(db).now(db) });
}

export async function listApiKeys(db: Db, UserId: number): Promise<ApiKeyRow[]> {
  return db<ApiKeyRow>('ApiKeys').where({ UserId }).orderBy('CreationTime', 'desc');
}

/** Returns the row as stored. @param expiryDays null for a key that does not expire */
export async function insertApiKey(
  db: Db,
  key: Pick<ApiKeyRow, 'KeyId' | 'UserId' | 'KeyHash' | 'Name' | 'Scope' | 'ActivityIds' | 'AssistantWrites'>,
  expiryDays: number | null,
): Promise<ApiKeyRow> {
  const dialect = dialectOf(db);
  await db('ApiKeys').insert({
    ...key,
    CreationTime: dialect.now(db),
    ExpiryTime: expiryDays === null ? null : dialect.nowPlus(db, expiryDays * 86_400),
  });
  return (await db<ApiKeyRow>('ApiKeys').where({ KeyId: key.KeyId }).first())!;
}

/** Returns the user's key with its lifetime in days; undefined if there is no such key or it has expired. */
export async function findKeyToRotate(
  db: Db,
  UserId: number,
  KeyId: string,
): Promise<(ApiKeyRow & { days: number | null }) | undefined> {
  const dialect = dialectOf(db);
  const row = await db('ApiKeys')
    .where({ UserId, KeyId })
    .where((open) => void open.whereNull('ExpiryTime').orWhere('ExpiryTime', '>', dialect.now(db)))
    .first();
  if (!row) return undefined;
  const life = row.ExpiryTime && row.ExpiryTime.getTime() - row.CreationTime.getTime();
  return { ...row, days: life === null ? null : Math.max(1, Math.round(life / 86_400_000)) };
}

/** Makes a key expire after the given number of seconds, unless it expires earlier. */
export async function endApiKey(db: Db, KeyId: string, seconds: number): Promise<void> {
  const ExpiryTime = dialectOf(db).nowPlus(db, seconds);
  await db('ApiKeys')
    .where({ KeyId })
    .where((later) => void later.whereNull('ExpiryTime').orWhere('ExpiryTime', '>', ExpiryTime))
    .update({ ExpiryTime });
}

/** Returns how many of the given activities exist. */
export async function countActivities(db: Db, ids: readonly number[]): Promise<number> {
  const [row] = await db('Activities')
    .whereIn('Id', [...ids])
    .count<{ count: number }[]>({ count: '*' });
  return row!.count;
}

/** Returns whether the user had such a key. */
export async function deleteApiKey(db: Db, UserId: number, KeyId: string): Promise<boolean> {
  return (await db('ApiKeys').where({ UserId, KeyId }).delete()) > 0;
}
