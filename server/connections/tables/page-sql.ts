/**
 * Pages of a table. Each begins behind the last row of the one before (keyset), in the form of which an index serves the start:
 * `a >= :a and (a > :a or (a = :a and id > :id))`.
 */
import { quoteName, type SqlKind, type SqlPiece } from '#shared/codecs/query-text.ts';
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
  /** That of the view, and that of the person. */
  conditions: readonly TypedCondition[];
  sort: readonly TableSort[];
  /** Texts of the last row's sort columns, as `orderOf` names them; null from the start. */
  after: readonly (string | null)[] | null;
  /** Most rows; null for all. */
  limit: number | null;
  /** Characters after which the text of a column is cut, with one more to tell by; null for all of it. */
  cutAt: number | null;
}

/** By what the rows are ordered: as the person says, then by the key, so that no two rows are equal. */
export function orderOf({ table, sort }: Pick<TableRead, 'table' | 'sort'>): TableSort[] {
  const sorted = new Set(sort.map(({ column }) => column.name));
  const rest = table.key.filter(({ name }) => !sorted.has(name));
  return [...sort, ...rest.map((column) => ({ column, descending: false }))];
}

/** The columns, and behind them those of `orderOf`, all as texts. Throws FilterFault. */
export function pageSql(read: TableRead, kind: SqlKind): SqlPiece[] {
  const { table, columns, limit, cutAt } = read;
  const order = orderOf(read);
  const shown = columns.map((column) => cut(textOf(column, kind), column, cutAt));
  const keys = order.map(({ column }) => textOf(column, kind));
  const selected = [...shown, ...keys].map((text, index) => `${text} as c${index}`).join(', ');
  const top = kind === 'mssql' && limit !== null ? `top (${limit}) ` : '';
  const terms = order.map(({ column, descending }) => `${columnName(column, kind)}${descending ? ' desc' : ''}`);
  const orderBy = terms.length > 0 ? ` order by ${terms.join(', ')}` : '';
  return [
    { text: `select ${top}${selected} from ${tableSql(table, kind)}` },
    ...whereSql(read, order, kind),
    { text: `${orderBy}${kind === 'pg' && limit !== null ? ` limit ${limit}` : ''}` },
  ];
}

/** How many rows the filters leave, but no more than `most`. Throws FilterFault. */
export function countSql(
  read: Pick<TableRead, 'table' | 'filters' | 'conditions'>,
  most: number,
  kind: SqlKind,
): SqlPiece[] {
  const top = kind === 'mssql' ? `top (${most}) ` : '';
  return [
    { text: `select count(*) as n from (select ${top}1 as one from ${tableSql(read.table, kind)}` },
    ...whereSql({ ...read, after: null }, [], kind),
    { text: `${kind === 'pg' ? ` limit ${most}` : ''}) as counted` },
  ];
}

function tableSql({ table: { schema, name } }: CatalogTable, kind: SqlKind): string {
  return `${quoteName(schema, kind)}.${quoteName(name, kind)} as t`;
}

function cut(text: string, { kind: columnKind }: CatalogColumn, at: number | null): string {
  return at === null || columnKind !== 'Text' ? text : `left(${text}, ${at + 1})`;
}

function whereSql(
  { filters, conditions, after }: Pick<TableRead, 'filters' | 'conditions' | 'after'>,
  order: readonly TableSort[],
  kind: SqlKind,
): SqlPiece[] {
  const parts = [
    ...conditions.map((condition) => conditionSql(condition, kind)),
    ...filters.map((filter) => filterSql(filter, kind)),
  ];
  if (after) parts.push(beyond(order, after, kind));
  return parts.flatMap((part, index) => [{ text: index === 0 ? ' where ' : ' and ' }, ...part]);
}

/** Rows behind the one whose texts are given. */
function beyond(order: readonly TableSort[], after: readonly (string | null)[], kind: SqlKind): SqlPiece[] {
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

/** PostgreSQL has nulls behind all values, SQL Server before them; a descending order turns that round. Their own order is that of their indexes. */
const areNullsLast = (kind: SqlKind, descending: boolean): boolean => (kind === 'pg') !== descending;

/** Behind the value, or (not strictly) also at it. */
function side({ column, descending }: TableSort, value: string | null, isStrict: boolean, kind: SqlKind): SqlPiece[] {
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

function equal({ column }: TableSort, value: string | null, kind: SqlKind): SqlPiece[] {
  const name = columnName(column, kind);
  return value === null ? [{ text: `${name} is null` }] : [{ text: `${name} = ` }, ...valueOfText(column, value, kind)];
}
