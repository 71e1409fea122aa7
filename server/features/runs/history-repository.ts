/** Reads pages of past runs. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereInScope } from '#server/access/rights/right-scope.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { findNearEdge, listFarLacking, type LackingSearch } from './history-lacking.ts';
import { narrow, type RunConditions } from './history-search.ts';
import { isOfLacking } from './history-values.ts';
import { runs, whereRunVisible, type RunRow } from '#server/access/find-run.ts';
import { whereIds } from '#server/db/where-ids.ts';

export interface HistoryFilter extends RunConditions {
  before: number | null;
  limit: number;
  /** A read that exceeds the deadline throws a TimeLimitError. */
  deadline: Deadline;
}

export interface HistoryRow extends RunRow {
  Name: string;
  /**
   * The newest run of the activity that the person may see, regardless of the filter. Only set in the history of a
   * single activity.
   */
  LastRunId?: number;
}

/**
 * Returns a page of an activity's runs that the person may see, newest first. If there are more runs, it includes the
 * first one after the page.
 * @param onlyOf only runs of this user; undefined for all
 * @param near number of newest runs that are checked one by one for a missing value, before all runs are compared as
 * sets
 */
export async function listActivityHistory(
  db: Db,
  activityId: number,
  onlyOf: number | undefined,
  filter: HistoryFilter,
  near = NEAR_RUNS,
): Promise<HistoryRow[]> {
  const candidates = candidatesOf(db, activityId, onlyOf);
  const page = activityRuns(db, activityId, onlyOf).limit(filter.limit);
  const search: LackingSearch = { db, candidates, filter, near };
  const edge = filter.values.some(isOfLacking) ? await findNearEdge(search) : undefined;
  narrowPage(page, db, 'R', filter);
  if (edge !== undefined) void page.where('R.Id', '>', edge);
  const found = await rowsBy<HistoryRow>(page, filter.deadline);
  if (edge === undefined || found.length >= filter.limit) return found;
  const ids = await listFarLacking(search, edge, filter.limit - found.length);
  if (ids.length === 0) return found;
  const rest = activityRuns(db, activityId, onlyOf).whereIn('R.Id', ids);
  return [...found, ...(await rowsBy<HistoryRow>(rest, filter.deadline))];
}

/** Returns a function that builds a query of the activity's runs with the given alias. */
export function candidatesOf(
  db: Db,
  activityId: number,
  onlyOf: number | undefined,
): (table: string) => Knex.QueryBuilder {
  return (table) => {
    const query = db(`ActivityRuns as ${table}`).where(`${table}.ActivityId`, activityId);
    return onlyOf === undefined ? query : query.where(`${table}.UserId`, onlyOf);
  };
}

/**
 * Large enough to contain a page of matches unless they are rare; small enough that checking each run takes negligible
 * time.
 */
const NEAR_RUNS = 5_000;

function activityRuns(db: Db, activityId: number, onlyOf: number | undefined): Knex.QueryBuilder {
  const newest = db('ActivityRuns').max('Id').where('ActivityId', activityId);
  const query = runs(db)
    .where('R.ActivityId', activityId)
    .orderBy('R.Id', 'desc')
    .select('A.Name', newest.as('LastRunId'));
  if (onlyOf !== undefined) {
    void newest.where('UserId', onlyOf);
    void query.where('R.UserId', onlyOf);
  }
  return query;
}

/**
 * Returns the newest runs of an activity, from one index range.
 * @param onlyOf only runs of this user; undefined for all
 */
export async function listRecentRuns(
  db: Db,
  activityId: number,
  onlyOf: number | undefined,
  limit: number,
): Promise<RunRow[]> {
  const query = runs(db).where('R.ActivityId', activityId).orderBy('R.Id', 'desc').limit(limit);
  if (onlyOf !== undefined) void query.where('R.UserId', onlyOf);
  return query;
}

/**
 * Returns a page of runs of all activities that the person may see, newest first. If there are more runs, it includes
 * the first one after the page.
 */
export async function listHistory(
  db: Db,
  scopes: ActivityScopes,
  userId: number,
  filter: HistoryFilter,
): Promise<HistoryRow[]> {
  const query = runs(db).orderBy('R.Id', 'desc').limit(filter.limit).select('A.Name');
  const seesAll = scopes.viewRuns.kind === 'every' && scopes.edit.kind === 'every';
  // Failed runs are few, and they have an index of their own.
  const areFailed = filter.error !== undefined || filter.ids !== undefined;
  if (areFailed) whereRunVisible(query, scopes, userId);
  if (areFailed || (seesAll && !filter.activityIds)) narrowPage(query, db, 'R', filter);
  else {
    // The ids are read first: in a single statement, the database may choose to scan all runs.
    const ids = await rowsBy<{ Id: number }>(visibleRunIds(db, scopes, userId, filter), filter.deadline);
    void query.whereIn(
      'R.Id',
      ids.map(({ Id }) => Id),
    );
  }
  return rowsBy<HistoryRow>(query, filter.deadline);
}

