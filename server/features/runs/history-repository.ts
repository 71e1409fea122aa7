/** Pages of runs that have been. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from '#server/features/activities/activity-scopes.ts';
import { whereInScope } from '#server/features/rights/right-scope.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { findNearEdge, listFarLacking, type LackingSearch } from './history-lacking.ts';
import { narrow, type RunConditions } from './history-search.ts';
import { isOfLacking } from './history-values.ts';
import { runs, type RunRow } from './runs-repository.ts';

export interface HistoryFilter extends RunConditions {
  before: number | null;
  limit: number;
  /** A read that takes longer throws a TimeLimitError. */
  deadline: Deadline;
}

export interface HistoryRow extends RunRow {
  Name: string;
  /** The newest run of the activity that the person may see, whatever the filter; only where the history is of one activity. */
  LastRunId?: number;
}

/**
 * A page of the runs of an activity that the person may see, newest first. The row after the page, if any, comes with it.
 * @param onlyOf the person whose runs they have to be; undefined for all
 * @param near so many runs are looked at one by one for what they lack, before all are compared at once
 */
export async function listActivityHistory(
  db: Db,
  activityId: number,
  onlyOf: number | undefined,
  filter: HistoryFilter,
  near = NEAR_RUNS,
): Promise<HistoryRow[]> {
  const candidates = (table: string): Knex.QueryBuilder => {
    const query = db(`ActivityRuns as ${table}`).where(`${table}.ActivityId`, activityId);
    return onlyOf === undefined ? query : query.where(`${table}.UserId`, onlyOf);
  };
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

/** Enough that a page of what is not rare is among them; few enough that a look at each takes no time to speak of. */
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

/** The newest runs of an activity, by one range of an index. @param onlyOf the person whose runs they have to be; undefined for all */
export async function listRecentRuns(
  db: Db,
  activityId: number,
  onlyOf: number | undefined,
  limit: number,
): Promise<RunRow[]> {
  const query = runs(db).where('R.ActivityId', activityId).orderBy('R.Id', 'desc').limit(limit);
  if (onlyOf !== undefined) void query.where('R.UserId', onlyOf);
  return (await query) as RunRow[];
}

/** The same of all activities. */
export async function listHistory(
  db: Db,
  scopes: ActivityScopes,
  userId: number,
  filter: HistoryFilter,
): Promise<HistoryRow[]> {
  const query = runs(db).orderBy('R.Id', 'desc').limit(filter.limit).select('A.Name');
  if (scopes.viewRuns.kind === 'every' && scopes.edit.kind === 'every') narrowPage(query, db, 'R', filter);
  else {
    // Looked up before: within one statement the database may well take all runs for the likelier ones.
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
 * Ids among which the page is: the person's own newest runs, and the newest of the activities whose runs they may see. Looked up by
 * index for each activity: to go through all runs until enough are theirs could take all runs.
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

/** No activity beyond the first `limit`, by their newest runs, can have a run on the page. */
function othersRunIds(db: Db, scopes: ActivityScopes, filter: HistoryFilter): Knex.QueryBuilder {
  const { limit } = filter;
  const dialect = dialectOf(db);
  const newestOf = (activityId: string, most: number): Knex.QueryBuilder => {
    // A range of one and an order by both, which only the index of both serves: for `=` PostgreSQL may go through all runs from the
    // newest on, which takes it long for an activity that has none.
    const newest = db('ActivityRuns as N')
      .whereRaw('?? >= ?? and ?? <= ??', ['N.ActivityId', activityId, 'N.ActivityId', activityId])
      .orderBy([
        { column: 'N.ActivityId', order: 'desc' },
        { column: 'N.Id', order: 'desc' },
      ])
      .limit(most)
      .select('N.Id');
    narrowPage(newest, db, 'N', filter);
    return newest;
  };
  const activities = db('Activities as A').select('A.Id as ActivityId', 'L.Id as LastId').limit(limit);
  dialect.leftJoinEach(activities, newestOf('A.Id', 1), 'L');
  whereVisible(activities, scopes);
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

/** Inputs and outputs of the runs, without the contents of tables; one query. */
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
  return (await db
    .from(values('RunInputs', 'input').unionAll(values('RunOutputs', 'output')).as('V'))
    .orderBy(['ActivityRunId', 'ActivityParameterId', 'ArrayIndex'])
    .select('*')) as ValueRow[];
}
