/** Checks whether a code is correct; slows down after wrong ones. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/base/log.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { userNameKey, type UserRow, type UsersService } from '#server/features/users/users-service.ts';
import type { CodeAttempts } from './code-attempts.ts';
import type { FactorKeys } from './factor-keys.ts';
import { hashRecoveryCode, recoveryCodeIn } from './recovery-codes.ts';
import { takeRecoveryCode } from './second-factor-repository.ts';

export interface FactorCheckDeps {
  database: Pick<Database, 'knex'>;
  log: Log;
  users: Pick<UsersService, 'recordFailedLogin'>;
  keys: FactorKeys;
  attempts: CodeAttempts;
}

/** A correct code is used up. Recovery codes are only accepted if `takes` is 'both'. */
export type FactorCheck = (
  user: UserRow,
  code: string,
  options: { address: string; takes: 'app' | 'both' },
) => Promise<boolean>;

export function createFactorCheck({ database: { knex }, log, users, keys, attempts }: FactorCheckDeps): FactorCheck {
  /** The transaction ensures that a code is not used without a log entry. */
  async function useRecoveryCode(user: UserRow, code: string, address: string): Promise<boolean> {
    return inTransaction(knex, async (trx) => {
      if (!(await takeRecoveryCode(trx, user.UserId, hashRecoveryCode(user.UserId, code)))) return false;
      const actor = actorOf({ ...user, SessionId: '' }, address);
      await recordActions(trx, actor, [{ Action: 'UseRecoveryCode', TargetUserName: user.UserName }]);
      return true;
    });
  }

  return async (user, code, { address, takes }) => {
    const recovery = takes === 'both' ? recoveryCodeIn(code) : null;
    const work = () => (recovery === null ? keys.accepts(user, code) : useRecoveryCode(user, recovery, address));
    if (await attempts.check(userNameKey(user.UserName), work)) return true;
    await users.recordFailedLogin(user.UserName);
    log.warn({ user: user.UserName, address }, 'wrong code of a second factor');
    return false;
  };
}

export const WRONG_CODE = 'The code is wrong or has already been used';

export function wrongCode(): AppError {
  return new AppError('second_factor_wrong', 400, WRONG_CODE, {
    modelState: { Code: [WRONG_CODE], '': [WRONG_CODE] },
  });
}
