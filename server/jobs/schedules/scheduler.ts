/**
 * Starts what is due by schedule. Any number of servers may look at once: a slot is taken by a lock on the schedule's row, and the
 * run is put into the queue in the transaction that moves the schedule on to its next slot, so that each slot fires once.
 * Source: how a run executes, promise 6.
 */
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { ALWAYS, type MayBe } from '#server/db/lookout.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import { CHECKLISTS, startDueChains } from './scheduled-chains.ts';
import { insertScheduledRun } from './scheduled-runs.ts';
import { adoptTimeZone, linesFor, moveOn, takeSlot, type ScheduleKind } from './schedule-slots.ts';
import { retryFailedRuns } from './scheduled-retries.ts';
import { startDueTimetables } from './timetables/due-timetables.ts';
import type { SchedulerContext } from './scheduler-context.ts';

export interface Scheduler {
  start(): void;
  stop(): Promise<void>;
  /** One look at what is due. */
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
 * Between two looks: at least this long, and at most. In between, until the next moment that something is due at. What is saved meanwhile, for a
 * moment before the next look, is no later than that.
 */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 2_000;
export const SCHEDULER_LOOK_SECONDS = LONGEST_MS / 1000;

export const ACTIVITIES: ScheduleKind = {
  table: 'ActivitySchedules',
  key: 'ActivityId',
  runs: 'ScheduledRuns',
  what: 'activity',
};

export async function databaseTime(db: Db, { dialect }: Pick<Database, 'dialect'>): Promise<Date> {
  const row = (await db.select({ Now: dialect.now(db) }).first()) as { Now: Date };
  return row.Now;
}

export interface SchedulerDeps extends Omit<SchedulerContext, 'clock'> {
  signals: RunSignals;
  clock?: SchedulerContext['clock'];
  /** Whether all that is due waits, as during maintenance. */
  isPaused?: () => boolean;
  /** Whether anything may be due before the look after the next. */
  mayBeDue?: MayBe;
}

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { database, log, signals, mayBeDue = ALWAYS } = deps;
  const context: SchedulerContext = { ...deps, clock: deps.clock ?? ((db) => databaseTime(db, database)) };
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let stopping = false;
  let zoneAdopted = false;

  async function tick(): Promise<void> {
    if (deps.isPaused?.()) return;
    if (!zoneAdopted) {
      await adoptTimeZone(context, ACTIVITIES);
      await adoptTimeZone(context, CHECKLISTS);
    }
    zoneAdopted = true;
    let queued = false;
    for (const due of await listDue(context)) {
      if (stopping) break;
      try {
        queued = (await fire(context, due)) || queued;
      } catch (err) {
        // The others do not wait for it.
        log.warn({ err, activity: due.ActivityId }, 'a scheduled run could not be started; it is tried again');
      }
    }
    if (!stopping) queued = (await retryFailedRuns(context)) || queued;
    const begun = await startDueChains(context, () => stopping);
    const further = await startDueTimetables(context, () => stopping);
    if (queued || further.isQueued) signals.queued();
    for (const runId of [...begun, ...further.begun]) signals.stepEnded(runId);
  }

  async function look(): Promise<void> {
    let wait = LONGEST_MS;
    try {
      if (!zoneAdopted || (await mayBeDue())) {
        await tick();
        if (!stopping) wait = await untilNext(context);
      }
    } catch (err) {
      log.warn({ err }, 'the schedules could not be read; they are tried again');
    }
    if (stopping) return;
    timer = setTimeout(() => {
      working = look();
    }, wait);
  }

  return {
    tick,
    start: () => {
      working = look();
    },
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await working;
    },
  };
}

/** Milliseconds until a look finds something, so that it starts in its second; what is saved meanwhile may be found later. */
async function untilNext({ database: { knex }, clock }: SchedulerContext): Promise<number> {
  const soonest = (table: string) => knex(table).min('NextTime');
  const row = (await knex
    .select({ One: soonest('ActivitySchedules'), Two: soonest('ChecklistSchedules'), Three: soonest('Timetables') })
    .first()) as Record<string, Date | null>;
  const times = Object.values(row).flatMap((time) => (time === null ? [] : [time.getTime()]));
  const wait = Math.min(...times) - (await clock(knex)).getTime();
  return Math.max(SHORTEST_MS, Math.min(wait, LONGEST_MS));
}

async function listDue({ database: { knex }, clock }: SchedulerContext): Promise<DueRow[]> {
  const now = await clock(knex);
  return (await knex('ActivitySchedules as S')
    .join('Activities as A', 'A.Id', 'S.ActivityId')
    .where('S.NextTime', '<=', now)
    .orderBy('S.NextTime')
    .select('S.*', 'A.Version', 'A.IsActive', 'A.MemoryCost', 'A.SingleRun')) as DueRow[];
}

/** Answers whether a run was put into the queue. */
async function fire(context: SchedulerContext, due: DueRow): Promise<boolean> {
  const { database, starter, timeZone, clock } = context;
  // Outside of the transaction: it asks for rights and reads the definition.
  const start = due.IsActive ? await starter.prepare(due.ActivityId, due.UserId) : null;
  return inTransaction(database.knex, async (trx) => {
    const slot = { kind: ACTIVITIES, due: { ...due, id: due.ActivityId } };
    if (!(await takeSlot(context, trx, slot))) return false;
    const now = await clock(trx);
    await moveOn(context, trx, { ...slot, now });
    // An activity that is not active rests, and its schedule with it.
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
    await insertScheduledRun(trx, run, start, scheduled, linesFor(ACTIVITIES, slot.due, { now, timeZone }));
    return start.refused === null;
  });
}
