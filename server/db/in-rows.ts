import type { Knex } from 'knex';
import { dialectOf } from './dialect/dialect.ts';

/** Writes rows in as many statements as the database's bounds on values and rows ask for, one after the other. */
export async function inRows<T extends object>(
  db: Knex,
  rows: readonly T[],
  write: (part: T[]) => PromiseLike<unknown>,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { maxBindings, maxRows } = dialectOf(db);
  // One column may be added by `write`.
  const size = Math.max(1, Math.min(maxRows, Math.floor(maxBindings / (Object.keys(first).length + 1))));
  for (let start = 0; start < rows.length; start += size) await write(rows.slice(start, start + size));
}
