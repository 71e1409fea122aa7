/**
 * Starts due occurrences of schedules other than the daily ones. A server takes an occurrence by locking the schedule's
 * row. The outcome is stored in the transaction that moves the schedule on; its key ensures that it is stored once.
 */
import type { Knex } from 'knex';
import type { SchedulerContext } from '#server/automation/schedules/scheduler-context.ts';
import { LATE_MS, NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import { missedText } from '#server/automation/schedules/slot-messages.ts';
import { selectDueOccurrences } from './missed-occurrences.ts';
import type { TimetableRow } from './schedule-row.ts';
import { ruleOf, readCalendar, type Calendar } from './schedule-rows.ts';
import { pendingRun, startOccurrence, withLockedSchedule, type OccurrenceStart } from './start-occurrence.ts';
import { occurrencesOf, type OccurrenceRule } from './occurrences.ts';

/** What was started, for workers and workflows to continue with. */
export interface StartResult {
  /** True if a worker has something to do. */
  isQueued: boolean;
  /** Ids of started checklist runs. */
  startedRunIds: number[];
}

/**
 * Schedules that wait for their previous run stay due. All pages are therefore read at each poll: if only the first one
 * were, a page of waiting schedules would block all others.
 */
const PAGE = 500;

export async function startDueAdditionalSchedules(
  context: SchedulerContext,
  isStopping: () => boolean,
): Promise<StartResult> {
  const { database, clock } = context;
  const result: StartResult = { isQueued: false, startedRunIds: [] };
  const now = await clock(database.knex);
  const calendars = new Map<number | null, Calendar | null>();
  for (let last: TimetableRow | undefined; ;) {
    const due = await listDue(database.knex, now, last);
    for (const row of due) {
      if (isStopping()) return result;
      await startDueOccurrence(context, { row, calendars, now }, result);
    }
    if (due.length < PAGE) return result;
    last = due.at(-1);
  }
}

/** @param last the last schedule of the previous page */
async function listDue(knex: Knex, now: Date, last: TimetableRow | undefined): Promise<TimetableRow[]> {
  const query = knex('Timetables').where('NextTime', '<=', now);
  if (last) {
    void query.where((rest) => {
      void rest.where('NextTime', '>', last.NextTime);
      void rest.orWhere((alike) => void alike.where('NextTime', last.NextTime).where('Id', '>', last.Id));
    });
  }
  return query.orderBy(['NextTime', 'Id']).limit(PAGE);
}

interface OneDue {
  row: TimetableRow;
  calendars: Map<number | null, Calendar | null>;
  now: Date;
}

async function startDueOccurrence(
  context: SchedulerContext,
  { row, calendars, now }: OneDue,
  result: StartResult,
): Promise<void> {
  const { database, log } = context;
  try {
    if (!calendars.has(row.CalendarId)) {
      calendars.set(row.CalendarId, await readCalendar(database.knex, row.CalendarId));
    }
    await dispatchSchedule(context, { row, rule: ruleOf(row, calendars.get(row.CalendarId)!), now }, result);
  } catch (err) {
    // Do not block the other schedules.
    log.warn({ err, schedule: row.Id }, 'could not execute a schedule; trying again');
  }
}

interface Due {
  row: TimetableRow;
  rule: OccurrenceRule;
  now: Date;
}

async function dispatchSchedule(
  context: SchedulerContext,
  { row, rule, now }: Due,
  result: StartResult,
): Promise<void> {
  // Check before preparing anything, because the occurrence may wait for hours.
  if (row.IsWaiting && (await pendingRun(context.database.knex, row)) !== null) return;
  const occurrences = occurrencesOf(rule);
  const { starts, missed } = selectDueOccurrences(occurrences, {
    from: row.NextTime,
    now,
    isWaiting: row.IsWaiting,
    missed: row.Missed,
    maxCaughtUp: row.MissedMax,
    lateMs: LATE_MS,
  });
  const after = occurrences.next(now) ?? NEVER;
  let current = row;
  if (missed || starts.length === 0) {
    const NextTime = starts[0] ?? after;
    const countAfter = (time: Date): number =>
      occurrences.count(time, now) - starts.filter((occurrence) => occurrence > time).length;
    if (!(await recordMissed(context, row, { missed, NextTime, countAfter }))) return;
    current = { ...row, NextTime };
  }
  for (const [index, slot] of starts.entries()) {
    const start: OccurrenceStart = {
      occurrence: slot,
      following: starts[index + 1] ?? after,
      rule,
      isWaited: row.IsWaiting && index === 0,
    };
    const outcome = await startOccurrence(context, current, start);
    if (outcome === null) return;
    if (outcome.startedRunId !== null) result.startedRunIds.push(outcome.startedRunId);
    if (outcome.isQueued) result.isQueued = true;
    current = { ...current, NextTime: start.following, IsWaiting: false };
  }
}

interface MissedOccurrences {
  missed: ReturnType<typeof selectDueOccurrences>['missed'];
  NextTime: Date;
  /** Counts the occurrences after a time that are not caught up. */
  countAfter: (time: Date) => number;
}

/** Records missed occurrences. Returns false if another server has taken the occurrence. */
async function recordMissed(
  context: SchedulerContext,
  row: TimetableRow,
  { missed, NextTime, countAfter }: MissedOccurrences,
): Promise<boolean> {
  return withLockedSchedule(context, row, async (trx) => {
    const noted = await lastNoted(trx, row);
    if (missed && (noted === null || noted < missed.last)) {
      const count = noted === null ? missed.count : countAfter(noted);
      const Message = missedText(count);
      await trx('TimetableSlots').insert({
        TimetableId: row.Id,
        SlotTime: missed.last,
        Outcome: 'Missed',
        Message,
        RunId: null,
      });
    }
    const isSame = NextTime.getTime() === row.NextTime.getTime();
    await trx('Timetables')
      .where('Id', row.Id)
      .update({ NextTime, ...(isSame ? {} : { IsWaiting: false }) });
    return true;
  });
}

/**
 * Returns the last recorded occurrence. Occurrences missed while another one waits are recorded before that one starts.
 * They must not be recorded again if its start fails or another server has taken it.
 */
async function lastNoted(trx: Knex.Transaction, { Id, NextTime }: TimetableRow): Promise<Date | null> {
  const after = trx('TimetableSlots').where('TimetableId', Id).where('SlotTime', '>=', NextTime);
  const last = await after.orderBy('SlotTime', 'desc').first('SlotTime');
  return last?.SlotTime ?? null;
}
