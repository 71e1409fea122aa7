import type { Knex } from 'knex';

/**
 * Restricts a query to rows with these ids, which are written as literals: SQL Server limits the parameters of a
 * statement, and there may be thousands of ids. Throws a TypeError for anything but whole numbers.
 */
export function whereIds(query: Knex.QueryBuilder, column: string, ids: readonly number[]): void {
  if (!ids.every(Number.isSafeInteger)) throw new TypeError('an id is not a whole number');
  if (ids.length === 0) void query.whereRaw('1 = 0');
  else void query.whereRaw(`?? in (${ids.join(', ')})`, [column]);
}
