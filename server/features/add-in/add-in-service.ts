/** Sessions for programs on the computer of somebody who is signed in by a browser. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { Entrance } from '#server/features/sessions/entrance.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { SignedIn } from '#server/features/sessions/signed-in.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { deleteExpiredCodes, insertCode, takeCode } from './add-in-repository.ts';

/** Time for the browser to reach the program, and for a person to carry the code over. */
const SECONDS = { handedOver: 60, copied: 300 };
const REFUSED = 'The code is not valid any more. Please sign in again.';

export interface AddInSignedIn extends SignedIn {
  UserName: string;
}

export interface AddInService {
  /** A code for a program, bound to the hash of its proof key. Throws an AppError 403 for a call that belongs to no session. */
  issue(person: Person, request: { ClientKind: string; Challenge: string; IsCopied: boolean }): Promise<string>;
  /** The program's own session. Whatever is wrong, the code is used up, and the AppError 400 says the same. */
  redeem(attempt: { code: string; verifier: string; address: string; client: string }): Promise<AddInSignedIn>;
}

export interface AddInDeps {
  database: Pick<Database, 'knex'>;
  log: Log;
  users: UsersService;
  sessions: Pick<SessionsService, 'start' | 'userOf'>;
  entrance: Pick<Entrance, 'mayEnter'>;
  /** A session that a provider signed in ends where the provider's does: so does the one made of it. */
  shareSso(db: Db, from: string, to: string): Promise<{ ssoProvider: string; ssoExpiry: Date | null } | null>;
}

export function createAddInService(deps: AddInDeps): AddInService {
  const { log, users, sessions, entrance } = deps;
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
    if (!user?.Enabled || !(await entrance.mayEnter(user, address))) throw refused();
    return { user, row };
  }

  return {
    issue: async ({ SessionId }, { ClientKind, Challenge, IsCopied }) => {
      // A key that was copied must not become a session.
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

/** Codes and proof keys are random enough that a fast hash without salt keeps them. */
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const refused = (): AppError => new AppError('invalid_grant', 400, REFUSED);
