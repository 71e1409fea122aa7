import type { Knex } from 'knex';
import type { SessionAges } from './session-limits.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { createBatchedReader } from '#server/db/batched-reader.ts';
import type { SessionsRow } from '#server/db/tables.ts';

/** A token with its session and user, and its ages in seconds by database time. */
export interface TokenRow extends SessionAges {
  SessionId: string;
  UserId: number;
  UserName: string;
  FirstName: string;
  LastName: string;
  Source: 'Local' | 'AD' | 'SSO';
  IsUserAdmin: boolean;
  Enabled: boolean;
  /** Seconds since it expired; negative before that. */
  expiredFor: number;
  /** Seconds since it was replaced by another token; null if it is the current one. */
  replacedFor: number | null;
}

/** Returns the token if its session has not ended. */
export const findToken = createBatchedReader<string, TokenRow & { TokenHash: string }>(
  findTokens,
  ({ TokenHash }) => TokenHash,
);

function findTokens(db: Db, hashes: readonly string[]): Knex.QueryBuilder {
  const dialect = dialectOf(db);
  return db('AccessTokens as t')
    .join('Sessions as s', 's.SessionId', 't.SessionId')
    .join('Users as u', 'u.UserId', 's.UserId')
    .leftJoin('SsoSessions as x', 'x.SessionId', 's.SessionId')
    .whereIn('t.TokenHash', hashes)
    .whereNull('s.EndedTime')
    .select('t.TokenHash', 's.SessionId', 'u.UserId', 'u.UserName', 'u.FirstName', 'u.LastName', 'u.Source')
    .select('u.IsUserAdmin', 'u.Enabled')
    .select({
      expiredFor: dialect.secondsSince(db, 't.ExpiryTime'),
      replacedFor: dialect.secondsSince(db, 't.ReplacedTime'),
      ...ages(db),
    });
}

/** Selects the ages of session s and its provider session x. */
function ages(db: Db): Record<keyof SessionAges, Knex.Raw> {
  const dialect = dialectOf(db);
  return {
    startedFor: dialect.secondsSince(db, 's.CreatedTime'),
    idleFor: dialect.secondsSince(db, 's.LastUsedTime'),
    ssoExpiredFor: dialect.secondsSince(db, 'x.SsoExpiry'),
  };
}

export interface OpenSessionRow extends SessionAges {
  SessionId: string;
  CreatedTime: Date;
  LastUsedTime: Date;
  Address: string;
  Client: string;
  /** The assistant that the session is a grant to; null for a session of the person. */
  AssistantName: string | null;
}

/** Returns the user's sessions that have not been ended and have a valid token, last used first. */
export async function listOpenSessions(db: Db, UserId: number): Promise<OpenSessionRow[]> {
  const now = dialectOf(db).now(db);
  const goodToken = (table: 'AccessTokens' | 'AssistantTokens'): Knex.QueryBuilder =>
    db(`${table} as t`)
      .whereRaw('?? = ??', ['t.SessionId', 's.SessionId'])
      .where('t.ExpiryTime', '>', now)
      .select(db.raw('1'));
  return db('Sessions as s')
    .leftJoin('SsoSessions as x', 'x.SessionId', 's.SessionId')
    .leftJoin('AssistantGrants as g', 'g.SessionId', 's.SessionId')
    .where('s.UserId', UserId)
    .whereNull('s.EndedTime')
    .where((open) => void open.whereExists(goodToken('AccessTokens')).orWhereExists(goodToken('AssistantTokens')))
    .orderBy([
      { column: 's.LastUsedTime', order: 'desc' },
      { column: 's.CreatedTime', order: 'desc' },
    ])
    .select(ages(db))
    .select<OpenSessionRow[]>(
      's.SessionId',
      's.CreatedTime',
      's.LastUsedTime',
      's.Address',
      's.Client',
      'g.ClientName as AssistantName',
    );
}

type SessionRow = Pick<SessionsRow, 'SessionId' | 'UserId' | 'Address' | 'Client'>;

