import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { THE_PROGRAM } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { StartError } from '#server/base/start-error.ts';
import { hashPassword } from './password-hash.ts';
import { randomPassword } from './random-password.ts';
import { clearSecondFactor, findUserByName, hasAnyUser, updatePassword } from './users-repository.ts';
import type { UsersService } from './users-service.ts';

export const ADMINISTRATOR_NAME = 'admin';

const ADMINISTRATOR = {
  UserName: ADMINISTRATOR_NAME,
  FirstName: 'Administrator',
  IsUserAdmin: true,
  MustChangePassword: true,
};

export interface FirstAdministrator {
  created: boolean;
  /** The generated password, which nobody knows yet; null if it was not generated. */
  generatedPassword: string | null;
}

/**
 * Adds the administrator to an empty portal, with the given password or a random one. It must be changed at the first
 * sign-in. If several servers start at the same time, one of them does this. Throws a StartError if the password
 * violates the policy.
 */
export async function ensureAdministrator(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  users: UsersService,
  configuredPassword: string | undefined,
): Promise<FirstAdministrator> {
  return inTransaction(knex, async (trx) => {
    await dialect.lock(trx, 'runsheet.administrator');
    if (await hasAnyUser(trx)) return { created: false, generatedPassword: null };
    const password = configuredPassword ?? randomPassword();
    const issue = users.passwordIssue(password, ADMINISTRATOR);
    if (issue !== null) throw new StartError(`RUNSHEET_ADMIN_PASSWORD is not good enough: ${issue}`);
    await users.createUser({ ...ADMINISTRATOR, password }, trx);
    await recordActions(trx, THE_PROGRAM, [
      { Action: 'CreateUser', TargetUserName: ADMINISTRATOR_NAME },
      { Action: 'MakeAdministrator', TargetUserName: ADMINISTRATOR_NAME },
    ]);
    return { created: true, generatedPassword: configuredPassword === undefined ? password : null };
  });
}

/**
 * Gives the administrator a new random password, which must be changed at the next sign-in. Throws a StartError if
 * there is no administrator.
 */
export async function resetAdministrator({
  knex,
}: Pick<Database, 'knex'>): Promise<{ userId: number; password: string }> {
  const user = await findUserByName(knex, ADMINISTRATOR_NAME);
  if (!user) throw new StartError(`there is no user '${ADMINISTRATOR_NAME}'; the first start of the portal creates it`);
  const password = randomPassword();
  const PasswordHash = await hashPassword(password);
  await inTransaction(knex, async (trx) => {
    await updatePassword(trx, user.UserId, { PasswordHash, MustChangePassword: true, Enabled: true });
    // A person who needs the command line may have lost the second factor too.
    await clearSecondFactor(trx, user.UserId);
    await recordActions(trx, THE_PROGRAM, [{ Action: 'SetPassword', TargetUserName: user.UserName }]);
  });
  return { userId: user.UserId, password };
}
