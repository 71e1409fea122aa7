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
  filter: HistoryFilter;
  /** So many runs are sorted by anything. */
  most?: number;
}

type KeyValue = string | number;

/** The row after the page, if any, comes with it. Throws an AppError where what was found is too much to be sorted by this. */
export async function listSortedHistory(search: SortedSearch): Promise<HistoryRow[]> {
  const isFew = await areFew(search);
  if (!isFew && !(search.key.isIndexed && search.isRange)) throw tooMany();
  const after = search.filter.before === null ? null : await valuesOf(search, search.filter.before);
  return isFew ? readFew(search, after) : readRange(search, after);
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

/** Sorted by expressions, so that the database begins with what narrows the search and not with an index of the order. */
function readFew(search: SortedSearch, after: KeyValue[] | null): Promise<HistoryRow[]> {
  const { db, key, descending, filter } = search;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const query = sortable(search).limit(filter.limit);
  narrow(query, db, 'R', filter);
  for (const column of key.columns) void query.orderByRaw(`coalesce(??, ??) ${direction}`, [column, column]);
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
