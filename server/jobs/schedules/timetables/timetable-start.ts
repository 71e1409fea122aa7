/** Takes one occurrence of a schedule and starts its run, or stores why the run does not start. */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import type { SlotOutcome } from '#shared/contract/timetables.ts';
import { slotText } from '../daily-slots.ts';
import { LATE_MS, NEVER } from '../schedule-slots.ts';
import { insertRefusedChain, insertScheduledChain, refusedLine, type ScheduledChainOf } from '../scheduled-chains.ts';
import type { ScheduledChain } from '../chain-schedule-starter.ts';
import { information, insertScheduledRun, type Refusal, type ScheduledStart } from '../scheduled-runs.ts';
import type { SchedulerContext } from '../scheduler-context.ts';
import { INACTIVE_TEXT, lateText, pendingText } from '../slot-messages.ts';
import { givenAt } from './timetable-inputs.ts';
import type { TimetableRow } from '#server/db/timetable-row.ts';
import { inputsOf } from './timetable-rows.ts';
import type { SlotRule } from './timetable-slots.ts';

export interface SlotStart {
  slot: Date;
  /** The next occurrence. */
  following: Date;
  rule: SlotRule;
  /** True if it has waited for the previous run. */
  isWaited: boolean;
}

/** What was started. startSlot returns null if the occurrence still waits, or another server has taken it. */
export interface SlotResult {
  isQueued: boolean;
  /** The id of the checklist run that was started. */
  begun: number | null;
}

interface Noted {
  Outcome: SlotOutcome;
  Message: string;
  RunId: number | null;
}

const NOTHING: SlotResult = { isQueued: false, begun: null };
const MESSAGE_LENGTH = 1000;
const REASON_LENGTH = 400;
const KEPT_MS = 31 * 86_400_000;

/**
 * Locks the schedule at its current occurrence while `work` runs. Returns the result of `work`; false if another server
 * has the lock.
 */
export async function takeTimetable(
  { database }: SchedulerContext,
  { Id, UserId, NextTime }: TimetableRow,
  work: (trx: Knex.Transaction) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(database.knex, async (trx) => {
    const rows = await database.dialect.lockRows(trx, {
      table: 'Timetables',
      columns: ['Id'],
      where: (query) => void query.where({ Id, UserId, NextTime }).whereNull('PausedTime'),
      orderBy: [{ column: 'Id' }],
      locked: 'skip',
    });
    return rows.length === 1 && (await work(trx));
  });
}

/** Returns the newest pending run of the schedule. */
export async function pendingRun(db: Db, { Id, ActivityId }: TimetableRow): Promise<number | null> {
  const [runs, scheduled, key] =
    ActivityId === null
      ? ['ChecklistRuns', 'ScheduledChecklistRuns', 'ChecklistRunId']
      : ['ActivityRuns', 'ScheduledRuns', 'ActivityRunId'];
  const row = (await whereStatus(db(`${runs} as R`), PENDING_STATUSES, 'R.Status')
    .join(`${scheduled} as S`, `S.${key}`, 'R.Id')
    .where('S.TimetableId', Id)
    .orderBy('R.Id', 'desc')
    .first('R.Id')) as { Id: number } | undefined;
  return row?.Id ?? null;
}

export async function startSlot(
  context: SchedulerContext,
  row: TimetableRow,
  start: SlotStart,
): Promise<SlotResult | null> {
  const prepared = row.ActivityId === null ? null : await prepareRun(context, row, row.ActivityId, start);
  const chain = row.ChecklistId === null ? null : await prepareChain(context, row, row.ChecklistId, start);
  let result: SlotResult = NOTHING;
  const isTaken = await takeTimetable(context, row, async (trx) => {
    const before = row.Overlap === 'Start' ? null : await pendingRun(trx, row);
    if (before !== null && row.Overlap === 'Wait') {
      await trx('Timetables').where('Id', row.Id).update({ IsWaiting: true });
      return false;
    }
    if (before !== null) {
      await moveOn(trx, row, start, { Outcome: 'LeftOut', Message: pendingText(before), RunId: null });
      return true;
    }
    const now = await context.clock(trx);
    if (prepared) result = await storeRun(context, trx, row, { ...start, ...prepared, now });
    else if (chain) result = await storeChain(context, trx, row, { ...start, chain, now });
    const refusal = prepared?.start ?? chain;
    if (refusal && refusal.refused !== null && 'isAboutPerson' in refusal) await pause(trx, row, start, refusal);
    return true;
  });
  return isTaken ? result : null;
}

interface PreparedRun {
  /** Null if the activity is inactive. */
  start: ScheduledStart | null;
  activity: { Version: number; MemoryCost: number; SingleRun: boolean };
}

async function prepareRun(
  { database, starter }: SchedulerContext,
  row: TimetableRow,
  activityId: number,
  { slot, rule }: SlotStart,
): Promise<PreparedRun> {
  const activity = (await database
    .knex('Activities')
    .where('Id', activityId)
    .first('Version', 'IsActive', 'MemoryCost', 'SingleRun')) as PreparedRun['activity'] & { IsActive: boolean };
  if (!activity.IsActive) return { start: null, activity };
  const inputs = givenAt(inputsOf(row), slot, rule);
  if (inputs.refused !== null) return { start: inputs, activity };
  return { start: await starter.prepare(activityId, row.UserId, inputs.given), activity };
}

