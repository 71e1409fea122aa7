import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { AddInCodesRow } from '#server/db/tables.ts';

export type AddInCodeRow = Pick<AddInCodesRow, 'CodeHash' | 'SessionId' | 'Challenge' | 'ClientKind'>;

export async function insertCode(db: Db, row: AddInCodeRow, seconds: number): Promise<void> {
  await db('AddInCodes').insert({ ...row, ExpiryTime: dialectOf(db).nowPlus(db, seconds) });
}

/** Deletes and returns a code, which makes it single-use; undefined if there is no such code or it has expired. */
export async function takeCode(db: Db, CodeHash: string): Promise<AddInCodeRow | undefined> {
  const rows = await db('AddInCodes')
    .where({ CodeHash })
    .where('ExpiryTime', '>', dialectOf(db).now(db))
    .delete(['CodeHash', 'SessionId', 'Challenge', 'ClientKind']);
  return rows[0];
}

/** Deletes codes that expired without being redeemed. */
export async function deleteExpiredCodes(db: Db): Promise<void> {
  await db('AddInCodes').where('ExpiryTime', '<', dialectOf(db).now(db)).delete();
}
