import { AppError } from '#server/base/app-error.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { inTransaction } from '#server/db/transaction.ts';
import { existingUsers } from '#server/access/user-queries.ts';

type Transaction = Parameters<Parameters<typeof inTransaction>[1]>[0];

/**
 * Throws an AppError 400 if the change of this transaction leaves no administrator who can sign in. Administrators
 * cannot disable themselves, but two of them could disable each other at the same time. The lock makes the second one
 * wait here and find no administrator left.
 */
export async function requireRemainingAdministrator(trx: Transaction): Promise<void> {
  await dialectOf(trx).lock(trx, 'runsheet.administrators');
  const left = await existingUsers(trx as Db)
    .where({ Enabled: true, IsUserAdmin: true })
    .first<object | undefined>('UserId');
  if (left) return;
  throw new AppError('lastAdministrator', 400, 'At least one administrator who can sign in must remain');
}
