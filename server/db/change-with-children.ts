import type { Knex } from 'knex';
import { dialectOf } from './dialect/dialect.ts';
import type { ChildRows, Db, Row } from './dialect/types.ts';
import { inRows } from './in-rows.ts';
import { inTransaction } from './transaction.ts';

/** Above this many characters the rows go one statement after the other: as one they would be in memory several times over. */
const MOST_CHARACTERS = 1_000_000;

/**
 * Makes a change that answers the `Id` of the one row it concerns, or of none, and inserts rows that belong to it: in one
 * transaction, and in one statement where the database can. Without a changed row nothing is inserted. Answers the Id.
 */
export async function changeWithChildren(
  knex: Knex,
  change: (db: Db) => Knex.QueryBuilder,
  children: readonly ChildRows[],
): Promise<number | undefined> {
  const { changeInOneStatement } = dialectOf(knex);
  if (changeInOneStatement && charactersOf(children) <= MOST_CHARACTERS) {
    return changeInOneStatement(knex, change(knex), children);
  }
  return inTransaction(knex, async (trx) => {
    const [row] = (await change(trx)) as { Id: number }[];
    if (!row) return undefined;
    for (const child of children) await insertChildren(trx, row.Id, child);
    return row.Id;
  });
}

/** What one statement takes of them, roughly. */
export function charactersOf(children: readonly ChildRows[]): number {
  let sum = 0;
  for (const { rows } of children) {
    for (const row of rows)
      for (const value of Object.values(row)) sum += typeof value === 'string' ? value.length : 20;
  }
  return sum;
}

/** Inserts rows that belong to the row with this Id. */
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
