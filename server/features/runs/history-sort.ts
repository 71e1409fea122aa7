/**
 * Pages of a history in another order than the newest first. What an index has in order is read from it, a range a page; anything
 * else only where the search leaves so few runs that they are sorted at once.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy } from '#server/db/time-limit.ts';
import { HISTORY_SORTED_MAX, type HistorySort } from '#shared/contract/run-history.ts';
import type { HistoryFilter, HistoryRow } from './history-repository.ts';
import { narrow } from './history-search.ts';
import { runs } from './runs-repository.ts';

/** What is sorted by: columns of one direction, the run's number last. */
export interface SortKey {
  columns: string[];
  /** The run's number, where the index has it. */
  id: string;
  /** Of one activity: whether an index of its runs has the columns in order. */
  isIndexed: boolean;
  /** The values of one input or output, joined as V. */
  values?: { table: 'RunInputs' | 'RunOutputs'; parameterId: number };
}

/** @param isNumber of 'Value' alone: whether its values are numbers, and not texts */
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
  /** Leaves the runs among which is searched, of ActivityRuns as R and Activities as A. */
  candidates: (query: Knex.QueryBuilder) => void;
  /** Whether those are all runs of one activity, or all there are: what indexes know of. */
  isRange: boolean;
  /** The one activity; null for all. */
  activityId: number | null;
  /** Whether only the runs of one person, or those that meet a condition, are wanted. */
  isNarrowed: boolean;
  filter: HistoryFilter;
  /** So many runs are sorted by anything. */
  most?: number;
  /** So many entries of an index are looked at for runs that are wanted. */
  near?: number;
}

/** Enough that a page of what is not rare is among them, and few enough to be named by their numbers: SQL Server takes 2,100. */
const NEAR_ENTRIES = 1_500;

type KeyValue = string | number;

/** The row after the page, if any, comes with it. Throws an AppError where what was found is too much to be sorted by this. */
export async function listSortedHistory(search: SortedSearch): Promise<HistoryRow[]> {
  const isFew = await areFew(search);
  if (!isFew && !(search.key.isIndexed && search.isRange)) throw tooMany();
  const after = search.filter.before === null ? null : await valuesOf(search, search.filter.before);
  if (isFew) return readFew(search, after);
  return search.isNarrowed && search.key.columns.length === 1 ? readNarrowed(search, after) : readRange(search, after);
}

function tooMany(): AppError {
  const most = HISTORY_SORTED_MAX.toLocaleString('en');
  const text = `More than ${most} runs were found, too many to be sorted by this: narrow the search`;
  return new AppError('historySortTooMany', 400, text);
}

async function areFew({ db, candidates, filter, most = HISTORY_SORTED_MAX }: SortedSearch): Promise<boolean> {
  const query = db('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId');
  candidates(query);
  narrow(query, db, 'R', filter);
  const found = await rowsBy(query.select('R.Id').limit(most + 1), filter.deadline);
  return found.length <= most;
}

function sortable({ db, key: { columns, values }, candidates }: SortedSearch): Knex.QueryBuilder {
  const query = runs(db).select('A.Name');
  candidates(query);
  if (values) {
    // Of several files the first.
    void query
      .join(`${values.table} as V`, 'V.ActivityRunId', 'R.Id')
      .where({ 'V.ActivityParameterId': values.parameterId, 'V.ArrayIndex': 0 });
  }
  for (const column of columns) void query.whereNotNull(column);
  // The column is of runs too that ended before they began: how long those waited is no duration.
  if (columns.includes('R.DurationMs')) void query.whereNotNull('R.StartTime');
  return query;
}

/** What the run at the end of the page before is sorted by. */
async function valuesOf(search: SortedSearch, runId: number): Promise<KeyValue[]> {
  const { db, key } = search;
  const names = key.columns.map((column, at) => db.ref(column).as(`Key${at}`));
  const query = sortable(search)
    .where('R.Id', runId)
    .clearSelect()
    .select('R.Id', ...names);
  const [row] = await rowsBy<Record<string, KeyValue>>(query, search.filter.deadline);
  if (!row) throw new AppError('historyPageGone', 409, 'The last run of the page before is gone: begin anew');
  return key.columns.map((_, at) => row[`Key${at}`]!);
}

/**
 * Sorted by expressions on the run, so that the database begins with what narrows the search, and neither with an index of the order nor
 * by sorting the values of all runs.
 * @param among numbers of the runs among which those are that are wanted; undefined for all
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
 * An index of the order does not know which runs are wanted: where none are, as of failed runs sorted by an output, it would be read to its
 * end. So only its next entries are looked at; for the rest all runs that are wanted are sorted.
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

/** What an index of the order has behind the run, whether or not it is wanted: those that are alike in what is sorted by, then the others. */
async function nextEntries(search: SortedSearch, after: KeyValue[] | null, most: number): Promise<Entry[]> {
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
  if (!after) return read(most, () => {});
  const alike = await read(most, (query) => void query.where(column, after[0]!).where(key.id, beyond!, filter.before!));
  if (alike.length >= most) return alike;
  return [...alike, ...(await read(most - alike.length, (query) => void query.where(column, beyond!, after[0]!)))];
}

/** The rest of the runs that are alike in what is sorted by, then the others: each a range of the index. */
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
