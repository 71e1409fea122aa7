import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { AssistantClientsRow, AssistantCodesRow, AssistantGrantsRow, UsersRow } from '#server/db/tables.ts';
import type { AssistantScope } from '#shared/contract/assistants.ts';

export type ClientRow = Pick<AssistantClientsRow, 'ClientId' | 'Name' | 'RedirectUris'>;

export async function insertClient(db: Db, client: ClientRow): Promise<void> {
  const now = dialectOf(db).now(db);
  await db('AssistantClients').insert({ ...client, CreatedTime: now, LastUsedTime: now });
}

export async function findClient(db: Db, ClientId: string): Promise<ClientRow | undefined> {
  return db('AssistantClients').where({ ClientId }).first('ClientId', 'Name', 'RedirectUris');
}

export async function touchClient(db: Db, ClientId: string): Promise<void> {
  await db('AssistantClients')
    .where({ ClientId })
    .update({ LastUsedTime: dialectOf(db).now(db) });
}

export async function countClients(db: Db): Promise<number> {
  const [row] = await db('AssistantClients').count<{ count: number }[]>({ count: '*' });
  return row!.count;
}

/** Deletes clients without a grant that were not used for so long. */
export async function deleteUnusedClients(db: Db, seconds: number): Promise<void> {
  const granted = db('AssistantGrants').select('ClientId');
  await db('AssistantClients')
    .where('LastUsedTime', '<', dialectOf(db).nowPlus(db, -seconds))
    .whereNotIn('ClientId', granted)
    .delete();
}

type CodeRow = Omit<AssistantCodesRow, 'ExpiryTime'>;

export async function insertCode(db: Db, code: CodeRow, seconds: number): Promise<void> {
  const dialect = dialectOf(db);
  await db('AssistantCodes').where('ExpiryTime', '<', dialect.nowPlus(db, -86_400)).delete();
  await db('AssistantCodes').insert({ ...code, ExpiryTime: dialect.nowPlus(db, seconds) });
}

export type FoundCode = CodeRow & {
  Scope: AssistantScope;
  /** Seconds since it expired; negative before that. */
  expiredFor: number;
};

/** Returns the code and locks it until the transaction ends, so that it is used once. */
export async function lockCode(db: Db, CodeHash: string): Promise<FoundCode | undefined> {
  return db('AssistantCodes')
    .where({ CodeHash })
    .forUpdate()
    .select('CodeHash', 'ClientId', 'UserId', 'RedirectUri', 'Challenge', 'Scope', 'Address', 'SessionId')
    .select({ expiredFor: dialectOf(db).secondsSince(db, 'ExpiryTime') })
    .first<FoundCode | undefined>();
}

/** Returns whether a session is a grant. A code whose session is one was used before. */
export async function isGrant(db: Db, SessionId: string): Promise<boolean> {
  return (await db('AssistantGrants').where({ SessionId }).first('SessionId')) !== undefined;
}

export async function useCode(db: Db, CodeHash: string, SessionId: string): Promise<void> {
  await db('AssistantCodes').where({ CodeHash }).update({ SessionId });
}

export async function deleteCode(db: Db, CodeHash: string): Promise<void> {
  await db('AssistantCodes').where({ CodeHash }).delete();
}

/** Returns whether the session has not ended, and its user may sign in. */
export async function isOpen(db: Db, SessionId: string): Promise<boolean> {
  const session = await db('Sessions as s')
    .join('Users as u', 'u.UserId', 's.UserId')
    .where('s.SessionId', SessionId)
    .whereNull('s.EndedTime')
    .first<{ Enabled: boolean } | undefined>('u.Enabled');
  return session?.Enabled === true;
}

export interface NewGrant extends Pick<AssistantGrantsRow, 'SessionId' | 'ClientId' | 'ClientName' | 'Scope'> {
  UserId: number;
  /** From where the person gave it. */
  Address: string;
}

/** Inserts a grant as a session of the person. */
export async function insertGrant(db: Db, { UserId, Address, ...grant }: NewGrant): Promise<void> {
  const now = dialectOf(db).now(db);
  const { SessionId, ClientName: Client } = grant;
  await db('Sessions').insert({ SessionId, UserId, Address, Client, CreatedTime: now, LastUsedTime: now });
  await db('AssistantGrants').insert(grant);
}

export interface GrantOwner extends Pick<
  UsersRow,
  'UserId' | 'UserName' | 'FirstName' | 'LastName' | 'Source' | 'IsUserAdmin'
