import { whereStatus } from '#server/db/where-status.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import { schemasChange } from '#server/access/schemas.ts';
import type { ActivityRow } from '#server/access/find-activity.ts';
import type { LastRunColumns } from '#server/versions/last-run.ts';

export type ListRow = Pick<
  ActivityRow,
  'Id' | 'Name' | 'Description' | 'Type' | 'Schema' | 'Group' | 'Function' | 'Order' | 'IsActive'
> &
  LastRunColumns & { SchemaDisplayName: string; SchemaOrder: number };

const LISTED = ['Id', 'Name', 'Description', 'Type', 'Schema', 'Group', 'Function', 'Order', 'IsActive'];

/** Builds a subquery for the newest run of activity A, optionally only of one user. It costs one index lookup. */
function newestRun(db: Db, userId?: number): Knex.QueryBuilder {
  const newest = db('ActivityRuns as N')
    .whereRaw('?? = ??', ['N.ActivityId', 'A.Id'])
    .orderBy('N.Id', 'desc')
    .limit(1)
    .select('N.Id', 'N.QueueTime', 'N.Status', 'N.UserId');
  if (userId !== undefined) void newest.where('N.UserId', userId);
  return newest;
}

const LAST_RUN = ['R.Id as LastRunId', 'R.QueueTime', 'R.Status', 'U.FirstName', 'U.MiddleName', 'U.LastName'];

/** Returns all activities with their last runs in display order, with one query. */
export async function listActivityRows(db: Db, dialect: Dialect): Promise<ListRow[]> {
  const query = db('Activities as A')
    .join('Schemas as S', 'S.Name', 'A.Schema')
    .orderBy([{ column: 'S.Order' }, { column: 'A.Schema' }])
    .orderByRaw(dialect.orderIgnoringCase(db, 'A.Name'))
    .select(LISTED.map((column) => `A.${column}`))
    .select<ListRow[]>('S.DisplayName as SchemaDisplayName', 'S.Order as SchemaOrder', ...LAST_RUN);
  dialect.leftJoinEach(query, newestRun(db), 'R');
  void query.leftJoin('Users as U', 'U.UserId', 'R.UserId');
  return query;
}

/**
 * Returns the user's newest run of each activity. It costs one index lookup per activity, regardless of how many runs
 * exist.
 */
export async function listAllOwnNewest(db: Db, dialect: Dialect, userId: number): Promise<LastRunRow[]> {
  const query = db('Activities as A').select<LastRunRow[]>('A.Id as ActivityId', 'R.UserId', ...LAST_RUN);
  dialect.leftJoinEach(query, newestRun(db, userId), 'R');
  // An inner join: it drops activities without a run.
  void query.join('Users as U', 'U.UserId', 'R.UserId');
  return query;
}

/**
 * For each of the given run ids, counts the user's runs with a higher id. Also returns the user's highest run id above
 * the smallest of them, or 0 if there is none.
 */
export async function countOwnAbove(
  db: Db,
  userId: number,
  above: ListStamp['counts'],
): Promise<{ counts: ListStamp['counts']; newest: number }> {
  const query = countAbove(db, db('ActivityRuns').where('UserId', userId), above).max<
    (Counts & { Newest: number | null })[]
  >('Id as Newest');
  const [row] = await query;
  return { counts: countsOf(row!), newest: row!.Newest ?? 0 };
}

/**
 * Returns the newest run of each activity among the user's runs with an id above `after`, plus the current state of the
 * runs in `runIds`.
 */
export async function listOwnNewest(
  db: Db,
  userId: number,
  after: number,
  runIds: readonly number[],
): Promise<LastRunRow[]> {
  const newest = db('ActivityRuns').where('UserId', userId).where('Id', '>', after).groupBy('ActivityId').max('Id');
  return lastRuns(db, idsOf(db, newest, runIds));
}

export async function findActivityOfInput(db: Db, inputId: number): Promise<number | undefined> {
  const row = await db('ActivityParameters').where({ Id: inputId, Direction: 'input' }).first('ActivityId');
  return row?.ActivityId;
}

/**
 * Detects changes to the list: `activities` changes whenever an activity or a schema is added, changed or removed. Also
 * holds the newest run id.
 */
export interface ListStamp {
  activities: string;
  newestRun: number;
  /** Number of runs with an id above each of the requested run ids. */
  counts: [settled: number, next: number, newest: number];
}

const STAMP_COLUMNS = ['A.Count', 'A.Ids', 'A.Revisions', 'R.Above0', 'R.Above1', 'R.Above2'];

