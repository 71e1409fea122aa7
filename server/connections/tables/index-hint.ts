/** Suggests an index for a page that took long. The suggestion is shown to people; it is never executed. */
import { quoteName, type SqlKind } from '#shared/codecs/query-text.ts';
import { orderOf, type TableRead } from './page-sql.ts';
import type { CatalogColumn } from './types.ts';

const EXACT = ['equals', 'in', 'blank'];
const RANGES = ['less', 'greater', 'between', 'startsWith'];

/** Maximum number of columns in the suggestion. Both databases allow 32, but more than a few rarely help. */
const MAX_COLUMNS = 5;

/**
 * Returns the CREATE INDEX statement: columns compared for equality first, then the sort order, or else a range.
 * Returns '' if no column can be indexed, or if an index already begins with a column compared for equality or with the
 * first other column. `leading` contains the columns with which indexes of the table begin; null for a view, which gets
 * no suggestion.
 */
export function indexHint(read: TableRead, leading: ReadonlySet<string> | null, kind: SqlKind): string {
  if (leading === null) return '';
  const exact = read.filters.filter(({ operator }) => EXACT.includes(operator)).map(({ column }) => column);
  const order = read.sort.length > 0 ? orderOf(read) : [];
  const ranges = read.filters.filter(({ operator }) => RANGES.includes(operator)).map(({ column }) => column);
  const rest = order.length > 0 ? order.map(({ column, descending }) => ({ column, descending })) : ascending(ranges);
  const wanted = distinct([...ascending(exact), ...rest]).filter(({ column }) => canIndex(column));
  const first = wanted[0];
  if (!first || [...exact, ...rest.slice(0, 1).map(({ column }) => column)].some(({ name }) => leading.has(name)))
    return '';
  const { schema, name } = read.table.table;
  const columns = wanted
    .slice(0, MAX_COLUMNS)
    .map(({ column, descending }) => `${quoteName(column.name, kind)}${descending ? ' desc' : ''}`);
  const index = kind === 'mssql' ? `${quoteName(`IX_${name}_${first.column.name}`.slice(0, 128), kind)} ` : '';
  return `create index ${index}on ${quoteName(schema, kind)}.${quoteName(name, kind)} (${columns.join(', ')})`;
}

interface IndexColumn {
  column: CatalogColumn;
  descending: boolean;
}

const ascending = (columns: readonly CatalogColumn[]): IndexColumn[] =>
  columns.map((column) => ({ column, descending: false }));

const distinct = (columns: readonly IndexColumn[]): IndexColumn[] =>
  columns.filter(({ column }, index) => columns.findIndex((other) => other.column.name === column.name) === index);

/** Source: CREATE INDEX: large values cannot be key columns. */
const canIndex = ({ type, canSort }: CatalogColumn): boolean => canSort && !type.endsWith('(max)');