> {
  Source: 'Local' | 'AD' | 'SSO';
  ClientName: string;
}

/** Ends a grant and returns whose it was; undefined if it had ended before. */
export async function endGrant(db: Db, SessionId: string): Promise<GrantOwner | undefined> {
  const owner = await db('AssistantGrants as g')
    .join('Sessions as s', 's.SessionId', 'g.SessionId')
    .join('Users as u', 'u.UserId', 's.UserId')
    .where('g.SessionId', SessionId)
    .select('u.UserId', 'u.UserName', 'u.FirstName', 'u.LastName', 'u.Source', 'u.IsUserAdmin', 'g.ClientName')
    .first<GrantOwner | undefined>();
  const ended = await db('Sessions')
    .where({ SessionId })
    .whereNull('EndedTime')
    .update({ EndedTime: dialectOf(db).now(db) });
  return ended > 0 ? owner : undefined;
}

export async function touchGrant(db: Db, SessionId: string): Promise<void> {
  await db('Sessions')
    .where({ SessionId })
    .update({ LastUsedTime: dialectOf(db).now(db) });
}

export async function insertToken(
  db: Db,
  token: { TokenHash: string; SessionId: string; IsRefresh: boolean },
  seconds: number,
): Promise<void> {
  await db('AssistantTokens').insert({ ...token, ExpiryTime: dialectOf(db).nowPlus(db, seconds), ReplacedTime: null });
}

/** Deletes tokens of a grant that expired or were replaced a day ago. */
export async function deleteOldTokens(db: Db, SessionId: string): Promise<void> {
  const yesterday = dialectOf(db).nowPlus(db, -86_400);
  await db('AssistantTokens')
    .where({ SessionId })
    .where((old) => void old.where('ExpiryTime', '<', yesterday).orWhere('ReplacedTime', '<', yesterday))
    .delete();
}

/** A token with its grant and person; ages in seconds by database time. */
export interface FoundToken {
  SessionId: string;
  ClientId: string;
  ClientName: string;
  Scope: AssistantScope;
  IsRefresh: boolean;
  UserId: number;
  UserName: string;
  FirstName: string;
  LastName: string;
  Source: 'Local' | 'AD' | 'SSO';
  IsUserAdmin: boolean;
  Enabled: boolean;
  /** Since the person gave the grant. */
  grantedFor: number;
  /** Since the grant was last used. */
  idleFor: number;
  expiredFor: number;
  /** Since it was replaced; null if it is the current one. */
  replacedFor: number | null;
}

/** Returns the token if its grant has not ended. */
export async function findToken(db: Db, TokenHash: string): Promise<FoundToken | undefined> {
  const dialect = dialectOf(db);
  return db('AssistantTokens as t')
    .join('AssistantGrants as g', 'g.SessionId', 't.SessionId')
    .join('Sessions as s', 's.SessionId', 't.SessionId')
    .join('Users as u', 'u.UserId', 's.UserId')
    .where('t.TokenHash', TokenHash)
    .whereNull('s.EndedTime')
    .select('t.SessionId', 't.IsRefresh', 'g.ClientId', 'g.ClientName', 'g.Scope', 'u.UserId', 'u.UserName')
    .select('u.FirstName', 'u.LastName', 'u.Source', 'u.IsUserAdmin', 'u.Enabled')
    .select({
      grantedFor: dialect.secondsSince(db, 's.CreatedTime'),
      idleFor: dialect.secondsSince(db, 's.LastUsedTime'),
      expiredFor: dialect.secondsSince(db, 't.ExpiryTime'),
      replacedFor: dialect.secondsSince(db, 't.ReplacedTime'),
    })
    .first<FoundToken | undefined>();
}

/** Locks the grant until the transaction ends, so that renewals follow one another. */
export async function lockGrant(db: Db, SessionId: string): Promise<void> {
  await db('Sessions').where({ SessionId }).forUpdate().first('SessionId');
}

/**
 * Marks all refresh tokens of a grant as replaced. Those that were replaced before keep their time. If a replaced token
 * is used again because the response to its first use was lost, nobody has the token of that response. If somebody
 * does use it later, one of the two stole the first one.
 */
export async function replaceTokens(db: Db, SessionId: string): Promise<void> {
  await db('AssistantTokens')
    .where({ SessionId, IsRefresh: true })
    .whereNull('ReplacedTime')
    .update({ ReplacedTime: dialectOf(db).now(db) });
}
