/** Takes one occurrence of a schedule and starts its run, or stores why the run does not start. */
import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { TimetableSlotsRow } from '#server/db/tables.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { formatOccurrence } from '#server/automation/schedules/daily-occurrences.ts';
import { LATE_MS, NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import {
  insertRefusedWorkflowRun,
  insertScheduledWorkflowRun,
  refusedLine,
  type ScheduledWorkflowRun,
} from '#server/automation/schedules/scheduled-workflows.ts';
import type { ScheduledWorkflowStart } from '#server/automation/schedules/workflow-schedule-starter.ts';
import {
  information,
  insertScheduledRun,
  type Refusal,
  type ScheduledStart,
} from '#server/automation/schedules/scheduled-runs.ts';
import type { SchedulerContext } from '#server/automation/schedules/scheduler-context.ts';
import { INACTIVE_TEXT, lateText, pendingText } from '#server/automation/schedules/slot-messages.ts';
import { resolveSuppliedInputs } from './schedule-inputs.ts';
import type { TimetableRow } from './schedule-row.ts';
import { inputsOf } from './schedule-rows.ts';
import type { OccurrenceRule } from './occurrences.ts';

export interface OccurrenceStart {
  occurrence: Date;
  /** The next occurrence. */
  following: Date;
  rule: OccurrenceRule;
  /** True if it has waited for the previous run. */
  isWaited: boolean;
}

/** What was started. startOccurrence returns null if the occurrence still waits, or another server has taken it. */
export interface OccurrenceResult {
  isQueued: boolean;
  /** The id of the checklist run that was started. */
  startedRunId: number | null;
}

type Noted = Pick<TimetableSlotsRow, 'Outcome' | 'Message' | 'RunId'>;

const NOTHING: OccurrenceResult = { isQueued: false, startedRunId: null };
const MESSAGE_LENGTH = 1000;
const REASON_LENGTH = 400;
const OCCURRENCE_RETENTION_MS = 31 * 86_400_000;

/**
 * Locks the schedule at its current occurrence while `work` runs. Returns the result of `work`; false if another server
 * has the lock.
 */
export async function withLockedSchedule(
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
  const row = await whereStatus(db(`${runs} as R`), PENDING_STATUSES, 'R.Status')
    .join(`${scheduled} as S`, `S.${key}`, 'R.Id')
    .where('S.TimetableId', Id)
    .orderBy('R.Id', 'desc')
    .first<{ Id: number } | undefined>('R.Id');
  return row?.Id ?? null;
}

export async function startOccurrence(
  context: SchedulerContext,
  row: TimetableRow,
  start: OccurrenceStart,
): Promise<OccurrenceResult | null> {
  const prepared = row.ActivityId === null ? null : await prepareRun(context, row, row.ActivityId, start);
  const workflowStart =
    row.ChecklistId === null ? null : await prepareWorkflowStart(context, row, row.ChecklistId, start);
  let result: OccurrenceResult = NOTHING;
  const isTaken = await withLockedSchedule(context, row, async (trx) => {
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
    else if (workflowStart) result = await storeWorkflowStart(context, trx, row, { ...start, workflowStart, now });
    const refusal = prepared?.start ?? workflowStart;
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
  { occurrence, rule }: OccurrenceStart,
): Promise<PreparedRun> {
  const activity = await database
    .knex('Activities')
    .where('Id', activityId)
    .first<PreparedRun['activity'] & { IsActive: boolean }>('Version', 'IsActive', 'MemoryCost', 'SingleRun');
  if (!activity.IsActive) return { start: null, activity };
  const inputs = resolveSuppliedInputs(inputsOf(row), occurrence, rule);
  if (inputs.refused !== null) return { start: inputs, activity };
  return { start: await starter.prepare(activityId, row.UserId, inputs.supplied), activity };
}

async function prepareWorkflowStart(
  { workflowStarter }: SchedulerContext,
  row: TimetableRow,
  checklistId: number,
  { occurrence, rule }: OccurrenceStart,
): Promise<ScheduledWorkflowStart> {
  const inputs = resolveSuppliedInputs(inputsOf(row), occurrence, rule);
  return inputs.refused === null ? workflowStarter.prepare(checklistId, row.UserId, inputs.supplied) : inputs;
}

async function storeRun(
  context: SchedulerContext,
  trx: Knex.Transaction,
  row: TimetableRow,
  { start, activity, now, ...of }: OccurrenceStart & PreparedRun & { now: Date },
): Promise<OccurrenceResult> {
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
  const RunId = await insertScheduledRun(trx, run, start, { ActivityId, ...scheduledOf(row, of.occurrence) }, lines);
  await moveOn(trx, row, of, notedOf(start, lines, RunId));
  return { isQueued: start.refused === null, startedRunId: null };
}

async function storeWorkflowStart(
  context: SchedulerContext,
  trx: Knex.Transaction,
  row: TimetableRow,
  { workflowStart, now, ...of }: OccurrenceStart & { workflowStart: ScheduledWorkflowStart; now: Date },
): Promise<OccurrenceResult> {
  const { ChecklistId } = row as TimetableRow & { ChecklistId: number };
  const scheduled: ScheduledWorkflowRun = { ChecklistId, ...scheduledOf(row, of.occurrence) };
  const lines = linesOf(row, of, now);
  await settleRetries(context, trx, row);
  const RunId =
    workflowStart.refused === null
      ? await insertScheduledWorkflowRun(trx, workflowStart, scheduled, lines)
      : await insertRefusedWorkflowRun(context, trx, scheduled, [...lines, refusedLine(workflowStart.refused)]);
  await moveOn(trx, row, of, notedOf(workflowStart, lines, RunId));
  return { isQueued: false, startedRunId: workflowStart.refused === null ? RunId : null };
}

function scheduledOf({ Id, UserId, RetryCount, RetryInterval }: TimetableRow, SlotTime: Date) {
  return { TimetableId: Id, UserId, SlotTime, Attempt: 0, RetryCount, RetryInterval };
}

function notedOf({ refused }: { refused: string | null }, lines: readonly RunLogLine[], RunId: number): Noted {
  if (refused !== null) return { Outcome: 'Refused', Message: refused, RunId };
  return { Outcome: 'Started', Message: lines[1]?.Message ?? '', RunId };
}

/** Returns the first lines of the run's log. */
function linesOf(row: TimetableRow, { occurrence, rule, isWaited }: OccurrenceStart, now: Date): RunLogLine[] {
  const what = row.ActivityId === null ? 'checklist' : 'activity';
  const lines = [information(`Started by the schedule ${row.Name} of the ${what}`)];
  if (now.getTime() - occurrence.getTime() <= LATE_MS) return lines;
  return [
    ...lines,
    information(lateText(formatOccurrence(occurrence, rule.timeZone), isWaited ? 'Waited' : 'NoServer')),
  ];
}

async function settleRetries({ database }: SchedulerContext, trx: Knex.Transaction, row: TimetableRow): Promise<void> {
  await trx(row.ActivityId === null ? 'ScheduledChecklistRuns' : 'ScheduledRuns')
    .where(row.ActivityId === null ? 'ChecklistId' : 'ActivityId', row.ActivityId ?? row.ChecklistId)
    .where('TimetableId', row.Id)
    .whereNull('SettledTime')
    .update({ SettledTime: database.dialect.now(trx) });
}

async function moveOn(
  trx: Knex.Transaction,
  { Id }: TimetableRow,
  { occurrence, following }: Pick<OccurrenceStart, 'occurrence' | 'following'>,
  noted: Noted,
): Promise<void> {
  await note(trx, Id, occurrence, noted);
  await trx('Timetables').where({ Id }).update({ NextTime: following, IsWaiting: false });
}

async function note(trx: Knex.Transaction, TimetableId: number, SlotTime: Date, { Message, ...noted }: Noted) {
  const forgotten = new Date(SlotTime.getTime() - OCCURRENCE_RETENTION_MS);
  await trx('TimetableSlots').where({ TimetableId }).where('SlotTime', '<', forgotten).delete();
  await trx('TimetableSlots').insert({ TimetableId, SlotTime, ...noted, Message: Message.slice(0, MESSAGE_LENGTH) });
}

/**
 * Pauses the schedule until an editor saves it; it then runs as that editor. The refused run shows editors the reason.
 */
async function pause(
  trx: Knex.Transaction,
  { Id }: TimetableRow,
  { occurrence }: OccurrenceStart,
  { refused }: Refusal,
): Promise<void> {
  const PausedReason = refused.slice(0, REASON_LENGTH);
  await trx('Timetables').where({ Id }).update({ NextTime: NEVER, PausedTime: occurrence, PausedReason });
}
