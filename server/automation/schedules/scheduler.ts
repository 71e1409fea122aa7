/**
 * Starts due schedules. Any number of servers may poll at the same time. A server takes an occurrence by locking the
 * schedule's row. The run is queued in the transaction that moves the schedule to its next occurrence, so each
 * occurrence starts once.
 * Source: how a run executes, promise 6.
 */
import { createPoller } from '#server/background/poller.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { ALWAYS, type WorkProbe } from '#server/db/work-probes.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { CHECKLISTS, startDueWorkflows } from './scheduled-workflows.ts';
import { insertScheduledRun } from './scheduled-runs.ts';
import { adoptTimeZone, linesFor, moveOn, takeOccurrence, type ScheduleKind } from './schedule-occurrences.ts';
import { retryFailedRuns } from './scheduled-retries.ts';
import { startDueAdditionalSchedules } from './additional/due-schedules.ts';
import type { SchedulerContext } from './scheduler-context.ts';

export interface Scheduler {
  start(): void;
  stop(): Promise<void>;
  /** Polls once for due schedules. */
  tick(): Promise<void>;
}

interface DueRow {
  ActivityId: number;
  UserId: number;
  TimeOfDay: number;
  RetryCount: number;
  RetryInterval: number;
  NextTime: Date;
  Version: number;
  IsActive: boolean;
  MemoryCost: number;
  SingleRun: boolean;
}

/**
 * Minimum and maximum time between two polls. Within these limits, the scheduler waits until the next occurrence is
 * due. A schedule saved in between that is due before the next poll starts at that poll.
 */
const MIN_POLL_INTERVAL_MS = 1_000;
const MAX_POLL_INTERVAL_MS = 2_000;
export const SCHEDULER_POLL_SECONDS = MAX_POLL_INTERVAL_MS / 1000;

export const ACTIVITIES: ScheduleKind = {
  table: 'ActivitySchedules',
  key: 'ActivityId',
  runs: 'ScheduledRuns',
  what: 'activity',
};

export async function databaseTime(db: Db, { dialect }: Pick<Database, 'dialect'>): Promise<Date> {
  const row = await db.select({ Now: dialect.now(db) }).first<{ Now: Date }>();
  return row.Now;
}

export interface SchedulerDeps extends Omit<SchedulerContext, 'clock'> {
  signals: RunSignals;
  clock?: SchedulerContext['clock'];
  /** Returns true while schedules must wait, as during maintenance. */
  isPaused?: () => boolean;
  /** Work probe: whether anything may be due before the poll after the next. */
  hasPendingWork?: WorkProbe;
}

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { database, log, signals, hasPendingWork = ALWAYS } = deps;
  const context: SchedulerContext = { ...deps, clock: deps.clock ?? ((db) => databaseTime(db, database)) };
  let zoneAdopted = false;

  /** @param signal aborted so that no other schedule starts */
  async function tick(signal?: AbortSignal): Promise<void> {
    const isStopping = (): boolean => signal?.aborted ?? false;
    if (deps.isPaused?.()) return;
    if (!zoneAdopted) {
      await adoptTimeZone(context, ACTIVITIES);
      await adoptTimeZone(context, CHECKLISTS);
    }
    zoneAdopted = true;
    let queued = false;
    for (const due of await listDue(context)) {
      if (isStopping()) break;
      try {
        queued = (await dispatchSchedule(context, due)) || queued;
      } catch (err) {
        // Do not block the other schedules.
        log.warn({ err, activity: due.ActivityId }, 'could not start a scheduled run; trying again');
      }
    }
    if (!isStopping()) queued = (await retryFailedRuns(context, isStopping)) || queued;
    const startedWorkflowIds = await startDueWorkflows(context, isStopping);
    const additional = await startDueAdditionalSchedules(context, isStopping);
    if (queued || additional.isQueued) signals.queued();
    for (const runId of [...startedWorkflowIds, ...additional.startedRunIds]) signals.stepEnded(runId);
  }

  const poller = createPoller({
    poll: async (signal) => {
      await tick(signal);
      return signal.aborted ? undefined : { waitMs: await untilNext(context) };
    },
    intervalMs: MAX_POLL_INTERVAL_MS,
    hasPendingWork: async () => !zoneAdopted || hasPendingWork(),
    onError: (err) => log.warn({ err }, 'could not read the schedules; trying again'),
  });

  return {
    tick: () => tick(),
    start: () => {
      poller.start();
      poller.request();
    },
    stop: () => poller.stop(),
  };
}

/**
 * Returns the milliseconds until the next occurrence is due, so it starts within its second. A schedule saved in the
 * meantime may start later.
 */
async function untilNext({ database: { knex }, clock }: SchedulerContext): Promise<number> {
  const soonest = (table: string) => knex(table).min('NextTime');
  const row = await knex
    .select({ One: soonest('ActivitySchedules'), Two: soonest('ChecklistSchedules'), Three: soonest('Timetables') })
    .first<Record<string, Date | null>>();
  const times = Object.values(row).flatMap((time) => (time === null ? [] : [time.getTime()]));
  const wait = Math.min(...times) - (await clock(knex)).getTime();
  return Math.max(MIN_POLL_INTERVAL_MS, Math.min(wait, MAX_POLL_INTERVAL_MS));
}

async function listDue({ database: { knex }, clock }: SchedulerContext): Promise<DueRow[]> {
  const now = await clock(knex);
  return knex('ActivitySchedules as S')
    .join('Activities as A', 'A.Id', 'S.ActivityId')
    .where('S.NextTime', '<=', now)
    .orderBy('S.NextTime')
    .select<DueRow[]>('S.*', 'A.Version', 'A.IsActive', 'A.MemoryCost', 'A.SingleRun');
}

/** Returns true if a run was queued. */
async function dispatchSchedule(context: SchedulerContext, due: DueRow): Promise<boolean> {
  const { database, starter, timeZone, clock } = context;
  // Outside the transaction, because it checks rights and reads the definition.
  const start = due.IsActive ? await starter.prepare(due.ActivityId, due.UserId) : null;
  return inTransaction(database.knex, async (trx) => {
    const occurrence = { kind: ACTIVITIES, due: { ...due, id: due.ActivityId } };
    if (!(await takeOccurrence(context, trx, occurrence))) return false;
    const now = await clock(trx);
    await moveOn(context, trx, { ...occurrence, now });
    // The schedule of an inactive activity does not start anything.
    if (!start) return false;
    const { ActivityId, UserId, RetryCount, RetryInterval } = due;
    const run = {
      ActivityId,
      ActivityVersion: due.Version,
      UserId,
      UniqueId: null,
      RetryOf: null,
      MemoryCost: due.MemoryCost,
      SingleRun: due.SingleRun,
    };
    const retries = { Attempt: 0, RetryCount, RetryInterval };
    const scheduled = { ActivityId, TimetableId: null, UserId, SlotTime: due.NextTime, ...retries };
    await insertScheduledRun(trx, run, start, scheduled, linesFor(ACTIVITIES, occurrence.due, { now, timeZone }));
    return start.refused === null;
  });
}
