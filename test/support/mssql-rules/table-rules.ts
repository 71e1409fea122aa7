/**
 * Requirements for tables and indexes from Microsoft's documentation, checked on the statements that create them.
 * Sources: "CREATE TABLE", "CREATE INDEX", "Indexes on computed columns", "Maximum capacity specifications for SQL
 * Server", "Error 1785" (Transact-SQL).
 */
import { byCommas, isGroup, isSymbol, isWord, statementsOf, textOf, until, type Node } from './statement-tree.ts';

interface Column {
  type: string;
  /** Maximum size of a value in bytes; Infinity for max types. */
  bytes: number;
  isNullable: boolean;
  isComputed: boolean;
}

interface ForeignKey {
  table: string;
  columns: string[];
  target: string;
  targetColumns: string[];
  isCascade: boolean;
}

interface Key {
  table: string;
  name: string;
  columns: string[];
  kind: 'primary' | 'unique' | 'index';
  where: readonly Node[] | null;
}

export interface Tables {
  columns: Map<string, Map<string, Column>>;
  foreignKeys: ForeignKey[];
  keys: Key[];
}

const MAX_CLUSTERED_BYTES = 900;
const MAX_NONCLUSTERED_BYTES = 1_700;
const MAX_COLUMNS = 32;
const GONE = ['text', 'ntext', 'image', 'timestamp'];

const SIZES: Record<string, number> = {
  bit: 1,
  smallint: 2,
  int: 4,
  bigint: 8,
  float: 8,
  datetimeoffset: 10,
};

const nameOf = (node: Node | undefined): string =>
  node && !isGroup(node) ? node.text.replace(/^\[(.*)\]$/, '$1') : '';
const namesIn = (node: Node | undefined): string[] =>
  isGroup(node) ? byCommas(node.nodes).map(([name]) => nameOf(name)) : [];

/** Returns the tables that the statements create, applied in order. */
export function readTables(statements: readonly string[]): Tables {
  const tables: Tables = { columns: new Map(), foreignKeys: [], keys: [] };
  for (const { nodes } of statements.flatMap((sql) => statementsOf(sql))) {
    if (isWord(nodes[0], 'create') && isWord(nodes[1], 'table') && isGroup(nodes[3]))
      for (const item of byCommas(nodes[3].nodes)) addItem(tables, nameOf(nodes[2]), item);
    if (isWord(nodes[0], 'alter') && isWord(nodes[1], 'table') && isWord(nodes[3], 'add'))
      for (const item of byCommas(nodes.slice(4))) addItem(tables, nameOf(nodes[2]), item);
    if (isWord(nodes[0], 'create') && nodes.some((node) => isWord(node, 'index'))) addIndex(tables, nodes);
  }
  return tables;
}

function addItem(tables: Tables, table: string, item: readonly Node[]): void {
  if (isWord(item[0], 'constraint')) return addConstraint(tables, table, item);
  const columns = tables.columns.get(table) ?? new Map<string, Column>();
  tables.columns.set(table, columns);
  const name = nameOf(item[0]);
  columns.set(name, columnOf(item));
  if (item.some((node) => isWord(node, 'primary')))
    tables.keys.push({ table, name: `PK of ${table}`, columns: [name], kind: 'primary', where: null });
}

function columnOf(item: readonly Node[]): Column {
  const isComputed = isWord(item[1], 'as');
  const [type, length] = isComputed
    ? computedType(item)
    : [nameOf(item[1]).toLowerCase(), isGroup(item[2]) ? textOf(item[2].nodes) : ''];
  const isNotNull = item.some((node, index) => isWord(node, 'not') && isWord(item[index + 1], 'null'));
  const bytes = length === 'max' ? Infinity : (SIZES[type] ?? Number(length || NaN) * (type.startsWith('n') ? 2 : 1));
  return { type: `${type}${length ? `(${length})` : ''}`, bytes, isNullable: !isNotNull, isComputed };
}

/** Returns type and length of its last cast. */
function computedType(item: readonly Node[]): [type: string, length: string] {
  const casts = [...textOf(item).matchAll(/\bas (nvarchar|float|bigint|int)\b(?: \((\w+)\))?/g)];
  // Source: DATEDIFF_BIG (Transact-SQL), return type.
  const counted = /\bdatediff_big\b/.test(textOf(item)) ? 'bigint' : 'unknown';
  const [, type = counted, length = ''] = casts.at(-1) ?? [];
  return [type, length];
}

function addConstraint(tables: Tables, table: string, item: readonly Node[]): void {
  const name = nameOf(item[1]);
  const lists = item.filter(isGroup).map(namesIn);
  if (isWord(item[2], 'foreign')) {
    const at = item.findIndex((node) => isWord(node, 'references'));
    const isCascade = item.some((node) => isWord(node, 'cascade'));
    const [columns = [], targetColumns = []] = lists;
    tables.foreignKeys.push({ table, columns, target: nameOf(item[at + 1]), targetColumns, isCascade });
    return;
  }
  const kind = isWord(item[2], 'primary') ? 'primary' : 'unique';
  tables.keys.push({ table, name, columns: lists[0] ?? [], kind, where: null });
  // "If nullability isn't specified, all columns participating in a PRIMARY KEY constraint have their nullability set to NOT NULL."
  if (kind === 'primary')
    for (const column of lists[0] ?? []) {
      const found = tables.columns.get(table)?.get(column);
      if (found) found.isNullable = false;
    }
}

