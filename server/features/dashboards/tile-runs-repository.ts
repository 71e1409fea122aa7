/**
 * Reads the runs for dashboard tiles: each query serves all tiles with one statement, whose parts each scan a bounded
 * index range.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { isPending, RUN_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

/** Selects which successful runs and outputs of an activity to read. */
export interface ValueSource {
  activityId: number;
  outputIds: readonly number[];
  onlyOf: number | undefined;
  limit: number;
}

export interface PointRow {
  Id: number;
  ActivityVersion: number;
  QueueTime: Date;
  EndTime: Date | null;
  ActivityParameterId: number;
  Number: number | null;
}

const SUCCEEDED = ['Succeeded', 'SucceededWarn'];
const RUN = ['Id', 'ActivityVersion', 'QueueTime', 'EndTime'];
const ENDED = RUN_STATUSES.filter((status) => !isPending(status));

/**
 * Restricts the query to rows with the given column values, and orders it like an index over these columns and the id.
 * It uses single-value ranges: with `=`, PostgreSQL drops the columns from the sort order. It may then scan all runs
 * from the newest on, which is slow if few match.
 */
function alongIndex(query: Knex.QueryBuilder, values: Record<string, number | string>, id: string): Knex.QueryBuilder {
  for (const [column, value] of Object.entries(values))
    void query.whereBetween(column, [value, value]).orderBy(column, 'desc');
  return query.orderBy(id, 'desc');
}

/** Returns the values of the newest runs, ordered by id. A retried run keeps its old id although it ended later. */
export async function listPoints(db: Db, sources: readonly ValueSource[], deadline: Deadline): Promise<PointRow[]> {
  const parts = sources.map(({ activityId: ActivityId, outputIds, onlyOf, limit }) => {
    const runs = (values: Record<string, number | string>): Knex.QueryBuilder =>
      alongIndex(
        db('ActivityRuns')
          .limit(limit)
          .select(...RUN),
        values,
        'Id',
      );
    const ofBoth = (): Knex.QueryBuilder => {
      const [one, other] = SUCCEEDED.map((Status) => db.from(runs({ ActivityId, Status }).as('S')).select('*'));
      return db
        .from(one!.unionAll([other!]).as('B'))
        .select('*')
        .orderBy('Id', 'desc')
        .limit(limit);
    };
    const newest = onlyOf === undefined ? ofBoth() : whereStatus(runs({ UserId: onlyOf, ActivityId }), SUCCEEDED);
    return db
      .from(newest.as('R'))
      .join('RunOutputs as O', 'O.ActivityRunId', 'R.Id')
      .whereIn('O.ActivityParameterId', outputIds)
      .whereNull('O.FileId')
      .select(...RUN.map((column) => `R.${column}`), 'O.ActivityParameterId', 'O.SearchNumber as Number');
  });
  return allOf<PointRow>(db, parts, deadline);
}

export interface OutcomeSource {
  /** Index of the tile among the requested ones. */
  index: number;
  table: 'ActivityRuns' | 'ChecklistRuns';
  ownerId: number;
  onlyOf: number | undefined;
  scheduled: boolean;
  limit: number;
}

export interface OutcomeRow {
  Place: number;
  Id: number;
  QueueTime: Date;
  Status: RunStatus;
}

/** Returns ended runs, newest first. */
export async function listOutcomes(
  db: Db,
  sources: readonly OutcomeSource[],
  deadline: Deadline,
): Promise<OutcomeRow[]> {
  const parts = sources.map(({ index, table, ownerId, onlyOf, scheduled, limit }) => {
    const isActivity = table === 'ActivityRuns';
    const owner = isActivity ? 'ActivityId' : 'ChecklistId';
    const newest = db(`${table} as R`)
      .limit(limit)
      .select(db.raw('cast(? as integer) as ??', [index, 'Place']), 'R.Id', 'R.QueueTime', 'R.Status');
    if (scheduled) {
      const [runs, run] = isActivity
        ? ['ScheduledRuns', 'ActivityRunId']
        : ['ScheduledChecklistRuns', 'ChecklistRunId'];
      alongIndex(newest.join(`${runs} as S`, `S.${run}`, 'R.Id'), { [`S.${owner}`]: ownerId }, `S.${run}`);
      if (onlyOf !== undefined) void newest.where('R.UserId', onlyOf);
    } else {
      const own: Record<string, number> = onlyOf === undefined ? {} : { 'R.UserId': onlyOf };
      alongIndex(newest, { ...own, [`R.${owner}`]: ownerId }, 'R.Id');
    }
    // The scan skips pending runs; they are few, and among the newest.
    whereStatus(newest, ENDED, 'R.Status');
    if (isActivity) whereNotBatchRun(db, newest, 'R.Id');
    return db.from(newest.as('N')).select('Place', 'Id', 'QueueTime', 'Status');
  });
  return allOf<OutcomeRow>(db, parts, deadline);
}

async function allOf<T>(db: Db, parts: readonly Knex.QueryBuilder[], deadline: Deadline): Promise<T[]> {
  const [first, ...others] = parts;
  if (!first) return [];
  return rowsBy<T>(db.from(first.unionAll(others).as('P')).orderBy('Id', 'desc').select('*'), deadline);
}

export interface LastValue {
  ActivityRunId: number;
  ActivityParameterId: number;
  /** Also null if the value is too long for a tile. */
  Value: string | null;
  Rows: number | null;
}

/** Larger values are not shown in a tile. */
const BYTES_MAX = 2 * 1024 * 1024;

/** Returns the complete output values of the given runs. */
export async function listLastValues(
  db: Db,
  wanted: readonly { runId: number; outputId: number }[],
  deadline: Deadline,
): Promise<LastValue[]> {
  if (wanted.length === 0) return [];
  const length = dialectOf(db).byteLength(db, 'Value');
  const query = db('RunOutputs')
    .whereIn('ActivityRunId', [...new Set(wanted.map(({ runId }) => runId))])
    .whereIn('ActivityParameterId', [...new Set(wanted.map(({ outputId }) => outputId))])
    .whereNull('FileId')
    .select(
      'ActivityRunId',
      'ActivityParameterId',
      'Rows',
      db.raw('case when ? <= ? then ?? end as ??', [length, BYTES_MAX, 'Value', 'Value']),
    );
  return rowsBy<LastValue>(query, deadline);
}