function narrowPage(query: Knex.QueryBuilder, db: Db, table: string, filter: HistoryFilter): void {
  if (filter.before !== null) void query.where(`${table}.Id`, '<', filter.before);
  narrow(query, db, table, filter);
}

/**
 * Selects ids that contain those of the page: the newest own runs, and the newest runs of the activities whose runs the
 * person may see. Each activity is looked up by index, because scanning until enough visible runs are found could read
 * all runs.
 */
function visibleRunIds(db: Db, scopes: ActivityScopes, userId: number, filter: HistoryFilter): Knex.QueryBuilder {
  const { limit } = filter;
  const own = db('ActivityRuns as O')
    .join('Activities as A', 'A.Id', 'O.ActivityId')
    .where('O.UserId', userId)
    .orderBy('O.Id', 'desc')
    .limit(limit)
    .select('O.Id');
  whereVisible(own, scopes);
  narrowPage(own, db, 'O', filter);
  const ids = db.from(own.as('Own')).select('Id');
  if (scopes.viewRuns.kind === 'nothing') return ids;
  return ids.union(db.from(othersRunIds(db, scopes, filter).as('Others')).select('Id'));
}

/** Only the first `limit` activities, ordered by their newest run, can have a run on the page. */
function othersRunIds(db: Db, scopes: ActivityScopes, filter: HistoryFilter): Knex.QueryBuilder {
  const { limit } = filter;
  const dialect = dialectOf(db);
  const newestOf = (activityId: string, count: number): Knex.QueryBuilder => {
    // Uses a single-value range and an order by both columns, which only the index of both can serve. With `=`,
    // PostgreSQL may scan all runs from the newest on, which is slow for an activity without runs.
    const newest = db('ActivityRuns as N')
      .whereRaw('?? >= ?? and ?? <= ??', ['N.ActivityId', activityId, 'N.ActivityId', activityId])
      .orderBy([
        { column: 'N.ActivityId', order: 'desc' },
        { column: 'N.Id', order: 'desc' },
      ])
      .limit(count)
      .select('N.Id');
    narrowPage(newest, db, 'N', filter);
    return newest;
  };
  const activities = db('Activities as A').select('A.Id as ActivityId', 'L.Id as LastId').limit(limit);
  dialect.leftJoinEach(activities, newestOf('A.Id', 1), 'L');
  whereVisible(activities, scopes);
  if (filter.activityIds) whereIds(activities, 'A.Id', filter.activityIds);
  void activities.where((seen) => whereInScope(seen, scopes.viewRuns, ON_ACTIVITY));
  void activities.whereNotNull('L.Id').orderBy('L.Id', 'desc');
  const others = db.from(activities.as('T')).select('M.Id').whereNotNull('M.Id').orderBy('M.Id', 'desc').limit(limit);
  dialect.leftJoinEach(others, newestOf('T.ActivityId', limit), 'M');
  return others;
}

export interface ValueRow {
  Direction: 'input' | 'output';
  ActivityRunId: number;
  ActivityParameterId: number;
  Value: string | null;
  Rows: number | null;
  FileName: string | null;
}

/** Returns inputs and outputs of the runs, without the contents of tables, with one query. */
export async function listHistoryValues(db: Db, runIds: readonly number[]): Promise<ValueRow[]> {
  if (runIds.length === 0) return [];
  const values = (table: string, direction: string): Knex.QueryBuilder =>
    db(table)
      .whereIn('ActivityRunId', runIds)
      .whereNotNull('ActivityParameterId')
      .select(
        db.raw('? as ??', [direction, 'Direction']),
        'ActivityRunId',
        'ActivityParameterId',
        'ArrayIndex',
        db.raw('case when ?? is null then ?? end as ??', ['Rows', 'Value', 'Value']),
        'Rows',
        'FileName',
      );
  return db
    .from(values('RunInputs', 'input').unionAll(values('RunOutputs', 'output')).as('V'))
    .orderBy(['ActivityRunId', 'ActivityParameterId', 'ArrayIndex'])
    .select<ValueRow[]>('*');
}