async function prepareChain(
  { chainStarter }: SchedulerContext,
  row: TimetableRow,
  checklistId: number,
  { slot, rule }: SlotStart,
): Promise<ScheduledChain> {
  const inputs = givenAt(inputsOf(row), slot, rule);
  return inputs.refused === null ? chainStarter.prepare(checklistId, row.UserId, inputs.given) : inputs;
}

async function storeRun(
  context: SchedulerContext,
  trx: Knex.Transaction,
  row: TimetableRow,
  { start, activity, now, ...of }: SlotStart & PreparedRun & { now: Date },
): Promise<SlotResult> {
  if (!start) {
    await moveOn(trx, row, of, { Outcome: 'LeftOut', Message: INACTIVE_TEXT, RunId: null });
    return NOTHING;
  }
  const { ActivityId, UserId } = row as TimetableRow & { ActivityId: number };
  const { MemoryCost, SingleRun } = activity;
  const version = { ActivityVersion: activity.Version, MemoryCost, SingleRun };
  const run = { ActivityId, ...version, UserId, UniqueId: null, RetryOf: null };
  const lines = linesOf(row, of, now);
  // Before inserting the run: ends pending retries of earlier occurrences.
  await settleRetries(context, trx, row);
  const RunId = await insertScheduledRun(trx, run, start, { ActivityId, ...scheduledOf(row, of.slot) }, lines);
  await moveOn(trx, row, of, notedOf(start, lines, RunId));
  return { isQueued: start.refused === null, begun: null };
}

async function storeChain(
  context: SchedulerContext,
  trx: Knex.Transaction,
  row: TimetableRow,
  { chain, now, ...of }: SlotStart & { chain: ScheduledChain; now: Date },
): Promise<SlotResult> {
  const { ChecklistId } = row as TimetableRow & { ChecklistId: number };
  const scheduled: ScheduledChainOf = { ChecklistId, ...scheduledOf(row, of.slot) };
  const lines = linesOf(row, of, now);
  await settleRetries(context, trx, row);
  const RunId =
    chain.refused === null
      ? await insertScheduledChain(trx, chain, scheduled, lines)
      : await insertRefusedChain(context, trx, scheduled, [...lines, refusedLine(chain.refused)]);
  await moveOn(trx, row, of, notedOf(chain, lines, RunId));
  return { isQueued: false, begun: chain.refused === null ? RunId : null };
}

function scheduledOf({ Id, UserId, RetryCount, RetryInterval }: TimetableRow, SlotTime: Date) {
  return { TimetableId: Id, UserId, SlotTime, Attempt: 0, RetryCount, RetryInterval };
}

function notedOf({ refused }: { refused: string | null }, lines: readonly RunLogLine[], RunId: number): Noted {
  if (refused !== null) return { Outcome: 'Refused', Message: refused, RunId };
  return { Outcome: 'Started', Message: lines[1]?.Message ?? '', RunId };
}

/** Returns the first lines of the run's log. */
function linesOf(row: TimetableRow, { slot, rule, isWaited }: SlotStart, now: Date): RunLogLine[] {
  const what = row.ActivityId === null ? 'checklist' : 'activity';
  const lines = [information(`Started by the schedule ${row.Name} of the ${what}`)];
  if (now.getTime() - slot.getTime() <= LATE_MS) return lines;
  return [...lines, information(lateText(slotText(slot, rule.timeZone), isWaited ? 'Waited' : 'NoServer'))];
}

async function settleRetries({ database }: SchedulerContext, trx: Knex.Transaction, row: TimetableRow): Promise<void> {
  await trx(row.ActivityId === null ? 'ScheduledChecklistRuns' : 'ScheduledRuns')
    .where(row.ActivityId === null ? { ChecklistId: row.ChecklistId } : { ActivityId: row.ActivityId })
    .where('TimetableId', row.Id)
    .whereNull('SettledTime')
    .update({ SettledTime: database.dialect.now(trx) });
}

async function moveOn(
  trx: Knex.Transaction,
  { Id }: TimetableRow,
  { slot, following }: Pick<SlotStart, 'slot' | 'following'>,
  noted: Noted,
): Promise<void> {
  await note(trx, Id, slot, noted);
  await trx('Timetables').where({ Id }).update({ NextTime: following, IsWaiting: false });
}

async function note(trx: Knex.Transaction, TimetableId: number, SlotTime: Date, { Message, ...noted }: Noted) {
  const forgotten = new Date(SlotTime.getTime() - KEPT_MS);
  await trx('TimetableSlots').where({ TimetableId }).where('SlotTime', '<', forgotten).delete();
  await trx('TimetableSlots').insert({ TimetableId, SlotTime, ...noted, Message: Message.slice(0, MESSAGE_LENGTH) });
}

/**
 * Pauses the schedule until an editor saves it; it then runs as that editor. The refused run shows editors the reason.
 */
async function pause(
  trx: Knex.Transaction,
  { Id }: TimetableRow,
  { slot }: SlotStart,
  { refused }: Refusal,
): Promise<void> {
  const PausedReason = refused.slice(0, REASON_LENGTH);
  await trx('Timetables').where({ Id }).update({ NextTime: NEVER, PausedTime: slot, PausedReason });
}
