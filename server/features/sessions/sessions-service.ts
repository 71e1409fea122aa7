import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import { isOver, type SessionLimits } from './session-limits.ts';
import {
  deleteOldSessions,
  deleteOldTokens,
  endSession,
  endSessionsOf,
  findSessionUser,
  findToken,
  hasSessionFrom,
  insertSession,
  insertToken,
  lockSession,
  replaceToken,
  shortenTokens,
  touchSession,
  type TokenRow,
} from './sessions-repository.ts';
import type { IssuedToken } from '#server/access/sign-in/signed-in.ts';

/** Seconds that a replaced token stays valid, because pending calls still use it when a token is renewed. */
const REPLACED_TOKEN_SECONDS = 30;
/** Minimum interval between updates of a session's last use: a write for every call would cost more than the call. */
const NOTE_USE_EVERY_SECONDS = 30;
const ENDED_SESSION_RETENTION_DAYS = 30;
const ADDRESS_MAX = 64;
const CHUNK = 500;

export interface SessionsService {
  /**
   * Starts a session within the transaction of the sign-in.
   * @param client the program's own name, by which the user recognizes the session
   */
  start(db: Db, userId: number, address: string, client?: string): Promise<IssuedToken & { SessionId: string }>;
  /** Throws an AppError 401 if the token belongs to no session, has expired, or was replaced too long ago. */
  authenticate(token: string, request: { address: string; unattended?: boolean }): Promise<Person>;
  /** Returns whether the user recently had a session from that address. */
  isKnownAddress(userId: number, address: string): Promise<boolean>;
  /** Returns the user of a session; null if it has ended. */
  userOf(sessionId: string): Promise<number | null>;
  /**
   * Returns the person of a token that is still valid, otherwise null. It is read-only: it neither counts as a use of
   * the session nor ends it.
   */
  recheck(token: string): Promise<Person | null>;
  /**
   * Returns a new token for the session. The old one, and those from other renewals of it, expire within half a minute.
   */
  renew(token: string, person: Person): Promise<IssuedToken>;
  end(person: Person): Promise<void>;
  /** Ends all sessions of a user, except one if given. */
  endAllOf(userId: number, options?: { except?: string; db?: Db }): Promise<void>;
  /** Deletes sessions and tokens that will not be used again, in small chunks, until done or aborted. */
  deleteOld(signal: AbortSignal): Promise<void>;
}

export interface SessionOptions extends SessionLimits {
  database: Pick<Database, 'knex'>;
  log: Log;
  tokenMinutes: number;
}

export function createSessionsService(options: SessionOptions): SessionsService {
  const { database, log, tokenMinutes } = options;
  const { knex } = database;

  async function issue(db: Db, SessionId: string): Promise<IssuedToken> {
    const token = randomBytes(32).toString('base64url');
    const expiry = await insertToken(db, { TokenHash: hashToken(token), SessionId }, tokenMinutes * 60);
    return { token, expiry };
  }

  async function refuseEnded(row: TokenRow, address: string): Promise<void> {
    const about = { user: row.UserName, address };
    if (isReplaced(row)) {
      // Either somebody copied the token, or the response to a renewal was lost. The two cases cannot be distinguished,
      // so everybody must sign in again.
      log.warn(about, 'a replaced access token was used; ended its session');
      await endSession(knex, row.SessionId);
      throw notSignedIn('a replaced token was used', row);
    }
    if (isOver(row, options)) {
      await endSession(knex, row.SessionId);
      throw notSignedIn('the session is over', row);
    }
  }

  return {
    start: async (db, UserId, address, client = '') => {
      const SessionId = randomBytes(32).toString('base64url');
      const from = { Address: address.slice(0, ADDRESS_MAX), Client: client.slice(0, 255) };
      await insertSession(db, { SessionId, UserId, ...from });
      log.info({ userId: UserId, address }, 'signed in');
      return { ...(await issue(db, SessionId)), SessionId };
    },
    authenticate: async (token, { address, unattended = false }) => {
      const row = await findToken(knex, hashToken(token));
      if (!row) throw notSignedIn('no token of an open session');
      if (!row.Enabled) throw notSignedIn('the user is disabled', row);
      if (row.expiredFor >= 0) throw notSignedIn('the token has expired', row);
      await refuseEnded(row, address);
      if (row.idleFor > NOTE_USE_EVERY_SECONDS && !unattended) await touchSession(knex, row.SessionId);
      return personOf(row);
    },
    isKnownAddress: (userId, address) => hasSessionFrom(knex, userId, address.slice(0, ADDRESS_MAX)),
    userOf: async (sessionId) => (await findSessionUser(knex, sessionId)) ?? null,
    recheck: async (token) => {
      const row = await findToken(knex, hashToken(token));
      if (!row || !row.Enabled || row.expiredFor >= 0) return null;
      return isReplaced(row) || isOver(row, options) ? null : personOf(row);
    },
    renew: async (token, { SessionId }) => {
      // A call with an API key has no session.
      if (SessionId === '') throw notSignedIn('an API key has no session');
      return inTransaction(knex, async (trx) => {
        await lockSession(trx, SessionId);
        await replaceToken(trx, hashToken(token));
        await shortenTokens(trx, SessionId, REPLACED_TOKEN_SECONDS);
        return issue(trx, SessionId);
      });
    },
    end: ({ SessionId }) => endSession(knex, SessionId),
    endAllOf: (userId, { except, db = knex } = {}) => endSessionsOf(db, userId, except),
    deleteOld: (signal) => deleteUnused(knex, signal),
  };
}

async function deleteUnused(knex: Database['knex'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldTokens(knex, CHUNK)) > 0);
  while (!signal.aborted && (await deleteOldSessions(knex, ENDED_SESSION_RETENTION_DAYS, CHUNK)) > 0);
}

/** Returns whether the token was replaced longer ago than a pending call can last. */
const isReplaced = ({ replacedFor }: TokenRow): boolean => replacedFor !== null && replacedFor > REPLACED_TOKEN_SECONDS;

/** Tokens have enough entropy that a fast hash without salt protects them. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** @param row the token, whose user and ages in seconds the log shows */
function notSignedIn(reason: string, row?: TokenRow): AppError {
  const ages = row && {
    user: row.UserName,
    expiredFor: row.expiredFor,
    startedFor: row.startedFor,
    idleFor: row.idleFor,
    ssoExpiredFor: row.ssoExpiredFor,
  };
  const logged = { reason, ...ages };
  return new AppError('notSignedIn', 401, 'You do not have permissions for this operation', { logged });
}

function personOf(row: TokenRow): Person {
  const { SessionId, UserId, UserName, FirstName, LastName, Source, IsUserAdmin } = row;
  return { SessionId, UserId, UserName, FirstName, LastName, Source, IsUserAdmin };
}
