/**
 * While a backup is made, no file is deleted from the store, so the file of each row in the backup still exists when it
 * is copied. Files that are not deleted during this time are deleted later, as files that nothing refers to.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { createPoller } from '#server/background/poller.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { FileStore } from './file-store.ts';

/** Prefix of Settings rows: one per backup in progress, with the time until which it is valid. */
const PREFIX = 'HeldDeletes.';
const SECONDS = 600;
const RENEW_MS = 60_000;
/** How long the end of a hold waits for a renewal in progress: the database may no longer respond. */
const RENEWAL_STOP_MS = 5_000;

type Held = Pick<Database, 'knex' | 'dialect'>;

/**
 * A file's row is deleted before the file, and a hold is written before the backup's point in time. A process that
 * deletes a file whose row is in the backup therefore sees the hold.
 */
export function withHeldDeletes(store: FileStore, database: Held): FileStore {
  return {
    ...store,
    delete: async (key) => {
      if (!(await isHeld(database))) await store.delete(key);
    },
  };
}

async function isHeld({ knex, dialect }: Held): Promise<boolean> {
  const [row] = await holdsOf(knex)
    .select({ now: dialect.now(knex) })
    .select<{ Value: string; now: Date }[]>('Value')
    .orderBy('Value', 'desc')
    .limit(1);
  return row !== undefined && Date.parse(row.Value) > new Date(row.now).getTime();
}

const holdsOf = (db: Knex): Knex.QueryBuilder => db('Settings').where('Name', 'like', `${PREFIX}%`);

/**
 * Runs `work` while deletes are held. Rejects if the hold may have expired before the work was done. If its process is
 * killed, the hold is not renewed and expires.
 */
export async function holdingDeletes<T>(
  database: Held,
  work: () => Promise<T>,
  { renewMs = RENEW_MS, seconds = SECONDS } = {},
): Promise<T> {
  const Name = `${PREFIX}${randomBytes(8).toString('hex')}`;
  let failure: unknown;
  let heldUntil = 0;
  const renewHold = async (): Promise<void> => {
    const begunAt = performance.now();
    await renew(database, Name, seconds);
    heldUntil = begunAt + seconds * 1000;
  };
  await renewHold();
  const renewals = createPoller({
    poll: renewHold,
    intervalMs: renewMs,
    onError: (error) => void (failure = error),
  });
  renewals.start();
  try {
    const result = await work();
    if (failure !== undefined) throw failure;
    // A renewal that gets no response does not fail.
    if (performance.now() > heldUntil)
      throw new Error('deletes of files could no longer be held: the database did not respond');
    return result;
  } finally {
    // A renewal in progress would write the hold again after it was deleted.
    await Promise.race([renewals.stop(), pause(RENEWAL_STOP_MS, undefined, { ref: false })]);
    // A hold that cannot be deleted expires, and the result of the work matters more.
    await database
      .knex('Settings')
      .where({ Name })
      .delete()
      .catch(() => {});
  }
}

async function renew({ knex, dialect }: Held, Name: string, seconds: number): Promise<void> {
  await inTransaction(knex, async (trx) => {
    const row = await trx.select({ now: dialect.now(trx) }).first<{ now: Date }>();
    const now = new Date(row.now).getTime();
    await holdsOf(trx).where('Value', '<', new Date(now).toISOString()).delete();
    const Value = new Date(now + seconds * 1000).toISOString();
    await dialect.upsert(trx, { table: 'Settings', rows: [{ Name, Value }], key: ['Name'], update: ['Value'] });
  });
}
