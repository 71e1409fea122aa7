/** Sessions for programs on the computer of a person who is signed in with a browser. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { NetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { SignedIn } from '#server/access/sign-in/signed-in.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { deleteExpiredCodes, insertCode, takeCode } from './add-in-repository.ts';

/** Lifetime of a code in seconds: if the browser passes it to the program, and if a person copies it. */
const SECONDS = { handedOver: 60, copied: 300 };
const REFUSED = 'The code is no longer valid. Please sign in again.';

export interface AddInSignedIn extends SignedIn {
  UserName: string;
}

export interface AddInService {
  /**
   * Issues a code for a program, bound to the hash of its proof key. Throws an AppError 403 if the call has no session.
   */
  issue(person: Person, request: { ClientKind: string; Challenge: string; IsCopied: boolean }): Promise<string>;
  /** Starts the program's own session. Every failure consumes the code and throws the same AppError 400. */
  redeem(attempt: { code: string; verifier: string; address: string; client: string }): Promise<AddInSignedIn>;
}

export interface AddInDeps {
  database: Pick<Database, 'knex'>;
  log: Log;
  users: UsersService;
  sessions: Pick<SessionsService, 'start' | 'userOf'>;
  networkPolicy: Pick<NetworkPolicy, 'mayEnter'>;
  /**
   * Ties the new session to the single sign-on session that it was created from: both end when the provider's session
   * ends.
   */
  shareSso(db: Db, from: string, to: string): Promise<{ ssoProvider: string; ssoExpiry: Date | null } | null>;
}

export function createAddInService(deps: AddInDeps): AddInService {
  const { log, users, sessions, networkPolicy } = deps;
  const { knex } = deps.database;

  async function requireUser(code: string, verifier: string, address: string) {
    const row = await takeCode(knex, hash(code));
    if (!row) throw refused();
    if (!isSame(hash(verifier), row.Challenge)) {
      log.warn({ client: row.ClientKind, address }, 'the code of a sign-in was redeemed without its proof key');
      throw refused();
    }
    const userId = await sessions.userOf(row.SessionId);
    const user = userId === null ? undefined : await users.findById(userId);
    if (!user?.Enabled || !(await networkPolicy.mayEnter(user, address))) throw refused();
    return { user, row };
  }

  return {
    issue: async ({ SessionId }, { ClientKind, Challenge, IsCopied }) => {
      // A leaked API key must not be exchangeable for a session.
      if (SessionId === '') throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      await deleteExpiredCodes(knex);
      const code = randomBytes(32).toString('base64url');
      const seconds = IsCopied ? SECONDS.copied : SECONDS.handedOver;
      await insertCode(knex, { CodeHash: hash(code), SessionId, Challenge, ClientKind }, seconds);
      return code;
    },
    redeem: async ({ code, verifier, address, client }) => {
      const { user, row } = await requireUser(code, verifier, address);
      const issued = await inTransaction(knex, async (trx) => {
        await users.recordLogin(user.UserId, trx);
        const started = await sessions.start(trx, user.UserId, address, client);
        return { ...started, ...(await deps.shareSso(trx, row.SessionId, started.SessionId)) };
      });
      log.info({ user: user.UserName, client: row.ClientKind, address }, 'a program signed in through a browser');
      return { ...issued, UserName: user.UserName, lastLoginTime: user.LastLoginTime, lastFailedLoginTime: null };
    },
  };
}

/** Codes and proof keys have enough entropy that a fast hash without salt protects them. */
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const refused = (): AppError => new AppError('invalid_grant', 400, REFUSED);
