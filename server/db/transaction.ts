import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { dialectOf } from './dialect/dialect.ts';
import type { Dialect } from './dialect/types.ts';

const ATTEMPTS = 5;
const MIN_WAIT_MS = 10;

/**
 * Runs `work` in a transaction, which is committed when it resolves and rolled back when it throws. After a deadlock or
 * serialization conflict, the whole work runs again, so it must do nothing outside the database. Within it, await one
 * statement after the other.
 */
export const inTransaction = <T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
  retryOnConflict(dialectOf(knex), () => knex.transaction(work));

/**
 * Runs `work` again if it failed with a deadlock or serialization conflict. `work` must leave nothing behind from a
 * failed attempt.
 */
export async function retryOnConflict<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || dialect.classify(error).fault !== 'retryable') throw firstCause(error);
      // A random delay, so the same transactions do not collide again.
      await pause(MIN_WAIT_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** If a rollback failed because the server had already rolled the transaction back, returns the original error. */
function firstCause(error: unknown): unknown {
  const { originalError } = (error ?? {}) as { originalError?: unknown };
  return originalError instanceof Error ? originalError : error;
}
