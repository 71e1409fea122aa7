/** What went wrong lately with an account, an address or the codes of an account: counted in the database, for all servers together. */
import { createHash } from 'node:crypto';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  addFailure,
  deleteFailure,
  deleteOldFailures,
  findFailures,
  putFailures,
  takeBackFailure,
} from './failed-attempts-repository.ts';

/** How fast attempts may follow each other after failures. All in seconds. */
export interface AttemptPace {
  /** How long after the one before it an attempt is judged that follows no failure, one, two and so on; the last number goes on for ever. */
  gaps: readonly number[];
  /** Attempts that would have to wait longer are not taken. */
  longestWait: number;
  /** Failures are forgotten when none followed for so long. */
  memory: number;
}

export interface FailedAttempts {
  /** Adds one, and answers how many there are with it; those are forgotten after which nothing more happened for `memorySeconds`. */
  add(key: string, memorySeconds: number): Promise<number>;
  /**
   * Counts an attempt as failed before it is judged, and answers in how many seconds that may be, the attempts of all servers one
   * after the other; null, and nothing is counted, where it would have to wait too long.
   */
  reserve(key: string, pace: AttemptPace): Promise<number | null>;
  /** An attempt that was reserved has not failed. */
  takeBack(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

const KEEP_HOURS = 24;
const CHUNK = 500;

export function createFailedAttempts({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): FailedAttempts {
  return {
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
    reserve: (key, pace) =>
      inTransaction(knex, async (trx) => {
        const KeyHash = hashKey(key);
        await dialect.lock(trx, `runsheet.attempts ${KeyHash}`);
        const known = await findFailures(trx, KeyHash);
        const wait = waitAfter(known, pace);
        if (wait > pace.longestWait) return null;
        await putFailures(trx, KeyHash, failuresOf(known, pace) + 1, wait);
        return wait;
      }),
    takeBack: (key) => takeBackFailure(knex, hashKey(key)),
    forget: (key) => deleteFailure(knex, hashKey(key)),
  };
}

type Known = { Failures: number; age: number } | undefined;

const failuresOf = (known: Known, { memory }: AttemptPace): number =>
  known && known.age <= memory ? known.Failures : 0;

/** Seconds until the next attempt may be judged. */
export function waitAfter(known: Known, pace: AttemptPace): number {
  const { gaps } = pace;
  const gap = gaps[Math.min(failuresOf(known, pace), gaps.length - 1)] ?? 0;
  return known ? Math.max(0, gap - known.age) : 0;
}

/** Deletes what is forgotten anyway, in small chunks, until done or aborted. */
export async function deleteOldAttempts({ knex }: Pick<Database, 'knex'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldFailures(knex, KEEP_HOURS * 3600, CHUNK)) > 0);
}

/** Of one length whatever was typed, and not readable: people type passwords where names belong. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
