import type { Knex } from 'knex';

/**
 * Marks a statement that every run needs: on PostgreSQL a connection parses and plans it once. For statements whose text is the same
 * time and again, that name their columns, and whose best plan does not depend on their values.
 */
export function prepared<Query extends Knex.QueryBuilder | Knex.Raw>(query: Query): Query {
  void query.options({ prepared: true });
  return query;
}

/** The columns of a row, each of them: one that the type has and the list lacks does not compile. */
export const columnsOf = <Row extends object>(columns: Record<keyof Row, true>): string[] => Object.keys(columns);
