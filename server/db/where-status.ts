import type { Knex } from 'knex';

/**
 * Narrows a query to statuses that stand in it as literals. SQL Server plans a statement once for all values of its parameters, so that an
 * index filtered by status serves only statements that name the status themselves ("Create filtered indexes", Limitations).
 * Only for words of the program's own: throws a TypeError for anything but letters.
 */
export function whereStatus<T extends Knex.QueryBuilder>(query: T, statuses: readonly string[], column = 'Status'): T {
  if (statuses.length === 0 || !statuses.every((status) => /^[A-Za-z]+$/.test(status)))
    throw new TypeError(`no statuses: ${statuses.join(', ')}`);
  const list = statuses.map((status) => `'${status}'`).join(', ');
  return query.whereRaw(`?? in (${list})`, [column]) as T;
}
