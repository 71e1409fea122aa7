/**
 * Pages of a history in an order other than newest first. If an index has the order, each page is read as a range of
 * it. Other orders are only available if the search leaves few enough runs to sort them directly.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy } from '#server/db/time-limit.ts';
import { HISTORY_SORTED_MAX, type HistorySort } from '#shared/contract/run-history.ts';
import type { HistoryFilter, HistoryRow } from './history-repository.ts';
import { narrow } from './history-search.ts';
import { runs } from '#server/access/find-run.ts';

/** What the runs are sorted by: columns with one direction, followed by the run id. */
export interface SortKey {
  columns: string[];
  /** The column of the run id in the index. */
  id: string;
  /** True if an index has these columns in order, within the runs of one activity. */
  isIndexed: boolean;
  /** The values of one input or output, joined as V. */
  values?: { table: 'RunInputs' | 'RunOutputs'; parameterId: number };
}

/** @param isNumber only for 'Value': true if its values are numbers, false for texts */
export function sortKeyOf({ By, Direction, ActivityParameterId }: HistorySort, isNumber: boolean): SortKey {
  const ofRuns = (columns: string[], isIndexed: boolean): SortKey => ({ columns, id: 'R.Id', isIndexed });
  if (By === 'Id') return ofRuns([], true);
  if (By === 'Duration') return ofRuns(['R.DurationMs'], true);
  if (By === 'Status' || By === 'ActivityVersion') return ofRuns([`R.${By}`], true);
  if (By === 'UserFullName') return ofRuns(['U.FirstName', 'U.LastName'], false);
  if (By === 'Name') return ofRuns(['A.Name'], false);
  return {
    columns: [isNumber ? 'V.SearchNumber' : 'V.SearchText'],
    id: 'V.ActivityRunId',
    isIndexed: true,
    values: { table: Direction === 'output' ? 'RunOutputs' : 'RunInputs', parameterId: ActivityParameterId! },
  };
}

export interface SortedSearch {
  db: Db;
  key: SortKey;
  descending: boolean;
  /** Restricts the query to the runs to search, with ActivityRuns as R and Activities as A. */
  candidates: (query: Knex.QueryBuilder) => void;
  /** True if these are all runs of one activity, or all runs: ranges that indexes contain. */
  isRange: boolean;
  /** The single activity; null for all. */
  activityId: number | null;
  /** True if only one user's runs, or runs that meet a condition, are wanted. */
  isNarrowed: boolean;
  filter: HistoryFilter;
  /** Maximum number of runs that can be sorted by any column. */
  maxRuns?: number;
  /** Number of index entries that are checked for wanted runs. */
  near?: number;
}

/**
 * Large enough to contain a page of matches unless they are rare. Small enough to pass the ids as parameters: SQL
 * Server allows 2,100.
 */
const NEAR_ENTRIES = 1_500;

type KeyValue = string | number;

/**
 * If there are more runs, the result includes the first one after the page. Throws an AppError 400 if the search finds
 * too many runs to sort by this column.
 */
export async function listSortedHistory(search: SortedSearch): Promise<HistoryRow[]> {
  const isFew = await areFew(search);
  if (!isFew && !(search.key.isIndexed && search.isRange)) throw tooMany();
  const after = search.filter.before === null ? null : await valuesOf(search, search.filter.before);
  if (isFew) return readFew(search, after);
  return search.isNarrowed && search.key.columns.length === 1 ? readNarrowed(search, after) : readRange(search, after);
}

function tooMany(): AppError {
  const max = HISTORY_SORTED_MAX.toLocaleString('en');
  const text = `More than ${max} runs were found, which is too many to sort by this value: narrow the search`;
  return new AppError('historySortTooMany', 400, text);
}

async function areFew({ db, candidates, filter, maxRuns = HISTORY_SORTED_MAX }: SortedSearch): Promise<boolean> {
  const query = db('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId');
  candidates(query);
  narrow(query, db, 'R', filter);
  const found = await rowsBy(query.select('R.Id').limit(maxRuns + 1), filter.deadline);
  return found.length <= maxRuns;
}

function sortable({ db, key: { columns, values }, candidates }: SortedSearch): Knex.QueryBuilder {
  const query = runs(db).select('A.Name');
  candidates(query);
  if (values) {
    // Of several files, the first one counts.
    void query
      .join(`${values.table} as V`, 'V.ActivityRunId', 'R.Id')
      .where({ 'V.ActivityParameterId': values.parameterId, 'V.ArrayIndex': 0 });
  }
  for (const column of columns) void query.whereNotNull(column);
  // Runs that ended before they started also have a value in this column, but their waiting time is not a duration.
  if (columns.includes('R.DurationMs')) void query.whereNotNull('R.StartTime');
  return query;
}

