/** Sets a new password with a mailed link. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { SignInDelays } from '#server/access/sign-in/sign-in-delays.ts';
import { hashPassword } from './password-hash.ts';
import { linksDisabled, type PasswordLinks } from './password-links.ts';
import { deletePasswordLinks } from './password-links-repository.ts';
import type { PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import { readPassword } from './user-editing.ts';
import { findUserByName, updatePassword, userNameKey } from './users-repository.ts';

export interface PasswordReset {
  UserName: string;
  /** Encrypted with a key generated for the name. */
  Password: string;
  Token: string;
  address: string;
}

export interface PasswordResetService {
  readonly isOffered: boolean;
  request: PasswordLinks['request'];
  /** Throws an AppError 400 if the password violates the policy, or if the link is not the user's, used or expired. */
  reset(reset: PasswordReset): Promise<void>;
}

export interface PasswordResetDeps {
  database: Pick<Database, 'knex'>;
  links: PasswordLinks;
  keys: PasswordKeysService;
  policy: PasswordPolicy;
  sessions: Pick<SessionsService, 'endAllOf'>;
  delays: Pick<SignInDelays, 'forgive'>;
}

const INVALID = 'The link is no longer valid, or it is for another user name. Please request a new one.';

export function createPasswordResetService(deps: PasswordResetDeps): PasswordResetService {
  const {
    database: { knex },
    links,
    sessions,
    delays,
  } = deps;
  return {
    isOffered: links.isOffered,
    request: (userName, address) => links.request(userName, address),
    reset: async ({ UserName, Password, Token, address }) => {
      if (!links.isUsable) throw linksDisabled();
      // The expensive part is executed whether such a user exists or not.
      const PasswordHash = await hashPassword(await readPassword(deps, { UserName }, Password));
      const user = await findUserByName(knex, UserName);
      if (!user?.Enabled || user.Source !== 'Local') throw invalidLink();
      await inTransaction(knex, async (trx) => {
        if (!(await links.take(trx, Token, user.UserId))) throw invalidLink();
        await updatePassword(trx, user.UserId, { PasswordHash, MustChangePassword: false });
        await deletePasswordLinks(trx, user.UserId);
        await sessions.endAllOf(user.UserId, { db: trx });
        const actor = actorOf({ ...user, SessionId: '' }, address);
        await recordActions(trx, actor, [{ Action: 'ResetPassword', TargetUserName: user.UserName }]);
      });
      await delays.forgive(userNameKey(UserName));
    },
  };
}

const invalidLink = (): AppError => new AppError('passwordLink', 400, INVALID, { modelState: { '': [INVALID] } });
