/**
 * Counts recent failures of an account, an address, or an account's codes. The counts are in the database and shared by
 * all servers.
 */
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
} from './failed-attempt-rows.ts';

/** How fast attempts may follow each other after failures. All values are in seconds. */
export interface AttemptPace {
  /**
   * Minimum time between an attempt and the previous one, after no failures, one, two and so on. The last value applies
   * to all further failures.
   */
  gaps: readonly number[];
  /** Attempts that would have to wait longer are rejected. */
  maxWait: number;
  /** Failures are forgotten after this long without another one. */
  memory: number;
}

export interface FailedAttempts {
  /**
   * Adds a failure and returns the number of failures. Failures are forgotten after `memorySeconds` without another
   * one.
   */
  add(key: string, memorySeconds: number): Promise<number>;
  /**
   * Counts an attempt as failed before it is checked. Returns in how many seconds it may be checked; the attempts of
   * all servers follow each other. Returns null, and counts nothing, if it would have to wait too long.
   */
  reserve(key: string, pace: AttemptPace): Promise<number | null>;
  /** Takes back a reserved attempt that did not fail. */
  takeBack(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

const RETENTION_HOURS = 24;
const CHUNK = 500;

export function createFailedAttempts({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): FailedAttempts {
  return {
    add: async (key, memorySeconds) => {
      const KeyHash = hashKey(key);
      try {
        return await addFailure(knex, KeyHash, memorySeconds);
      } catch (error) {
        if (dialect.classify(error).fault !== 'unique') throw error;
        // Another server counted its first failure at the same time.
        return addFailure(knex, KeyHash, memorySeconds);
      }
    },
    reserve: (key, pace) =>
      inTransaction(knex, async (trx) => {
        const KeyHash = hashKey(key);
        await dialect.lock(trx, `runsheet.attempts ${KeyHash}`);
        const known = await findFailures(trx, KeyHash);
        const wait = waitAfter(known, pace);
        if (wait > pace.maxWait) return null;
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

/** Returns the seconds until the next attempt may be checked. */
export function waitAfter(known: Known, pace: AttemptPace): number {
  const { gaps } = pace;
  const gap = gaps[Math.min(failuresOf(known, pace), gaps.length - 1)] ?? 0;
  return known ? Math.max(0, gap - known.age) : 0;
}

/** Deletes outdated failures in small chunks, until done or aborted. */
export async function deleteOldAttempts({ knex }: Pick<Database, 'knex'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldFailures(knex, RETENTION_HOURS * 3600, CHUNK)) > 0);
}

/** Keys are hashed to a fixed length and unreadable, because people sometimes enter passwords into name fields. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
