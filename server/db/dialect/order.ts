import type { Knex } from 'knex';
import type { OrderTerm } from './types.ts';

export function applyOrder(query: Knex.QueryBuilder, terms: OrderTerm[]): void {
  for (const { column, direction = 'asc' } of terms) void query.orderBy(column, direction);
}