type StampRow = Record<'Count' | 'Ids' | 'Revisions' | 'Schemas', number> &
  Counts & { NewestRun: number | null; SchemasChange: string | null };

export async function readListStamp(db: Db, above: ListStamp['counts']): Promise<ListStamp> {
  const activities = db('Activities').select(
    // SQL Server returns sum(int) as int, which could overflow, hence the casts to bigint.
    db.raw('count(1) as ??, sum(cast(?? as bigint)) as ??, sum(cast(?? as bigint)) as ??', [
      'Count',
      'Id',
      'Ids',
      'Revision',
      'Revisions',
    ]),
  );
  const stamp = db
    .from(activities.as('A'))
    .crossJoin(countAbove(db, db('ActivityRuns'), above).as('R') as never)
    .select<StampRow[]>(
      ...STAMP_COLUMNS,
      db('Schemas').select(db.raw('count(1)')).as('Schemas'),
      schemasChange(db).as('SchemasChange'),
      db('ActivityRuns').max('Id').as('NewestRun'),
    );
  const [row] = await prepared(stamp);
  const { Count, Ids, Revisions, Schemas, SchemasChange, NewestRun } = row!;
  return {
    activities: [Count, Ids, Revisions, Schemas, SchemasChange].join(' '),
    newestRun: NewestRun ?? 0,
    counts: countsOf(row!),
  };
}

type Counts = Record<'Above0' | 'Above1' | 'Above2', number | null>;

const countsOf = ({ Above0, Above1, Above2 }: Counts): ListStamp['counts'] => [Above0 ?? 0, Above1 ?? 0, Above2 ?? 0];

/** For each given run id, counts the runs with a higher id, in one scan of the newest runs. */
function countAbove(db: Db, runs: Knex.QueryBuilder, above: ListStamp['counts']): Knex.QueryBuilder {
  const counts = above.map((id, index) =>
    db.raw('sum(case when ?? > ? then 1 else 0 end) as ??', ['Id', id, `Above${index}`]),
  );
  return runs.where('Id', '>', Math.min(...above)).select(counts);
}

export type LastRunRow = LastRunColumns & { ActivityId: number; UserId: number };

/**
 * Up to this many run ids, the rows are read by primary key with one statement that has a fixed number of parameters.
 */
const FEW_RUNS = 32;

/**
 * Returns the newest run of each activity and user among runs with an id above `after`, plus the current state of the
 * runs in `runIds`. The result is ordered by id. If few ids lie between `after` and `upTo`, it returns all runs of that
 * range and none above it.
 */
export async function listNewestRuns(
  db: Db,
  { after, upTo }: { after: number; upTo: number },
  runIds: readonly number[],
): Promise<LastRunRow[]> {
  const few = fewIds(after, upTo, runIds);
  if (few) return prepared(lastRuns(db, few));
  const newest = db('ActivityRuns').where('Id', '>', after).groupBy('ActivityId', 'UserId').max('Id');
  return lastRuns(db, idsOf(db, newest, runIds));
}

/**
 * Returns the run ids to read, or undefined if there are more than FEW_RUNS. The list is padded to a fixed length so
 * that the statement text stays the same and its plan is reused.
 */
function fewIds(after: number, upTo: number, runIds: readonly number[]): number[] | undefined {
  const come = upTo - after;
  if (come < 0 || come + runIds.length > FEW_RUNS) return undefined;
  const ids = [...runIds, ...Array.from({ length: come }, (_, index) => after + 1 + index)];
  return Array.from({ length: FEW_RUNS }, (_, index) => ids[index] ?? 0);
}

/** Combines both into one set of ids: with an OR, the database would scan all runs. */
function idsOf(db: Db, newest: Knex.QueryBuilder, runIds: readonly number[]): Knex.QueryBuilder {
  return runIds.length === 0 ? newest : db('ActivityRuns').select('Id').whereIn('Id', runIds).union(newest);
}

function lastRuns(db: Db, ids: Knex.QueryBuilder | readonly number[]) {
  return db('ActivityRuns as R')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .whereIn('R.Id', ids as readonly number[])
    .orderBy('R.Id')
    .select<LastRunRow[]>('R.ActivityId', 'R.UserId', ...LAST_RUN);
}

/**
 * Returns whether a run of the activity is queued or in progress, regardless of who started it. Runs that still wait
 * for other workflow steps do not count.
 */
export async function hasPendingRun(db: Db, ActivityId: number): Promise<boolean> {
  return (
    (await whereStatus(db('ActivityRuns').where({ ActivityId, WaitsForSteps: false }), PENDING_STATUSES).first(
      'Id',
    )) !== undefined
  );
}
