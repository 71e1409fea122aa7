/** Rows of table views: pages, counts, and all rows as a file. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { findTable } from '#server/connections/tables/catalog.ts';
import { readTable } from '#server/connections/tables/known-tables.ts';
import { FilterError } from '#server/connections/tables/filter-sql.ts';
import { countSql, orderOf, pageSql, type TableRead } from '#server/connections/tables/page-sql.ts';
import type { CatalogTable } from '#server/connections/tables/types.ts';
import type { NamedConnection, ResultBatch, ResultValue } from '#server/connections/types.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { bindFragments, type BoundQuery, type SqlKind, type SqlFragment } from '#shared/codecs/query-text.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type { StoredView } from './table-views-repository.ts';
import {
  PAGE_ROWS,
  type countTableViewRows,
  type FilterCriteria,
  type TableValues,
  type ViewInfo,
} from '#shared/contract/tableviews.ts';
import { asking, type TableAccess } from './table-access.ts';
import { csvOf, XLSX_ROWS, xlsxOf } from './table-file.ts';
import { estimatedRows, leadingColumns } from '#server/connections/tables/statistics.ts';
import { indexHint } from '#server/connections/tables/index-hint.ts';
import { noTable, parseViewInfo, type TableViewsService } from './table-views-service.ts';
import { readOf, rowCondition, valueColumns, type ShownColumn } from './view-read.ts';

/** Maximum number of rows shown of a table without a key, because its further rows cannot be paged to. */
const KEYLESS_ROWS = 1000;
/** Maximum number of characters of a text on a page. */
const MAX_TEXT_LENGTH = 10_000;
/** In milliseconds. */
const PAGE_TIME_LIMIT = 60_000;
const COUNT_TIME_LIMIT = 2000;
/** A page that took longer may lack an index. */
const SLOW_PAGE_MS = 1000;
/** Upper bound of a count; reaching it would take longer than anybody waits. */
const MAX_COUNT = 2_000_000_000;
/** Maximum number of concurrent reads of a person on one connection. */
const READS = 2;

export interface TableValuesService {
  page(person: Person, id: number, criteria: FilterCriteria, signal: AbortSignal): Promise<TableValues>;
  /** Returns the number of rows; null if counting takes too long. */
  count(person: Person, id: number, criteria: FilterCriteria, signal: AbortSignal): Promise<RowCount>;
  /** Returns a token for the file. */
  export(
    person: Person,
    id: number,
    wanted: { format: 'csv' | 'xlsx'; criteria: FilterCriteria },
    signal: AbortSignal,
  ): Promise<string>;
}

type RowCount = ResultOf<typeof countTableViewRows>;

/** A view that the person may see, with their filter criteria. */
interface AskedView {
  view: StoredView;
  info: ViewInfo;
  connection: NamedConnection;
  criteria: FilterCriteria;
  /** The values of the person that the view's row condition uses. */
  holder: { UserName: string; Roles: readonly string[] };
  /** True if the person gets hints about missing indexes. */
  canManage: boolean;
}

/** A requested view, applied to its table. */
interface OpenView {
  columns: ShownColumn[];
  /** Without a limit, and without truncated texts. */
  read: TableRead;
  message: string;
}

export function createTableValuesService(
  views: Pick<TableViewsService, 'find'>,
  access: TableAccess,
  files: Pick<FilesService, 'tokenForNew'>,
): TableValuesService {
  const limited = createConcurrencyLimitByName(READS);

  async function askedView(person: Person, view: StoredView, criteria: FilterCriteria): Promise<AskedView> {
    const connection = await access.connectionFor(person, view.ConnectionName, view.TableName);
    if (!connection) throw noTable(view.TableName);
    const info = parseViewInfo(view.ViewInfo);
    const [Roles, canManage] = await Promise.all([
      info.RowCondition === undefined ? [] : access.rolesOf(person),
      access.canManage(person),
    ]);
    return { view, info, connection, criteria, holder: { UserName: person.UserName, Roles }, canManage };
  }

  /** Runs the work after the person's current reads on the connection. */
  async function reading<T>(
    person: Person,
    id: number,
    { criteria, signal }: { criteria: FilterCriteria; signal: AbortSignal },
    work: (asked: AskedView) => Promise<T>,
  ): Promise<T> {
    const view = await views.find(person, id);
    return limited(`${person.UserId} ${view.ConnectionName}`, () =>
      asking(async () => {
        signal.throwIfAborted();
        return work(await askedView(person, view, criteria));
      }),
    );
  }

  return {
    page: (person, id, criteria, signal) => reading(person, id, { criteria, signal }, (asked) => pageOf(asked, signal)),
    count: (person, id, criteria, signal) =>
      reading(person, id, { criteria, signal }, (asked) => quickCount(asked, signal)),
    export: (person, id, { format, criteria }, signal) =>
      reading(person, id, { criteria: { ...criteria, After: null }, signal }, async (asked) =>
        files.tokenForNew(person, `${asked.view.ViewName}.${format}`, await fileOf(asked, format, signal)),
      ),
  };
}

/** Applies the view and the criteria to the table. Throws an AppError if they do not fit. */
function openOn(table: CatalogTable, { info, criteria, holder }: AskedView): OpenView {
  const { columns, message } = valueColumns(info, table);
  const read = readOf(table, columns, criteria);
  const conditions = [...rowCondition(info, table, holder), ...read.conditions];
  const shown = columns.filter(({ column }) => read.columns.includes(column));
  return { columns: shown, message, read: { ...read, conditions } };
}

