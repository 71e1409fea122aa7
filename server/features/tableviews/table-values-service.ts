/** Rows of table views: pages, counts, and all of them as a file. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { findTable } from '#server/connections/tables/catalog.ts';
import { FilterFault } from '#server/connections/tables/filter-sql.ts';
import { countSql, orderOf, pageSql, type TableRead } from '#server/connections/tables/page-sql.ts';
import type { NamedConnection, ResultValue } from '#server/connections/types.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { createConcurrencyLimit } from '#server/features/runs/concurrency-limit.ts';
import { bindPieces, type BoundQuery, type SqlPiece } from '#shared/codecs/query-text.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import {
  PAGE_ROWS,
  type countTableViewRows,
  type FilterCriteria,
  type TableValues,
  type TableView,
} from '#shared/contract/tableviews.ts';
import { asking, type TableAccess } from './table-access.ts';
import { csvOf, XLSX_ROWS, xlsxOf } from './table-file.ts';
import { estimatedRows, leadingColumns } from '#server/connections/tables/statistics.ts';
import { indexHint } from '#server/connections/tables/index-hint.ts';
import { noTable, parseViewInfo, type TableViewsService } from './table-views-service.ts';
import { readOf, rowCondition, valueColumns, type ShownColumn } from './view-read.ts';

/** Of a table without a key there is no way to come to the others. */
const KEYLESS_ROWS = 1000;
/** Characters of a text that a page carries. */
const LONGEST_TEXT = 10_000;
/** Milliseconds. */
const PAGE_TIME_LIMIT = 60_000;
const COUNT_TIME_LIMIT = 2000;
/** A page that took longer may lack an index. */
const SLOW_PAGE_MS = 1000;
/** Whoever counts further has waited too long. */
const MOST_COUNTED = 2_000_000_000;
/** Reads of a person on one connection at the same time. */
const READS = 2;

export interface TableValuesService {
  page(person: Person, id: number, criteria: FilterCriteria, signal: AbortSignal): Promise<TableValues>;
  /** The count is null where it takes too long. */
  count(person: Person, id: number, criteria: FilterCriteria, signal: AbortSignal): Promise<RowCount>;
  /** A token for the file. */
  export(
    person: Person,
    id: number,
    wanted: { format: 'csv' | 'xlsx'; criteria: FilterCriteria },
    signal: AbortSignal,
  ): Promise<string>;
}

type RowCount = ResultOf<typeof countTableViewRows>;

interface OpenView {
  name: string;
  connection: NamedConnection;
  columns: ShownColumn[];
  /** Without a limit, and without texts being cut. */
  read: TableRead;
  message: string;
  /** Whether the person is told of indexes that are lacking. */
  canManage: boolean;
}

export function createTableValuesService(
  views: Pick<TableViewsService, 'find'>,
  access: TableAccess,
  files: Pick<FilesService, 'tokenForNew'>,
): TableValuesService {
  const limited = createConcurrencyLimitByName(READS);

  async function open(
    person: Person,
    view: TableView,
    criteria: FilterCriteria,
    signal: AbortSignal,
  ): Promise<OpenView> {
    const connection = await access.connectionFor(person, view.ConnectionName, view.TableName);
    const table = connection && (await findTable(connection, view.TableName, signal));
    if (!connection || !table) throw noTable(view.TableName);
    const info = parseViewInfo(view.ViewInfo);
    const { columns, message } = valueColumns(info, table);
    const read = readOf(table, columns, criteria);
    const [Roles, canManage] = await Promise.all([
      info.RowCondition === undefined ? [] : access.rolesOf(person),
      access.canManage(person),
    ]);
    const conditions = [...rowCondition(info, table, { UserName: person.UserName, Roles }), ...read.conditions];
    return { name: view.ViewName, connection, columns, message, canManage, read: { ...read, conditions } };
  }

  /** Opens the view and works with it, after what the person has under way. */
  async function reading<T>(
    person: Person,
    id: number,
    criteria: FilterCriteria,
    signal: AbortSignal,
    work: (view: OpenView) => Promise<T>,
  ): Promise<T> {
    const view = await views.find(person, id);
    return limited(`${person.UserId} ${view.ConnectionName}`, () =>
      asking(async () => {
        signal.throwIfAborted();
        return work(await open(person, view, criteria, signal));
      }),
    );
  }

  return {
    page: (person, id, criteria, signal) => reading(person, id, criteria, signal, (view) => pageOf(view, signal)),
    count: (person, id, criteria, signal) => reading(person, id, criteria, signal, (view) => quickCount(view, signal)),
    export: (person, id, { format, criteria }, signal) =>
      reading(person, id, { ...criteria, After: null }, signal, async (view) =>
        files.tokenForNew(`${view.name}.${format}`, await fileOf(view, format, signal)),
      ),
  };
}

