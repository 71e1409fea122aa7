import type { Knex } from 'knex';
import { prepared } from '#server/db/prepared.ts';
import type { ChildRows } from './types.ts';

/**
 * Uses one round trip and one commit instead of four or more: the rows are sent as JSON, and the change is part of the
 * statement.
 */
export async function changeInOneStatement(
  knex: Knex,
  change: Knex.QueryBuilder,
  children: readonly ChildRows[],
): Promise<number | undefined> {
  const statement = knex.with('Parent', change).select<{ Id: number }[]>('Id').from('Parent');
  for (const [index, child] of children.entries()) {
    if (child.rows.length > 0) void statement.with(`Child${index}`, insertion(knex, child));
  }
  const [row] = await prepared(statement);
  return row?.Id;
}

function insertion(knex: Knex, { table, parentColumn, columns, rows }: ChildRows): Knex.Raw {
  const names = Object.keys(columns);
  const targets = parentColumn === undefined ? names : [parentColumn, ...names];
  const marks = (list: readonly string[]): string => list.map(() => '??').join(', ');
  const types = Object.values(columns).map((kind) => `?? ${kind}`);
  const parent = parentColumn === undefined ? [] : ['Parent.Id'];
  // The join with the changed row also ensures that nothing is inserted if no row changed.
  return knex.raw(
    `insert into ?? (${marks(targets)}) select ${marks([...parent, ...names])} from "Parent" ` +
      `cross join json_to_recordset(?::json) as "Child" (${types.join(', ')})`,
    [table, ...targets, ...parent, ...names.map((name) => `Child.${name}`), JSON.stringify(rows), ...names],
  );
}