/** Returns the sort values of the last run on the previous page. */
async function valuesOf(search: SortedSearch, runId: number): Promise<KeyValue[]> {
  const { db, key } = search;
  const names = key.columns.map((column, at) => db.ref(column).as(`Key${at}`));
  const query = sortable(search)
    .where('R.Id', runId)
    .clearSelect()
    .select('R.Id', ...names);
  const [row] = await rowsBy<Record<string, KeyValue>>(query, search.filter.deadline);
  if (!row)
    throw new AppError('historyPageGone', 409, 'The last run of the previous page no longer exists: start over');
  return key.columns.map((_, at) => row[`Key${at}`]!);
}

/**
 * Sorts by expressions on the run. This makes the database start with the search conditions, instead of scanning an
 * index of the order or sorting the values of all runs.
 * @param among ids of the runs to consider; undefined for all
 */
function readFew(search: SortedSearch, after: KeyValue[] | null, among?: readonly number[]): Promise<HistoryRow[]> {
  const { db, key, descending, filter } = search;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const query = sortable(search).limit(filter.limit);
  narrow(query, db, 'R', filter);
  if (among) void query.whereIn('R.Id', among);
  for (const column of key.columns)
    void query.orderByRaw(`case when ?? > 0 then ?? end ${direction}`, ['R.Id', column]);
  void query.orderBy('R.Id', direction);
  const columns = [...key.columns, 'R.Id'];
  const values = [...(after ?? []), filter.before ?? 0];
  if (after) {
    void query.where((any) => {
      for (const [at, column] of columns.entries()) {
        void any.orWhere((alike) => {
          for (let earlier = 0; earlier < at; earlier += 1) void alike.where(columns[earlier]!, values[earlier]!);
          void alike.where(column, beyond!, values[at]!);
        });
      }
    });
  }
  return rowsBy<HistoryRow>(query, filter.deadline);
}

interface Entry {
  Id: number;
  Key: KeyValue;
}

/**
 * An index of the order does not know which runs are wanted. If none are, for example failed runs sorted by an output,
 * the scan would read the whole index. Therefore only its next entries are checked. Beyond them, all wanted runs are
 * sorted.
 */
async function readNarrowed(search: SortedSearch, after: KeyValue[] | null): Promise<HistoryRow[]> {
  const { filter, near = NEAR_ENTRIES } = search;
  const entries = await nextEntries(search, after, near);
  const last = entries.at(-1);
  if (!last) return [];
  const found = await readFew(
    search,
    after,
    entries.map(({ Id }) => Id),
  );
  if (found.length >= filter.limit || entries.length < near) return found;
  const rest = { ...filter, before: last.Id, limit: filter.limit - found.length };
  return [...found, ...(await readFew({ ...search, filter: rest }, [last.Key]))];
}

/**
 * Returns the next index entries after the run, whether wanted or not: first those with the same sort value, then the
 * others.
 */
async function nextEntries(search: SortedSearch, after: KeyValue[] | null, count: number): Promise<Entry[]> {
  const { db, key, descending, filter, activityId } = search;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const [column = ''] = key.columns;
  const read = (limit: number, where: (query: Knex.QueryBuilder) => void): Promise<Entry[]> => {
    const query = key.values
      ? db(`${key.values.table} as V`).where({ 'V.ActivityParameterId': key.values.parameterId, 'V.ArrayIndex': 0 })
      : db('ActivityRuns as R').where('R.ActivityId', activityId);
    where(query.whereNotNull(column));
    const order = [column, key.id].map((by) => ({ column: by, order: direction }));
    return rowsBy<Entry>(query.orderBy(order).limit(limit).select({ Id: key.id, Key: column }), filter.deadline);
  };
  if (!after) return read(count, () => {});
  const alike = await read(
    count,
    (query) => void query.where(column, after[0]!).where(key.id, beyond!, filter.before!),
  );
  if (alike.length >= count) return alike;
  return [...alike, ...(await read(count - alike.length, (query) => void query.where(column, beyond!, after[0]!)))];
}

/** Reads the remaining runs with the same sort value, then the others: each is a range of the index. */
async function readRange(search: SortedSearch, after: KeyValue[] | null): Promise<HistoryRow[]> {
  const { db, key, descending, filter } = search;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const read = (limit: number, where: (query: Knex.QueryBuilder) => void): Promise<HistoryRow[]> => {
    const query = sortable(search).limit(limit);
    narrow(query, db, 'R', filter);
    where(query);
    void query.orderBy([...key.columns, key.id].map((column) => ({ column, order: direction })));
    return rowsBy<HistoryRow>(query, filter.deadline);
  };
  if (!after) return read(filter.limit, () => {});
  const [column] = key.columns;
  const alike = await read(filter.limit, (query) => {
    if (column !== undefined) void query.where(column, after[0]!);
    void query.where(key.id, beyond!, filter.before!);
  });
  if (column === undefined || alike.length >= filter.limit) return alike;
  const others = await read(filter.limit - alike.length, (query) => void query.where(column, beyond!, after[0]!));
  return [...alike, ...others];
}
