/** What password managers may do with the passwords of others. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import { hashPassword } from './password-hash.ts';
import { linksDisabled, noAddress, type PasswordLinks } from './password-links.ts';
import { deletePasswordLinks } from './password-links-repository.ts';
import type { PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import { readPassword } from './user-editing.ts';
import { updateUserRow } from './users-list-repository.ts';
import type { UserRow } from './users-repository.ts';

export interface PasswordsDeps {
  database: Pick<Database, 'knex'>;
  keys: PasswordKeysService;
  policy: PasswordPolicy;
  sessions: SessionsService;
  links: PasswordLinks;
}

/** Sets the password of another local user, who must change it, and ends their sessions. */
export async function setUserPassword(deps: PasswordsDeps, actor: Actor, user: UserRow, encrypted: string) {
  checkLocal(user);
  if (user.UserId === actor.UserId) {
    throw new AppError('oneself', 400, 'Please use Change Password for your own password');
  }
  const PasswordHash = await hashPassword(await readPassword(deps, user, encrypted));
  await inTransaction(deps.database.knex, async (trx) => {
    await updateUserRow(trx, user.UserId, { PasswordHash, MustChangePassword: true });
    await deletePasswordLinks(trx, user.UserId);
    await deps.sessions.endAllOf(user.UserId, { db: trx });
    await recordActions(trx, actor, [{ Action: 'SetPassword', TargetUserName: user.UserName }]);
  });
}

/** Mails the user a link to set a password. */
export async function sendUserPasswordLink(deps: PasswordsDeps, actor: Actor, user: UserRow): Promise<void> {
  if (!deps.links.isOffered) throw linksDisabled();
  checkLocal(user);
  if (!user.Enabled) throw new AppError('userDisabled', 400, 'The user is disabled');
  if (user.Email === '') throw noAddress();
  const token = await inTransaction(deps.database.knex, async (trx) => {
    const issued = await deps.links.issue(trx, user.UserId, 'reset');
    await recordActions(trx, actor, [{ Action: 'SendPasswordLink', TargetUserName: user.UserName }]);
    return issued;
  });
  await deps.links.mail(user, token, 'reset');
}

function checkLocal({ Source }: UserRow): void {
  if (Source !== 'Local') throw new AppError('notLocal', 400, 'The password of this user is not stored in this portal');
}
