/** Enables, disables and deletes users. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import { requireRemainingAdministrator } from './last-administrator.ts';
import { deletePasswordLinks } from './password-links-repository.ts';
import { deleteUserParts, deleteUserRow, markUserDeleted, updateUserRow } from './users-list-repository.ts';
import type { UserRow } from './users-repository.ts';

export interface StateDeps {
  database: Pick<Database, 'knex' | 'dialect'>;
  sessions: SessionsService;
}

export async function enableExistingUser({ database: { knex } }: StateDeps, actor: Actor, user: UserRow) {
  if (user.Enabled) throw new AppError('userEnabled', 400, 'The user is already enabled');
  await inTransaction(knex, async (trx) => {
    await updateUserRow(trx, user.UserId, { Enabled: true });
    await recordActions(trx, actor, [{ Action: 'EnableUser', TargetUserName: user.UserName }]);
  });
}

export async function disableExistingUser({ database: { knex }, sessions }: StateDeps, actor: Actor, user: UserRow) {
  checkStoppable(actor, user);
  await inTransaction(knex, async (trx) => {
    await updateUserRow(trx, user.UserId, { Enabled: false });
    if (user.IsUserAdmin) await requireRemainingAdministrator(trx);
    await sessions.endAllOf(user.UserId, { db: trx });
    await deletePasswordLinks(trx, user.UserId);
    await recordActions(trx, actor, [{ Action: 'DisableUser', TargetUserName: user.UserName }]);
  });
}

/** Deletes the row, or only marks it as deleted if runs, versions or files refer to the user. */
export async function deleteExistingUser({ database }: StateDeps, actor: Actor, user: UserRow): Promise<void> {
  checkStoppable(actor, user);
  const { knex, dialect } = database;
  const deleteWith = (remove: typeof deleteUserRow): Promise<void> =>
    inTransaction(knex, async (trx) => {
      await deleteUserParts(trx, user.UserId);
      await remove(trx, user.UserId);
      if (user.IsUserAdmin) await requireRemainingAdministrator(trx);
      await recordActions(trx, actor, [{ Action: 'DeleteUser', TargetUserName: user.UserName }]);
    });
  try {
    await deleteWith(deleteUserRow);
  } catch (error) {
    if (dialect.classify(error).fault !== 'foreignKey') throw error;
    await deleteWith(markUserDeleted);
  }
}

/** Only enabled users can be disabled or deleted, and never oneself. Source: specification of security, section 4. */
function checkStoppable(actor: Actor, user: UserRow): void {
  if (user.UserId === actor.UserId) throw new AppError('oneself', 400, 'You cannot disable or delete yourself');
  if (!user.Enabled) throw new AppError('userDisabled', 400, 'Only enabled users can be disabled or deleted');
}