async function pageOf(
  { connection, columns, read, message, canManage }: OpenView,
  signal: AbortSignal,
): Promise<TableValues> {
  const hasKey = read.table.key.length > 0;
  const size = hasKey ? PAGE_ROWS : KEYLESS_ROWS;
  if (read.after && (!hasKey || read.after.length !== orderOf(read).length)) throw stale();
  const query = bound(connection, () => pageSql({ ...read, limit: size + 1, cutAt: LONGEST_TEXT }, connection.kind));
  const began = performance.now();
  const { rows } = await connection.readAll(query, { signal, timeLimit: PAGE_TIME_LIMIT });
  const isSlow = canManage && performance.now() - began > SLOW_PAGE_MS;
  const hasMore = rows.length > size;
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    Columns: columns.map(({ shown: column }) => column),
    Rows: shown.map((row) => row.slice(0, columns.length).map(pageText)),
    Next: hasMore && hasKey && last ? last.slice(columns.length).map(textOrNull) : null,
    Message: [message, hasMore && !hasKey ? KEYLESS : ''].filter((text) => text !== '').join(' '),
    IndexHint: isSlow
      ? indexHint(read, await leadingColumns(connection, read.table.table, signal), connection.kind)
      : '',
  };
}

async function quickCount({ connection, read }: OpenView, signal: AbortSignal): Promise<RowCount> {
  try {
    const Count = await countOf(connection, read, MOST_COUNTED, { signal, timeLimit: COUNT_TIME_LIMIT });
    return { Count, Estimate: null };
  } catch (error) {
    if (!(error instanceof ConnectionError) || error.kind !== 'timeLimit') throw error;
    // Statistics know the table, not what a filter or a condition leaves of it.
    const isWhole = read.filters.length + read.conditions.length === 0;
    return { Count: null, Estimate: isWhole ? await estimatedRows(connection, read.table.table, signal) : null };
  }
}

async function fileOf(
  { connection, columns, read }: OpenView,
  format: 'csv' | 'xlsx',
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (format === 'xlsx' && (await countOf(connection, read, XLSX_ROWS + 1, { signal })) > XLSX_ROWS) {
    const most = XLSX_ROWS.toLocaleString('en');
    throw new AppError('tooManyRows', 400, `A sheet holds ${most} rows at most: filter the view, or export it as CSV`);
  }
  const batches = connection.read(
    bound(connection, () => pageSql(read, connection.kind)),
    { signal },
  );
  const looks = columns.map(({ shown }) => shown);
  return format === 'csv' ? csvOf(looks, batches) : xlsxOf(looks, batches);
}

const KEYLESS =
  'Only the first 1,000 rows are shown: the table has no unique key by which the others could be come to. Filters find them, and files hold them all.';

const textOrNull = (value: ResultValue): string | null => (value === null ? null : String(value));

/** A text that was cut says so. */
function pageText(value: ResultValue): string | null {
  const text = textOrNull(value);
  return text !== null && text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (cut here)` : text;
}

async function countOf(
  connection: NamedConnection,
  read: TableRead,
  most: number,
  options: Parameters<NamedConnection['readAll']>[1],
): Promise<number> {
  const query = bound(connection, () => countSql(read, most, connection.kind));
  const { rows } = await connection.readAll(query, options);
  return Number(rows[0]?.[0] ?? 0);
}

function bound({ kind }: NamedConnection, pieces: () => SqlPiece[]): BoundQuery {
  try {
    return bindPieces(pieces(), kind);
  } catch (error) {
    throw error instanceof FilterFault ? new AppError('filterInvalid', 400, error.message, { cause: error }) : error;
  }
}

const stale = (): AppError =>
  new AppError('pageInvalid', 400, 'The table has changed, so that there is no next page. Please load it again.');

/** A concurrency limit for each name, forgotten when nothing of that name is under way. */
function createConcurrencyLimitByName(places: number): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const limits = new Map<string, { limited: ReturnType<typeof createConcurrencyLimit>; users: number }>();
  return async (name, work) => {
    const limit = limits.get(name) ?? { limited: createConcurrencyLimit(places), users: 0 };
    limits.set(name, limit);
    limit.users += 1;
    try {
      return await limit.limited(work);
    } finally {
      limit.users -= 1;
      if (limit.users === 0) limits.delete(name);
    }
  };
}
