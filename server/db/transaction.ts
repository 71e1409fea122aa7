import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { dialectOf } from './dialect/dialect.ts';
import type { Dialect } from './dialect/types.ts';

const ATTEMPTS = 5;
const SHORTEST_WAIT_MS = 10;

/**
 * Runs `work` in a transaction: committed when it answers, rolled back when it throws. A deadlock or serialisation conflict runs
 * the whole of it again, so `work` must do nothing outside of the database. Inside, await one statement after the other.
 */
export const inTransaction = <T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
  retryOnConflict(dialectOf(knex), () => knex.transaction(work));

/** Runs `work`, which keeps nothing of an attempt that fails, again where a deadlock or serialisation conflict was the reason. */
export async function retryOnConflict<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || dialect.classify(error).fault !== 'retryable') throw firstCause(error);
      // Apart by chance, so that the same two do not meet again.
      await pause(SHORTEST_WAIT_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Of a rollback that failed because the server had taken the transaction back already: the error that it did so for. */
function firstCause(error: unknown): unknown {
  const { originalError } = (error ?? {}) as { originalError?: unknown };
  return originalError instanceof Error ? originalError : error;
}
