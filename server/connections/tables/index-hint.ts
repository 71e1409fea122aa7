/** The index that would serve a page which took long. It is told to people; nothing is ever carried out. */
import { quoteName, type SqlKind } from '#shared/codecs/query-text.ts';
import { orderOf, type TableRead } from './page-sql.ts';
import type { CatalogColumn } from './types.ts';

const EXACT = ['equals', 'in', 'blank'];
const RANGES = ['less', 'greater', 'between', 'startsWith'];

/** Columns of an index have limits: 32 of PostgreSQL and SQL Server, and more than a few serve hardly anybody. */
const MOST_COLUMNS = 5;

/**
 * The statement, or '' where nothing that is filtered or sorted by is lacking one: equal values first, then the order, else a range. `leading` are
 * the columns that indexes of the table begin with; null of a view.
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
    .slice(0, MOST_COLUMNS)
    .map(({ column, descending }) => `${quoteName(column.name, kind)}${descending ? ' desc' : ''}`);
  const index = kind === 'mssql' ? `${quoteName(`IX_${name}_${first.column.name}`.slice(0, 128), kind)} ` : '';
  return `create index ${index}on ${quoteName(schema, kind)}.${quoteName(name, kind)} (${columns.join(', ')})`;
}

interface Place {
  column: CatalogColumn;
  descending: boolean;
}

const ascending = (columns: readonly CatalogColumn[]): Place[] =>
  columns.map((column) => ({ column, descending: false }));

const distinct = (places: readonly Place[]): Place[] =>
  places.filter(({ column }, index) => places.findIndex((other) => other.column.name === column.name) === index);

/** Source: CREATE INDEX: large values are no key columns. */
const canIndex = ({ type, canSort }: CatalogColumn): boolean => canSort && !type.endsWith('(max)');
