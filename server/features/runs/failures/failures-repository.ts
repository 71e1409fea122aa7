/** Reads failed runs with the first problem of their logs. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { whereIds } from '#server/db/where-ids.ts';
import { REASON_TEXT_MAX } from '#shared/contract/run-history.ts';
import {
  FIRST_SYSTEM_STATUS_CODE,
  LogCategory,
  PROBLEM_STATUSES,
  type RunStatus,
} from '#shared/contract/run-status.ts';

export interface FailureRow {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  Name: string;
  Schema: string;
  IsActive: boolean;
  Status: RunStatus;
  QueueTime: Date;
  /** 1 for steps of workflows and runs that another run started. */
  IsStep: number;
  /** 1 if a run retries it. */
  IsRetried: number;
  /** First error of the log, cut off; null if there is none. */
  Message: string | null;
  StatusCode: number | null;
}

/**
 * Orders lines of logs so that the first one says what went wrong: errors before warnings, and causes that a user can
 * act on before their consequences.
 */
const PROBLEM_ORDER = `case when ?? >= ${LogCategory.Error} then 0 else 2 end + case when ?? < ${FIRST_SYSTEM_STATUS_CODE} then 0 else 1 end`;

const orderOf = (db: Db, table: string): Knex.Raw =>
  db.raw(PROBLEM_ORDER, [`${table}.Category`, `${table}.StatusCode`]);

const cutOff = (db: Db, column: string): Knex.Raw =>
  db.raw(`substring(??, 1, ${REASON_TEXT_MAX}) as ??`, [column, 'Message']);

/**
 * Returns the newest failed runs among those found, newest first.
 * @param found query of runs, from ActivityRuns as R and Activities as A
 */
export async function listFailures(
  db: Db,
  found: Knex.QueryBuilder,
  limit: number,
  deadline: Deadline,
): Promise<FailureRow[]> {
  const query = withFailureColumns(db, whereStatus(found, PROBLEM_STATUSES, 'R.Status'));
  const line = db('RunLogEntries as L')
    .whereRaw('?? = ??', ['L.ActivityRunId', 'R.Id'])
    .where('L.Category', '>=', LogCategory.Error)
    .orderByRaw(orderOf(db, 'L'))
    .orderBy('L.Id')
    .limit(1)
    .select(cutOff(db, 'L.Message'), 'L.StatusCode');
  dialectOf(db).leftJoinEach(query, line, 'F');
  return rowsBy<FailureRow>(query.select('F.Message', 'F.StatusCode').orderBy('R.Id', 'desc').limit(limit), deadline);
}

/** Returns the given runs in the form of failures, without problems, oldest first. */
export async function listRunsToRetry(db: Db, found: Knex.QueryBuilder, ids: readonly number[]): Promise<FailureRow[]> {
  whereIds(found, 'R.Id', ids);
  const rows: FailureRow[] = await withFailureColumns(db, found)
    .orderBy('R.Id')
    .select(db.raw('null as ??', ['Message']), db.raw('null as ??', ['StatusCode']));
  return rows;
}

function withFailureColumns(db: Db, query: Knex.QueryBuilder): Knex.QueryBuilder {
  // Without the second condition, PostgreSQL would compare with all runs: only few are in the index of retries.
  const retries = db('ActivityRuns as T')
    .whereRaw('?? = ??', ['T.RetryOf', 'R.Id'])
    .whereNotNull('T.RetryOf')
    .select(db.raw('1'));
  return query.select(
    'R.Id',
    'R.ActivityId',
    'R.ActivityVersion',
    'A.Name',
    'A.Schema',
    'A.IsActive',
    'R.Status',
    'R.QueueTime',
    db.raw('case when ?? is null and ?? is null then 0 else 1 end as ??', [
      'R.ChecklistRunId',
      'R.ParentRunId',
      'IsStep',
    ]),
    db.raw('case when exists (?) then 1 else 0 end as ??', [retries, 'IsRetried']),
  );
}

/** Returns the first error or warning of each run, cut off, with one query. */
export async function listReasons(db: Db, runIds: readonly number[]): Promise<Map<number, string>> {
  if (runIds.length === 0) return new Map();
  const lines = db('RunLogEntries as L')
    .whereIn('L.ActivityRunId', runIds)
    .where('L.Category', '>=', LogCategory.Warning)
    .select(
      'L.ActivityRunId',
      cutOff(db, 'L.Message'),
      db.raw(`row_number() over (partition by ?? order by ${PROBLEM_ORDER}, ??) as ??`, [
        'L.ActivityRunId',
        'L.Category',
        'L.StatusCode',
        'L.Id',
        'Place',
      ]),
    );
  const rows = await db
    .from(lines.as('P'))
    .where('P.Place', 1)
    .select<{ ActivityRunId: number; Message: string }[]>('P.ActivityRunId', 'P.Message');
  return new Map(rows.map(({ ActivityRunId, Message }) => [ActivityRunId, Message]));
}