const hasKey = ({ table }: Pick<TableRead, 'table'>): boolean => table.key.length > 0;
const pageSize = (read: TableRead): number => (hasKey(read) ? PAGE_ROWS : KEYLESS_ROWS);

function pageQuery({ kind }: NamedConnection, read: TableRead): BoundQuery {
  if (read.after && (!hasKey(read) || read.after.length !== orderOf(read).length)) throw stale();
  return bound(kind, () => pageSql({ ...read, limit: pageSize(read) + 1, cutAt: MAX_TEXT_LENGTH }, kind));
}

async function pageOf(asked: AskedView, signal: AbortSignal): Promise<TableValues> {
  const { connection, view, canManage } = asked;
  const began = performance.now();
  const answer = await readTable(connection, view.TableName, { signal, timeLimit: PAGE_TIME_LIMIT }, (table) =>
    pageQuery(connection, openOn(table, asked).read),
  );
  if (!answer) throw noTable(view.TableName);
  const isSlow = canManage && performance.now() - began > SLOW_PAGE_MS;
  const { columns, read, message } = openOn(answer.table, asked);
  const { rows } = answer.batch;
  const size = pageSize(read);
  const hasMore = rows.length > size;
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    Columns: columns.map(({ shown: column }) => column),
    Rows: shown.map((row) => row.slice(0, columns.length).map(pageText)),
    Next: hasMore && hasKey(read) && last ? last.slice(columns.length).map(textOrNull) : null,
    Message: [message, hasMore && !hasKey(read) ? KEYLESS : ''].filter((text) => text !== '').join(' '),
    IndexHint: isSlow
      ? indexHint(read, await leadingColumns(connection, read.table.table, signal), connection.kind)
      : '',
  };
}

async function quickCount(asked: AskedView, signal: AbortSignal): Promise<RowCount> {
  const { connection, view } = asked;
  try {
    const options = { signal, timeLimit: COUNT_TIME_LIMIT };
    const answer = await readTable(connection, view.TableName, options, (table) =>
      countQuery(connection, openOn(table, asked).read, MAX_COUNT),
    );
    if (!answer) throw noTable(view.TableName);
    return { Count: countIn(answer.batch), Estimate: null };
  } catch (error) {
    if (!(error instanceof ConnectionError) || error.kind !== 'timeLimit') throw error;
    const { read } = await openNow(asked, signal);
    // Statistics cover the whole table, not the part that remains after a filter or condition.
    const isUnfiltered = read.filters.length + read.conditions.length === 0;
    return { Count: null, Estimate: isUnfiltered ? await estimatedRows(connection, read.table.table, signal) : null };
  }
}

async function openNow(asked: AskedView, signal: AbortSignal): Promise<OpenView> {
  const table = await findTable(asked.connection, asked.view.TableName, signal);
  if (!table) throw noTable(asked.view.TableName);
  return openOn(table, asked);
}

async function fileOf(
  asked: AskedView,
  format: 'csv' | 'xlsx',
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { connection } = asked;
  const { columns, read } = await openNow(asked, signal);
  if (format === 'xlsx') {
    const counted = await connection.readAll(countQuery(connection, read, XLSX_ROWS + 1), { signal });
    if (countIn(counted) > XLSX_ROWS) throw tooLong();
  }
  const query = bound(connection.kind, () => pageSql(read, connection.kind));
  const batches = connection.read(query, { signal, isStreamed: true });
  const shownColumns = columns.map(({ shown }) => shown);
  return format === 'csv' ? csvOf(shownColumns, batches) : xlsxOf(shownColumns, batches);
}

function tooLong(): AppError {
  const max = XLSX_ROWS.toLocaleString('en');
  return new AppError('tooManyRows', 400, `A sheet can hold at most ${max} rows: filter the view, or export it as CSV`);
}

const KEYLESS =
  'Only the first 1,000 rows are shown, because the table has no unique key. Use filters to find the others, or download a file with all rows.';

const textOrNull = (value: ResultValue): string | null => (value === null ? null : String(value));

/** Marks a truncated text as such. */
function pageText(value: ResultValue): string | null {
  const text = textOrNull(value);
  return text !== null && text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}… (cut here)` : text;
}

const countQuery = ({ kind }: NamedConnection, read: TableRead, limit: number): BoundQuery =>
  bound(kind, () => countSql(read, limit, kind));

const countIn = ({ rows }: ResultBatch): number => Number(rows[0]?.[0] ?? 0);

function bound(kind: SqlKind, fragments: () => SqlFragment[]): BoundQuery {
  try {
    return bindFragments(fragments(), kind);
  } catch (error) {
    throw error instanceof FilterError ? new AppError('filterInvalid', 400, error.message, { cause: error }) : error;
  }
}

const stale = (): AppError =>
  new AppError('pageInvalid', 400, 'The table has changed, so there is no next page. Please load it again.');

/** Creates a concurrency limit per name. A limit is discarded when nothing with its name is running. */
function createConcurrencyLimitByName(slots: number): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const limits = new Map<string, { limited: ReturnType<typeof createConcurrencyLimit>; users: number }>();
  return async (name, work) => {
    const limit = limits.get(name) ?? { limited: createConcurrencyLimit(slots), users: 0 };
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
