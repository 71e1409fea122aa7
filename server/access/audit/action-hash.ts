import { createHash } from 'node:crypto';
import type { SecurityActionsRow } from '#server/db/tables.ts';

/** A row of the log as stored. */
export type SecurityActionRow = SecurityActionsRow;

/**
 * Returns the hash that links a row to the previous one. It is the SHA-256, in hexadecimal, of the JSON array of the
 * previous hash and the row's fields, in this order. Others can compute it from the exported lines.
 */
export function actionHash(row: Omit<SecurityActionRow, 'Hash'>): string {
  const said = [
    row.PreviousHash,
    row.Id,
    row.Time.toISOString(),
    row.UserId,
    row.UserName,
    row.UserFullName,
    row.Action,
    row.TargetUserName,
    row.TargetRole,
    row.RightName,
    row.KeyColumnName,
    row.KeyColumnValue,
    row.Address,
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}