export async function insertSession(db: Db, session: SessionRow) {
  const now = dialectOf(db).now(db);
  await db('Sessions').insert({ ...session, CreatedTime: now, LastUsedTime: now });
}

/** Returns the time at which the token expires. */
export async function insertToken(
  db: Db,
  token: { TokenHash: string; SessionId: string },
  lifetimeSeconds: number,
): Promise<Date> {
  const [row] = await db('AccessTokens')
    .insert({ ...token, ExpiryTime: dialectOf(db).nowPlus(db, lifetimeSeconds) })
    .returning('ExpiryTime');
  return row!.ExpiryTime;
}

/**
 * Marks a token as replaced. A token that was already replaced keeps its time, because a second renewal must not extend
 * its life.
 */
export async function replaceToken(db: Db, TokenHash: string): Promise<void> {
  await db('AccessTokens')
    .where({ TokenHash })
    .whereNull('ReplacedTime')
    .update({ ReplacedTime: dialectOf(db).now(db) });
}

/** Locks the session until the transaction ends, so that renewals of a token run one after another. */
export async function lockSession(db: Db, SessionId: string): Promise<void> {
  await db('Sessions').where({ SessionId }).forUpdate().first('SessionId');
}

/**
 * Makes the session's tokens expire within that time. Replaced tokens are not changed, because their later use must end
 * the session.
 */
export async function shortenTokens(db: Db, SessionId: string, seconds: number): Promise<void> {
  const soon = dialectOf(db).nowPlus(db, seconds);
  const current = db('AccessTokens').where({ SessionId }).whereNull('ReplacedTime');
  await current.where('ExpiryTime', '>', soon).update({ ExpiryTime: soon });
}

export async function touchSession(db: Db, SessionId: string): Promise<void> {
  await db('Sessions')
    .where({ SessionId })
    .update({ LastUsedTime: dialectOf(db).now(db) });
}

export async function endSession(db: Db, SessionId: string): Promise<void> {
  await db('Sessions')
    .where({ SessionId })
    .whereNull('EndedTime')
    .update({ EndedTime: dialectOf(db).now(db) });
}

/** Returns the user of a session that has not ended. */
export async function findSessionUser(db: Db, SessionId: string): Promise<number | undefined> {
  const row = await db('Sessions').where({ SessionId }).whereNull('EndedTime').first('UserId');
  return row?.UserId;
}

/**
 * Returns whether the user has a session that started at that address, ended or not. Old sessions are deleted
 * eventually.
 */
export async function hasSessionFrom(db: Db, UserId: number, Address: string): Promise<boolean> {
  return (await db('Sessions').where({ UserId, Address }).first('SessionId')) !== undefined;
}

/** Ends all sessions of a user, except one if given. */
export async function endSessionsOf(db: Db, UserId: number, exceptSessionId?: string): Promise<void> {
  const sessions = db('Sessions').where({ UserId }).whereNull('EndedTime');
  if (exceptSessionId !== undefined) void sessions.whereNot({ SessionId: exceptSessionId });
  await sessions.update({ EndedTime: dialectOf(db).now(db) });
}

/** Deletes a chunk of sessions last used more than `days` days ago, with their tokens. */
export async function deleteOldSessions(db: Db, days: number, limit: number): Promise<number> {
  const dialect = dialectOf(db);
  return dialect.deleteChunk(db, {
    table: 'Sessions',
    key: 'SessionId',
    where: (query) => void query.where('LastUsedTime', '<', dialect.nowPlus(db, -days * 86_400)),
    limit,
  });
}

/** Deletes a chunk of tokens that expired more than a day ago. */
export async function deleteOldTokens(db: Db, limit: number): Promise<number> {
  const dialect = dialectOf(db);
  return dialect.deleteChunk(db, {
    table: 'AccessTokens',
    key: 'TokenHash',
    where: (query) => void query.where('ExpiryTime', '<', dialect.nowPlus(db, -86_400)),
    limit,
  });
}
