import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { ChildRows, Db, Row } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';

/**
 * With more characters than this, rows are inserted in separate statements: a single statement would hold them in
 * memory several times.
 */
const MAX_CHARACTERS = 1_000_000;

/**
 * Makes a change that returns the `Id` of the single row it changes, if any, and inserts child rows of that row. It
 * uses one transaction, and one statement if the database can. If no row changed, nothing is inserted. Returns the Id.
 */
export async function changeWithChildren(
  knex: Knex,
  change: (db: Db) => Knex.QueryBuilder,
  children: readonly ChildRows[],
): Promise<number | undefined> {
  const { changeInOneStatement } = dialectOf(knex);
  if (changeInOneStatement && charactersOf(children) <= MAX_CHARACTERS) {
    return changeInOneStatement(knex, change(knex), children);
  }
  return inTransaction(knex, async (trx) => {
    const [row] = (await change(trx)) as { Id: number }[];
    if (!row) return undefined;
    for (const child of children) await insertChildren(trx, row.Id, child);
    return row.Id;
  });
}

/** Returns the approximate number of characters that a statement needs for the rows. */
export function charactersOf(children: readonly ChildRows[]): number {
  let sum = 0;
  for (const { rows } of children) {
    for (const row of rows)
      for (const value of Object.values(row)) sum += typeof value === 'string' ? value.length : 20;
  }
  return sum;
}

/** Inserts child rows of the row with this Id. */
export async function insertChildren(
  db: Db,
  parentId: number,
  { table, parentColumn, columns, rows }: ChildRows,
): Promise<void> {
  const parent = parentColumn === undefined ? {} : { [parentColumn]: parentId };
  const named = rows.map((values) => ({
    ...parent,
    ...Object.fromEntries(Object.keys(columns).map((column) => [column, (values as Row)[column] ?? null])),
  }));
  await inRows(db, named, (part) => db(table).insert(part));
}
