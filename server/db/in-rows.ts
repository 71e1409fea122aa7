import type { Knex } from 'knex';
import { dialectOf } from './dialect/dialect.ts';

/**
 * Writes rows in several consecutive statements if they exceed the database's limits on values and rows per statement.
 */
export async function inRows<T extends object>(
  db: Knex,
  rows: readonly T[],
  write: (part: T[]) => PromiseLike<unknown>,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { maxBindings, maxRows } = dialectOf(db);
  // `write` may add one column.
  const size = Math.max(1, Math.min(maxRows, Math.floor(maxBindings / (Object.keys(first).length + 1))));
  for (let start = 0; start < rows.length; start += size) await write(rows.slice(start, start + size));
}
