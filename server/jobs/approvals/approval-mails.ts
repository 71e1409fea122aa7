/** Mails about approvals that are to be sent: rows of the transaction that they tell of, so that none is forgotten. */
import type { Knex } from 'knex';
import { inRows } from '#server/db/in-rows.ts';

export type ApprovalMailKind = 'Begun' | 'Reminder' | 'Ended';

/** One for each person and kind. */
export async function insertMails(
  trx: Knex.Transaction,
  ApprovalId: number,
  Kind: ApprovalMailKind,
  userIds: readonly number[],
): Promise<void> {
  const rows = [...new Set(userIds)].map((UserId) => ({ ApprovalId, Kind, UserId }));
  await inRows(trx, rows, (part) => trx('ApprovalMails').insert(part));
}

/** Forgets those that ask people for what has been decided. */
export async function dropUnsentMails(trx: Knex.Transaction, ApprovalId: number): Promise<void> {
  await trx('ApprovalMails').where({ ApprovalId }).whereNull('TakenTime').delete();
}
