/**
 * Creates a record once per idempotency key. If the response to a call was lost, the caller repeats the call with the
 * same key and gets the record that the first call created.
 */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { CreationKeysRow } from '#server/db/tables.ts';

export interface Creation {
  UserId: number;
  /** The idempotency key; null creates a record in any case. */
  UniqueId: string | null;
  /** Table of the record, which has an integer column Id. */
  RecordTable: string;
  /** What the call sent. The key with other content is refused. */
  content: unknown;
}

/** Nobody repeats a call after this long. */
const KEY_LIFETIME_SECONDS = 30 * 86_400;

/**
 * Returns the id of the new record, or of the record that an earlier call with the same key created.
 * @param create stores the record in the given transaction and returns its id
 */
export async function createOnce(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  creation: Creation,
  create: (trx: Knex.Transaction) => Promise<number>,
): Promise<number> {
  const { UserId, UniqueId, RecordTable } = creation;
  if (UniqueId === null) return inTransaction(knex, create);
  const ContentHash = createHash('sha256').update(JSON.stringify(creation.content)).digest('base64url');
  const key = { UserId, UniqueId, RecordTable, ContentHash };
  try {
    return await inTransaction(knex, async (trx) => {
      const before = await createdBefore(trx, key);
      if (before !== null) return before;
      const RecordId = await create(trx);
      const expired = dialect.nowPlus(trx, -KEY_LIFETIME_SECONDS);
      await trx('CreationKeys').where({ UserId }).where('CreateTime', '<', expired).delete();
      await trx('CreationKeys').insert({ ...key, RecordId });
      return RecordId;
    });
  } catch (error) {
    // The same call may have been handled at the same time, and this one is rolled back.
    const before = dialect.classify(error).fault === 'unique' ? await createdBefore(knex, key) : null;
    if (before === null) throw error;
    return before;
  }
}

type CreationKey = Pick<CreationKeysRow, 'UserId' | 'UniqueId' | 'RecordTable' | 'ContentHash'>;

async function createdBefore(
  db: Db,
  { UserId, UniqueId, RecordTable, ContentHash }: CreationKey,
): Promise<number | null> {
  const found = await db('CreationKeys').where({ UserId, UniqueId }).first('RecordTable', 'RecordId', 'ContentHash');
  if (!found) return null;
  if (found.RecordTable !== RecordTable || found.ContentHash !== ContentHash) {
    throw new AppError('uniqueIdTaken', 409, 'The Idempotency-Key belongs to another call');
  }
  const record = await db(RecordTable).where('Id', found.RecordId).first('Id');
  // Creating it again would undo the deletion.
  if (!record) throw new AppError('createdAndDeleted', 409, 'This was already created, and has since been deleted');
  return found.RecordId;
}
