import type { Knex } from 'knex';
import { dialectOf } from './dialect/dialect.ts';
import type { Dialect } from './dialect/types.ts';
import { retryCollisions } from './retry-collisions.ts';

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
  try {
    return await retryCollisions(work, (error) => dialect.classify(error).fault === 'retryable');
  } catch (error) {
    throw firstCause(error);
  }
}

/** If a rollback failed because the server had already rolled the transaction back, returns the original error. */
function firstCause(error: unknown): unknown {
  const { originalError } = (error ?? {}) as { originalError?: unknown };
  return originalError instanceof Error ? originalError : error;
}
