import type { Knex } from 'knex';

/**
 * Marks a statement that every run needs: on PostgreSQL, a connection parses and plans it once. Use it for statements
 * whose text does not vary, that name their columns, and whose best plan does not depend on their values.
 */
export function prepared<Query extends Knex.QueryBuilder | Knex.Raw>(query: Query): Query {
  void query.options({ prepared: true });
  return query;
}

/** Returns all columns of a row type. A column that the type has and the list lacks is a compile error. */
export const columnsOf = <Row extends object>(columns: Record<keyof Row, true>): string[] => Object.keys(columns);
