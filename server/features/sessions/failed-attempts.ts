/** What went wrong lately with an account, an address or the codes of an account: counted in the database, for all servers together. */
import { createHash } from 'node:crypto';
import type { Database } from '#server/db/database.ts';
import { addFailure, deleteFailure, deleteOldFailures, findFailures } from './failed-attempts-repository.ts';

export interface FailedAttempts {
  /** How many failures are remembered of each key; those are forgotten after which nothing more happened for `memorySeconds`. */
  counts(keys: readonly string[], memorySeconds: number): Promise<number[]>;
  /** Adds one, and answers how many there are with it. */
  add(key: string, memorySeconds: number): Promise<number>;
  forget(key: string): Promise<void>;
}

const KEEP_HOURS = 24;
const CHUNK = 500;

export function createFailedAttempts({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): FailedAttempts {
  return {
    counts: async (keys, memorySeconds) => {
      const hashes = keys.map(hashKey);
      const found = await findFailures(knex, hashes);
      return hashes.map((hash) => {
        const known = found.find(({ KeyHash }) => KeyHash === hash);
        return known && known.age <= memorySeconds ? known.Failures : 0;
      });
    },
    add: async (key, memorySeconds) => {
      const KeyHash = hashKey(key);
      try {
        return await addFailure(knex, KeyHash, memorySeconds);
      } catch (error) {
        if (dialect.classify(error).fault !== 'unique') throw error;
        // Another server has counted the first one at the same moment.
        return addFailure(knex, KeyHash, memorySeconds);
      }
    },
    forget: (key) => deleteFailure(knex, hashKey(key)),
  };
}

/** Deletes what is forgotten anyway, in small chunks, until done or aborted. */
export async function deleteOldAttempts({ knex }: Pick<Database, 'knex'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldFailures(knex, KEEP_HOURS * 3600, CHUNK)) > 0);
}

/** Of one length whatever was typed, and not readable: people type passwords where names belong. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
