import knexModule from 'knex';
import type { Knex } from 'knex';

// knex is a CommonJS module in which Node finds no named exports.
const { KnexTimeoutError } = knexModule;

/** A statement exceeded its time limit and was ended in the database. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** The time by which several statements together must be done, on the clock of performance.now(). */
export type Deadline = number;

export const deadlineIn = (milliseconds: number): Deadline => performance.now() + milliseconds;

/** Returns the rows of a query; throws a TimeLimitError if they do not arrive by the deadline. */
export async function rowsBy<T>(query: Knex.QueryBuilder, deadline: Deadline): Promise<T[]> {
  try {
    const left = Math.max(1, Math.ceil(deadline - performance.now()));
    return (await query.timeout(left, { cancel: true })) as T[];
  } catch (error) {
    if (!(error instanceof KnexTimeoutError)) throw error;
    throw new TimeLimitError('the statement took longer than it may', { cause: error });
  }
}
