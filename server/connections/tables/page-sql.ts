/**
 * Pages of a table. Each page begins after the last row of the previous one (keyset pagination). It reads each
 * following range separately, so an index can find the start of each (docs/decisions/0032-table-views.md): `a = :a
 * and id > :id`, then `a > :a`, then `a is null`.
 */
import { quoteName, type SqlKind, type SqlFragment } from '#shared/codecs/query-text.ts';
import type { TypedCondition } from '#shared/codecs/condition-columns.ts';
import { conditionSql } from '#shared/codecs/condition-sql.ts';
import { columnName, textOf, valueOfText } from './column-sql.ts';
import { filterSql, type TableFilter } from './filter-sql.ts';
import type { CatalogColumn, CatalogTable } from './types.ts';

export interface TableSort {
  column: CatalogColumn;
  descending: boolean;
}

export interface TableRead {
  table: CatalogTable;
  columns: readonly CatalogColumn[];
  filters: readonly TableFilter[];
  /** The condition of the view and that of the person. */
  conditions: readonly TypedCondition[];
  sort: readonly TableSort[];
  /** Texts of the last row's sort columns, in the order of `orderOf`; null to read from the start. */
  after: readonly (string | null)[] | null;
  /** Maximum number of rows; null for all. */
  limit: number | null;
  /** Number of characters after which texts are cut, plus one that shows the cut; null for whole texts. */
  cutAt: number | null;
}

/**
 * Returns the sort order: the person's order, then the key, so that no two rows are equal. The key has the direction of
 * the column before it: an index on both can then be read forwards or backwards instead of sorting. Indexes of SQL
 * Server contain the clustered key after their own columns. Source: "Clustered and nonclustered indexes"; PostgreSQL's
 * manual, "Indexes and ORDER BY".
 */
export function orderOf({ table, sort }: Pick<TableRead, 'table' | 'sort'>): TableSort[] {
  const sorted = new Set(sort.map(({ column }) => column.name));
  const rest = table.key.filter(({ name }) => !sorted.has(name));
  const descending = sort.at(-1)?.descending ?? false;
  return [...sort, ...rest.map((column) => ({ column, descending }))];
}

/** Maximum number of values in a union, which repeats the filters: SQL Server accepts 2,098. */
const MAX_UNION_VALUES = 1500;

/** Selects the columns, followed by those of `orderOf`, all as texts. Throws FilterError. */
export function pageSql(read: TableRead, kind: SqlKind): SqlFragment[] {
  const order = orderOf(read);
  const { after, limit } = read;
  if (!after) return rowsSql(read, { order, range: null, extra: '' }, kind);
  const ranges = limit === null ? [] : rangesBehind(order, after, kind);
  const [only] = ranges;
  if (only && ranges.length === 1) return rowsSql(read, { order, range: only, extra: '' }, kind);
  const whole = ranges.length === 0 ? null : unionSql(read, { order, ranges }, kind);
  if (whole && whole.filter((fragment) => 'value' in fragment).length <= MAX_UNION_VALUES) return whole;
  return rowsSql(read, { order, range: beyond(order, after, kind), extra: '' }, kind);
}

interface Rows {
  order: readonly TableSort[];
  /** The range of the rows; null for all. */
  range: SqlFragment[] | null;
  /** Further columns after the texts, unconverted. */
  extra: string;
}

function rowsSql(read: TableRead, { order, range, extra }: Rows, kind: SqlKind): SqlFragment[] {
  const { table, columns, limit, cutAt } = read;
  const shown = columns.map((column) => cut(textOf(column, kind), column, cutAt));
  const keys = order.map(({ column }) => textOf(column, kind));
  const selected = [...shown, ...keys].map((text, index) => `${text} as c${index}`).join(', ');
  const orderBy = orderBySql(order.map(({ column, descending }) => ({ name: columnName(column, kind), descending })));
  const [top, bottom] = limitSql(limit, kind);
  return [
    { text: `select ${top}${selected}${extra} from ${tableSql(table, kind)}` },
    ...whereSql(read, range, kind),
    { text: `${orderBy}${bottom}` },
  ];
}

/** Reads each range separately, and returns the first rows of all of them. */
function unionSql(
  read: TableRead,
  { order, ranges }: { order: readonly TableSort[]; ranges: readonly SqlFragment[][] },
  kind: SqlKind,
): SqlFragment[] {
  const raw = order.map(({ column }, index) => `, ${columnName(column, kind)} as o${index}`).join('');
  const parts = ranges.flatMap((range, index): SqlFragment[] => [
    { text: `${index === 0 ? '' : ' union all '}select * from (` },
    ...rowsSql(read, { order, range, extra: `, ${index} as part${raw}` }, kind),
    { text: `) as r${index}` },
  ]);
  const names = Array.from({ length: read.columns.length + order.length }, (_, index) => `c${index}`);
  const terms = order.map(({ descending }, index) => ({ name: `o${index}`, descending }));
  const [top, bottom] = limitSql(read.limit, kind);
  return [
    { text: `select ${top}${names.join(', ')} from (` },
    ...parts,
    { text: `) as p${orderBySql([{ name: 'part', descending: false }, ...terms])}${bottom}` },
  ];
}