function addIndex(tables: Tables, nodes: readonly Node[]): void {
  const at = nodes.findIndex((node) => isWord(node, 'index'));
  const where = nodes.findIndex((node) => isWord(node, 'where'));
  tables.keys.push({
    table: nameOf(nodes[at + 3]),
    name: nameOf(nodes[at + 1]),
    columns: namesIn(nodes[at + 4]),
    kind: nodes.some((node) => isWord(node, 'unique')) ? 'unique' : 'index',
    where: where < 0 ? null : nodes.slice(where + 1),
  });
}

/** Returns the problems of the tables according to the documentation. */
export function tableViolations(tables: Tables): string[] {
  return [
    ...columnViolations(tables),
    ...tables.keys.flatMap((key) => keyViolations(tables, key).map((violation) => `${key.name}: ${violation}`)),
    ...tables.foreignKeys.flatMap((key) => foreignKeyViolations(tables, key)),
    ...cascadeViolations(tables),
  ];
}

function columnViolations({ columns }: Tables): string[] {
  return [...columns].flatMap(([table, found]) =>
    [...found]
      .filter(([, { type, bytes }]) => GONE.includes(type) || Number.isNaN(bytes))
      .map(([column, { type }]) => `${table}.${column}: ${type} is no type to use`),
  );
}

function keyViolations(tables: Tables, { table, columns, kind, where }: Key): string[] {
  const found = columns.map((name) => tables.columns.get(table)?.get(name));
  if (found.includes(undefined)) return ['of columns that are not there'];
  const bytes = found.reduce((sum, column) => sum + column!.bytes, 0);
  const maxBytes = kind === 'primary' ? MAX_CLUSTERED_BYTES : MAX_NONCLUSTERED_BYTES;
  const violations = where === null ? [] : filterViolations(tables.columns.get(table)!, where);
  if (!Number.isFinite(bytes)) violations.push('a max type is no key');
  else if (bytes > maxBytes) violations.push(`${bytes} bytes of ${maxBytes}`);
  if (columns.length > MAX_COLUMNS) violations.push(`${columns.length} columns`);
  // "multiple null values are considered duplicates when a unique index is created"
  const isNullable = found.some((column) => column!.isNullable);
  if (kind !== 'index' && isNullable && !isWord(where?.[1], 'is')) violations.push('nulls are alike in a unique index');
  return violations;
}

/** Checks each comparison: column, operator, constants. */
function filterViolations(columns: Map<string, Column>, where: readonly Node[]): string[] {
  const violations: string[] = [];
  let rest = where;
  while (rest.length > 0) {
    const conjunct = until(rest, 0, 'and');
    rest = rest.slice(conjunct.length + 1);
    const [column, ...compared] = conjunct;
    const found = columns.get(nameOf(column));
    if (!found) violations.push(`its filter is of no column: ${textOf(conjunct)}`);
    else if (found.isComputed) violations.push('its filter is of a computed column');
    if (!isComparison(compared)) violations.push(`its filter is more than simple comparisons: ${textOf(conjunct)}`);
  }
  return violations;
}

const isConstant = (node: Node | undefined): boolean => node?.kind === 'text' || node?.kind === 'number';

function isComparison([first, ...rest]: readonly Node[]): boolean {
  if (isWord(first, 'is')) return textOf(rest).toLowerCase() === 'null' || textOf(rest).toLowerCase() === 'not null';
  if (isWord(first, 'in'))
    return (
      rest.length === 1 &&
      isGroup(rest[0]) &&
      byCommas(rest[0].nodes).every((item) => item.length === 1 && isConstant(item[0]))
    );
  if (!first || !['=', '<', '>', '!'].some((sign) => isSymbol(first, sign))) return false;
  const value = rest.at(-1);
  return isConstant(value) && rest.slice(0, -1).every((node) => isSymbol(node, '=') || isSymbol(node, '>'));
}

function foreignKeyViolations({ columns, keys }: Tables, key: ForeignKey): string[] {
  const violations: string[] = [];
  const of = `${key.table} (${key.columns.join()}) → ${key.target}`;
  const isKey = keys.some(
    ({ table, columns: unique, kind }) =>
      table === key.target && kind !== 'index' && unique.join() === key.targetColumns.join(),
  );
  if (!isKey) violations.push(`${of} refers to no key`);
  for (const [index, column] of key.columns.entries()) {
    const [own, target] = [
      columns.get(key.table)?.get(column),
      columns.get(key.target)?.get(key.targetColumns[index]!),
    ];
    if (own?.type !== target?.type) violations.push(`error 1778, ${of}: ${own?.type} is not ${target?.type}`);
  }
  return violations;
}

/** "a table cannot appear more than one time in the list of all the cascading referential actions" */
function cascadeViolations({ foreignKeys }: Tables): string[] {
  const paths = (table: string, seen: readonly string[]): string[] =>
    foreignKeys
      .filter(({ target, isCascade }) => isCascade && target === table)
      .flatMap(({ table: next }) => (seen.includes(next) ? [next, next] : [next, ...paths(next, [...seen, next])]));
  return [...new Set(foreignKeys.map(({ target }) => target))].flatMap((table) => {
    const reached = paths(table, [table]);
    const twice = reached.find((name, index) => reached.indexOf(name) !== index);
    return twice === undefined ? [] : [`error 1785: ${table} reaches ${twice} by more than one cascade`];
  });
}
