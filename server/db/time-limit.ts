import knexModule from 'knex';
import type { Knex } from 'knex';

// knex is CommonJS, and Node finds no named exports in it.
const { KnexTimeoutError } = knexModule;

/** A statement took longer than it may, and was ended in the database. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** A moment by which several statements together have to be done, as performance.now() tells it. */
export type Deadline = number;

export const deadlineIn = (milliseconds: number): Deadline => performance.now() + milliseconds;

/** The rows of a query; throws a TimeLimitError where they are not there by the deadline. */
export async function rowsBy<T>(query: Knex.QueryBuilder, deadline: Deadline): Promise<T[]> {
  try {
    const left = Math.max(1, Math.ceil(deadline - performance.now()));
    return (await query.timeout(left, { cancel: true })) as T[];
  } catch (error) {
    if (!(error instanceof KnexTimeoutError)) throw error;
    throw new TimeLimitError('the statement took longer than it may', { cause: error });
  }
}