const orderBySql = (terms: readonly { name: string; descending: boolean }[]): string =>
  terms.length === 0
    ? ''
    : ` order by ${terms.map(({ name, descending }) => `${name}${descending ? ' desc' : ''}`).join(', ')}`;

/** Returns the text after SELECT and the text at the end. */
function limitSql(limit: number | null, kind: SqlKind): [top: string, bottom: string] {
  if (limit === null) return ['', ''];
  return kind === 'mssql' ? [`top (${limit}) `, ''] : ['', ` limit ${limit}`];
}

/** Counts the rows that match the filters, up to `most`. Throws FilterError. */
export function countSql(
  read: Pick<TableRead, 'table' | 'filters' | 'conditions'>,
  limit: number,
  kind: SqlKind,
): SqlFragment[] {
  const top = kind === 'mssql' ? `top (${limit}) ` : '';
  return [
    { text: `select count(*) as n from (select ${top}1 as one from ${tableSql(read.table, kind)}` },
    ...whereSql(read, null, kind),
    { text: `${kind === 'pg' ? ` limit ${limit}` : ''}) as counted` },
  ];
}

function tableSql({ table: { schema, name } }: CatalogTable, kind: SqlKind): string {
  return `${quoteName(schema, kind)}.${quoteName(name, kind)} as t`;
}

function cut(text: string, { kind: columnKind }: CatalogColumn, at: number | null): string {
  return at === null || columnKind !== 'Text' ? text : `left(${text}, ${at + 1})`;
}

function whereSql(
  { filters, conditions }: Pick<TableRead, 'filters' | 'conditions'>,
  range: SqlFragment[] | null,
  kind: SqlKind,
): SqlFragment[] {
  const parts = [
    ...conditions.map((condition) => conditionSql(condition, kind)),
    ...filters.map((filter) => filterSql(filter, kind)),
  ];
  if (range) parts.push(range);
  return parts.flatMap((part, index) => [{ text: index === 0 ? ' where ' : ' and ' }, ...part]);
}

/** Returns the rows after the one with the given texts, as consecutive ranges of the first column. */
function rangesBehind(
  order: readonly TableSort[],
  [value = null, ...others]: readonly (string | null)[],
  kind: SqlKind,
): SqlFragment[][] {
  const [first, ...rest] = order;
  if (!first) return [];
  const same: SqlFragment[] = [...equal(first, value, kind), { text: ' and ' }, ...beyond(rest, others, kind)];
  const isAtEnd = value === null && areNullsLast(kind, first.descending);
  const next = isAtEnd ? [] : [side({ ...first, column: { ...first.column, isNullable: false } }, value, true, kind)];
  return [...(rest.length > 0 ? [same] : []), ...next, ...nullsBehind(first, value, kind)];
}

/** Returns a single condition for whose start an index can be used: `a >= :a and (a > :a or (a = :a and id > :id))`. */
function beyond(order: readonly TableSort[], after: readonly (string | null)[], kind: SqlKind): SqlFragment[] {
  const [first, ...rest] = order;
  const [value = null, ...others] = after;
  if (!first) return [{ text: '(1 = 0)' }];
  const strict = side(first, value, true, kind);
  if (rest.length === 0) return strict;
  return [
    { text: '(' },
    ...side(first, value, false, kind),
    { text: ' and (' },
    ...strict,
    { text: ' or (' },
    ...equal(first, value, kind),
    { text: ' and ' },
    ...beyond(rest, others, kind),
    { text: ')))' },
  ];
}

/**
 * PostgreSQL sorts nulls after all values, SQL Server before them; a descending order reverses this. Keeping their
 * default order allows the use of indexes.
 */
const areNullsLast = (kind: SqlKind, descending: boolean): boolean => (kind === 'pg') !== descending;

/** Rows after the value or, if not strict, also at the value. */
function side(
  { column, descending }: TableSort,
  value: string | null,
  isStrict: boolean,
  kind: SqlKind,
): SqlFragment[] {
  const name = columnName(column, kind);
  const nullsLast = areNullsLast(kind, descending);
  if (value === null) {
    if (nullsLast) return [{ text: isStrict ? '(1 = 0)' : `(${name} is null)` }];
    return [{ text: isStrict ? `(${name} is not null)` : '(1 = 1)' }];
  }
  const sign = `${descending ? '<' : '>'}${isStrict ? '' : '='}`;
  const nulls = nullsLast && column.isNullable ? ` or ${name} is null` : '';
  return [{ text: `(${name} ${sign} ` }, ...valueOfText(column, value, kind), { text: `${nulls})` }];
}

/** Returns the range of nulls if it comes after all values. */
function nullsBehind({ column, descending }: TableSort, value: string | null, kind: SqlKind): SqlFragment[][] {
  const comes = value !== null && column.isNullable && areNullsLast(kind, descending);
  return comes ? [[{ text: `${columnName(column, kind)} is null` }]] : [];
}

function equal({ column }: TableSort, value: string | null, kind: SqlKind): SqlFragment[] {
  const name = columnName(column, kind);
  return value === null ? [{ text: `${name} is null` }] : [{ text: `${name} = ` }, ...valueOfText(column, value, kind)];
}
