/**
 * Mails about approvals that still have to be sent. They are stored as rows in the transaction that changes the
 * approval, so no mail is lost.
 */
import type { Knex } from 'knex';
import { inRows } from '#server/db/in-rows.ts';

export type ApprovalMailKind = 'Begun' | 'Reminder' | 'Ended';

/** Inserts one row per person and kind. */
export async function insertMails(
  trx: Knex.Transaction,
  ApprovalId: number,
  Kind: ApprovalMailKind,
  userIds: readonly number[],
): Promise<void> {
  const rows = [...new Set(userIds)].map((UserId) => ({ ApprovalId, Kind, UserId }));
  await inRows(trx, rows, (part) => trx('ApprovalMails').insert(part));
}

/** Deletes mails that ask people for a decision that is no longer needed. */
export async function dropUnsentMails(trx: Knex.Transaction, ApprovalId: number): Promise<void> {
  await trx('ApprovalMails').where({ ApprovalId }).whereNull('TakenTime').delete();
}
