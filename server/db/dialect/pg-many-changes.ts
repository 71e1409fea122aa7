import type { Knex } from 'knex';
import { prepared } from '#server/db/prepared.ts';
import type { ChangedRow, ChangeMany, ChildRows, ManyChanges, OneChange } from './types.ts';

/**
 * Makes all changes in one round trip and one commit. The statement text is built once per set of child tables;
 * everything that varies is sent as JSON.
 */
export function manyInOneStatement(knex: Knex, many: ManyChanges): ChangeMany {
  const texts = new Map<string, string>();
  return async (changes) => {
    const tables = tablesOf(changes);
    const key = tables.map(({ table }) => table).join(' ');
    const text = texts.get(key) ?? textOf(knex, many, tables);
    texts.set(key, text);
    const changeRows = changes.map((change, Place) => ({ ...change.values, Place, Taken: 1 }));
    const bound = [changeRows, ...tables.map(({ rows }) => rows)].map((rows) => JSON.stringify(rows));
    const { rows } = (await prepared(knex.raw(text, bound))) as { rows: (ChangedRow & { Place: number })[] };
    const changed = new Map(rows.map((row) => [row.Place, row]));
    return changes.map((_, Place) => changed.get(Place));
  };
}

/** Groups the child rows of all changes by table. Each row gets the position of its change and its own position. */
function tablesOf(changes: readonly OneChange[]): ChildRows[] {
  const tables = new Map<string, ChildRows & { rows: object[] }>();
  for (const [Place, { children }] of changes.entries()) {
    for (const child of children) {
      if (child.rows.length === 0) continue;
      const table = tables.get(child.table) ?? { ...child, rows: [] };
      tables.set(child.table, table);
      for (const row of child.rows) table.rows.push({ ...row, Place, Number: table.rows.length });
    }
  }
  return [...tables.values()].sort((a, b) => (a.table < b.table ? -1 : 1));
}

function textOf(
  knex: Knex,
  { changeColumns, newIn, change, answers }: ManyChanges,
  tables: readonly ChildRows[],
): string {
  const columns = { Place: 'integer', ...changeColumns };
  const newId = newIn === undefined ? '' : `, nextval('"${newIn}_Id_seq"') as "Id"`;
  const parts = [
    // For a column compared with a constant, the planner expects few rows and looks each up by its index. For plain
    // JSON it expects a hundred rows.
    `"Given" as materialized (select ${names(columns)}${newId} from ${recordset({ ...columns, Taken: 'integer' }, 'Row')} where "Taken" = 1)`,
    // Question marks in the change are not placeholders.
    `"Parent" as (${change(knex)
      .toQuery()
      .replaceAll('?', String.raw`\?`)})`,
    ...tables.map((table, index) => `"Child${index}" as (${insertion(table)})`),
  ];
  const answer = answers === undefined ? '' : `, "Parent"."${answers}" as "Answer"`;
  return `with ${parts.join(', ')} select "Given"."Place", "Parent"."Id"${answer} from "Given" join "Parent" on "Parent"."Id" = "Given"."Id"`;
}

function insertion({ table, parentColumn, columns }: ChildRows): string {
  const targets = parentColumn === undefined ? columns : { [parentColumn]: 'bigint', ...columns };
  const values = Object.keys(columns).map((name) => `"Child"."${name}"`);
  if (parentColumn !== undefined) values.unshift('"Parent"."Id"');
  const child = recordset({ Place: 'integer', Number: 'integer', ...columns }, 'Child');
  return (
    `insert into "${table}" (${names(targets)}) select ${values.join(', ')} from "Parent" ` +
    `join "Given" on "Given"."Id" = "Parent"."Id" join ${child} on "Child"."Place" = "Given"."Place" order by "Child"."Number"`
  );
}

const names = (columns: object): string => quoted(Object.keys(columns)).join(', ');
const quoted = (columns: readonly string[]): string[] => columns.map((name) => `"${name}"`);

function recordset(columns: Readonly<Record<string, string>>, alias: string): string {
  const typed = Object.entries(columns).map(([name, kind]) => `"${name}" ${kind}`);
  return `json_to_recordset(?::json) as "${alias}" (${typed.join(', ')})`;
}
