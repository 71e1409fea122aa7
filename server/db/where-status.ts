import type { Knex } from 'knex';

/**
 * Restricts a query to statuses, which are written as literals. SQL Server plans a statement once for all values of its
 * parameters, so an index filtered by status serves only statements that contain the status themselves ("Create
 * filtered indexes", Limitations). Only for the program's own words: throws a TypeError for anything but letters.
 */
export function whereStatus<T extends Knex.QueryBuilder>(query: T, statuses: readonly string[], column = 'Status'): T {
  if (statuses.length === 0 || !statuses.every((status) => /^[A-Za-z]+$/.test(status)))
    throw new TypeError(`no statuses: ${statuses.join(', ')}`);
  const list = statuses.map((status) => `'${status}'`).join(', ');
  return query.whereRaw(`?? in (${list})`, [column]) as T;
}
