/** Retries failed scheduled runs according to the retry count and interval of their schedules. */
import type { Knex } from 'knex';
import { inTransaction } from '#server/db/transaction.ts';
import { hasSucceeded, type RunStatus } from '#shared/contract/run-status.ts';
import { retryObstacle } from '#server/queue/retry-obstacle.ts';
import { forEachEnded, isRetryDue } from './ended-runs.ts';
import type { SchedulerContext } from './scheduler-context.ts';
import { information, insertScheduledRun, type ScheduledRunRow } from './scheduled-runs.ts';

interface EndedRow extends ScheduledRunRow {
  Status: RunStatus;
  EndTime: Date;
  ActivityVersion: number;
  IsActive: boolean;
  MemoryCost: number;
  SingleRun: boolean;
  /** Id of the schedule that started the run; null if it no longer exists. */
  ScheduleId: number | null;
}

const COLUMNS = [
  'S.ActivityRunId',
  'S.ActivityId',
  'S.UserId',
  'S.SlotTime',
  'S.Attempt',
  'S.RetryCount',
  'S.RetryInterval',
  'R.Status',
  'R.EndTime',
  'R.ActivityVersion',
  'A.IsActive',
  'A.MemoryCost',
  'A.SingleRun',
  'S.TimetableId',
];

/**
 * Handles all scheduled runs that have ended since the last poll, or whose retry is due. Returns true if a worker has
 * something to do.
 */
export async function retryFailedRuns(context: SchedulerContext, isStopping: () => boolean): Promise<boolean> {
  const { database, log } = context;
  let queued = false;
  let now: Date | undefined;
  await forEachEnded({
    list: (after, limit) => listEnded(database.knex, after, limit),
    idOf: ({ ActivityRunId }) => ActivityRunId,
    isStopping,
    handle: async (row) => {
      try {
        now ??= await context.clock(database.knex);
        if (!mayRetry(row)) await settle(context, row);
        else if (isRetryDue(row, now)) queued = (await retry(context, row)) || queued;
      } catch (err) {
        // Do not block the other runs.
        log.warn({ err, run: row.ActivityRunId }, 'could not retry a scheduled run; trying again');
      }
    },
  });
  return queued;
}

async function listEnded(knex: Knex, after: number, limit: number): Promise<EndedRow[]> {
  return knex('ScheduledRuns as S')
    .join('ActivityRuns as R', 'R.Id', 'S.ActivityRunId')
    .join('Activities as A', 'A.Id', 'S.ActivityId')
    .leftJoin('ActivitySchedules as P', (on) => {
      on.on('P.ActivityId', 'S.ActivityId').onNull('S.TimetableId');
    })
    .leftJoin('Timetables as T', 'T.Id', 'S.TimetableId')
    .whereNull('S.SettledTime')
    .whereNotNull('R.EndTime')
    .where('S.ActivityRunId', '>', after)
    .orderBy('S.ActivityRunId')
    .limit(limit)
    .select(COLUMNS)
    .select<EndedRow[]>(knex.raw('coalesce(??, ??) as ??', ['P.ActivityId', 'T.Id', 'ScheduleId']));
}

/** A cancellation by a person is final, and a retry does not make a license valid. */
function mayRetry({ Status, Attempt, RetryCount, ScheduleId, IsActive }: EndedRow): boolean {
  if (hasSucceeded(Status) || Status === 'Cancelled' || Status === 'NotLicensed') return false;
  return Attempt < RetryCount && ScheduleId !== null && IsActive;
}

async function settle({ database: { knex, dialect } }: SchedulerContext, { ActivityRunId }: EndedRow): Promise<void> {
  await knex('ScheduledRuns')
    .where({ ActivityRunId })
    .whereNull('SettledTime')
    .update({ SettledTime: dialect.now(knex) });
}

async function retry(context: SchedulerContext, row: EndedRow): Promise<boolean> {
  const { database, starter } = context;
  const start = await starter.prepare(row.ActivityId, row.UserId, row.TimetableId === null ? undefined : 'kept');
  return inTransaction(database.knex, async (trx) => {
    if (!(await takeRow(context, trx, row.ActivityRunId))) return false;
    await trx('ScheduledRuns')
      .where('ActivityRunId', row.ActivityRunId)
      .update({ SettledTime: database.dialect.now(trx) });
    // Locked as for a retry by a person, so of two concurrent retries one sees the other.
    await trx('ActivityRuns').where('Id', row.ActivityRunId).forUpdate().first('Id');
    const again = await trx('ActivityRuns').where('RetryOf', row.ActivityRunId).first('Id');
    if (again || (await retryObstacle(trx, row.ActivityRunId)) !== null) return false;
    const { ActivityId, TimetableId, UserId, SlotTime, RetryCount, RetryInterval } = row;
    const run = {
      ActivityId,
      ActivityVersion: row.ActivityVersion,
      UserId,
      UniqueId: null,
      RetryOf: row.ActivityRunId,
      MemoryCost: row.MemoryCost,
      SingleRun: row.SingleRun,
    };
    const Attempt = row.Attempt + 1;
    const line = information(`Started by the schedule of the activity: retry ${Attempt} of ${RetryCount}`);
    const scheduled = { ActivityId, TimetableId, UserId, SlotTime, Attempt, RetryCount, RetryInterval };
    await insertScheduledRun(trx, run, start, scheduled, [line]);
    return start.refused === null;
  });
}

/** Returns false if another server is handling the run or has already done so. */
async function takeRow({ database }: SchedulerContext, trx: Knex.Transaction, runId: number): Promise<boolean> {
  const rows = await database.dialect.lockRows(trx, {
    table: 'ScheduledRuns',
    columns: ['ActivityRunId'],
    where: (query) => void query.where('ActivityRunId', runId).whereNull('SettledTime'),
    orderBy: [{ column: 'ActivityRunId' }],
    locked: 'skip',
  });
  return rows.length === 1;
}
