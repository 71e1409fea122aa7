/**
 * Starts scheduled checklists and workflows, and resumes failed ones according to the retry count and interval of their
 * schedules.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { storePlan } from '#server/workflows/workflow-plans.ts';
import { resumeIn } from '#server/workflows/resume-workflow-run.ts';
import { insertWorkflowRun } from '#server/workflows/start-workflow-run.ts';
import { hasSucceeded, LogCategory, PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import { forEachEnded, isRetryDue } from './ended-runs.ts';
import { information } from './scheduled-runs.ts';
import type { SchedulerContext } from './scheduler-context.ts';
import { linesFor, moveOn, takeOccurrence, type DueOccurrence, type ScheduleKind } from './schedule-occurrences.ts';
import type { ScheduledWorkflowStart } from './workflow-schedule-starter.ts';

export const CHECKLISTS: ScheduleKind = {
  table: 'ChecklistSchedules',
  key: 'ChecklistId',
  runs: 'ScheduledChecklistRuns',
  what: 'checklist',
};

interface DueRow extends Omit<DueOccurrence, 'id'> {
  ChecklistId: number;
  RetryCount: number;
  RetryInterval: number;
}

/** Log StatusCode of a run that the schedule could not start. */
const REFUSED_CODE = 1600;
const NOTHING = { Graph: { Inputs: [], Steps: [] }, Versions: {} };

/** Polls once for due schedules and failed runs. Returns the ids of the runs that may continue. */
export async function startDueWorkflows(context: SchedulerContext, isStopping: () => boolean): Promise<number[]> {
  const { database, clock, log } = context;
  const startedIds: (number | null)[] = [];
  const now = await clock(database.knex);
  const due = await database.knex('ChecklistSchedules').where('NextTime', '<=', now).orderBy('NextTime');
  for (const row of due) {
    if (isStopping()) break;
    try {
      startedIds.push(await dispatchSchedule(context, row));
    } catch (err) {
      // Do not block the other schedules.
      log.warn({ err, checklist: row.ChecklistId }, 'could not start a scheduled checklist; trying again');
    }
  }
  if (!isStopping()) startedIds.push(...(await resumeFailed(context, now, isStopping)));
  return startedIds.filter((id) => id !== null);
}

/** Returns the id of the started run, or null if none started. */
async function dispatchSchedule(context: SchedulerContext, row: DueRow): Promise<number | null> {
  const { database, workflowStarter, timeZone, clock } = context;
  const { ChecklistId, UserId, NextTime, RetryCount, RetryInterval } = row;
  // Outside the transaction, because it checks rights and reads definitions.
  const start = await workflowStarter.prepare(ChecklistId, UserId);
  return inTransaction(database.knex, async (trx) => {
    const occurrence = { kind: CHECKLISTS, due: { ...row, id: ChecklistId } };
    if (!(await takeOccurrence(context, trx, occurrence))) return null;
    const now = await clock(trx);
    await moveOn(context, trx, { ...occurrence, now });
    const lines = linesFor(CHECKLISTS, occurrence.due, { now, timeZone });
    const retries = { Attempt: 0, RetryCount, RetryInterval };
    const scheduled = { ChecklistId, TimetableId: null, UserId, SlotTime: NextTime, ...retries };
    const before = await findPending(trx, ChecklistId);
    if (before !== null) {
      const text = `Skipped: run ${before}, which the schedule started before, had not ended`;
      await insertNotStarted(context, trx, { ChecklistId, UserId, Status: 'Cancelled', IsLeftOut: true }, [
        information(text),
      ]);
      return null;
    }
    if (start.refused !== null) {
      await insertRefusedWorkflowRun(context, trx, scheduled, [...lines, refusedLine(start.refused)]);
      return null;
    }
    return insertScheduledWorkflowRun(trx, start, scheduled, lines);
  });
}

/** The data stored with a checklist run that a schedule started. */
export interface ScheduledWorkflowRun {
  ChecklistId: number;
  /** Null if the daily schedule started the run. */
  TimetableId: number | null;
  UserId: number;
  SlotTime: Date;
  Attempt: number;
  RetryCount: number;
  RetryInterval: number;
}

export async function insertScheduledWorkflowRun(
  trx: Knex.Transaction,
  start: Extract<ScheduledWorkflowStart, { refused: null }>,
  scheduled: ScheduledWorkflowRun,
  lines: readonly RunLogLine[],
): Promise<number> {
  const ChecklistRunId = await insertStartedWorkflowRun(trx, start, lines);
  await trx('ScheduledChecklistRuns').insert({ ChecklistRunId, ...scheduled });
  return ChecklistRunId;
}

/** Inserts only the run. Nothing but its log says who started it. */
export async function insertStartedWorkflowRun(
  trx: Knex.Transaction,
  start: Extract<ScheduledWorkflowStart, { refused: null }>,
  lines: readonly RunLogLine[],
): Promise<number> {
  const ChecklistRunId = await insertWorkflowRun(trx, start.workflowRun, start.steps);
  await insertLines(trx, ChecklistRunId, lines);
  return ChecklistRunId;
}

export const refusedLine = (Message: string): RunLogLine => ({
  Message,
  StatusCode: REFUSED_CODE,
  Category: LogCategory.Error,
});

/** Inserts a run that ends immediately and logs the reason. */
export async function insertRefusedWorkflowRun(
  context: Pick<SchedulerContext, 'database'>,
  trx: Knex.Transaction,
  scheduled: ScheduledWorkflowRun,
  lines: readonly RunLogLine[],
): Promise<number> {
  const { ChecklistId, UserId } = scheduled;
  const ChecklistRunId = await insertNotStarted(context, trx, { ChecklistId, UserId, Status: 'LogicError' }, lines);
  // Retrying does not help until a person fixes the cause.
  const SettledTime = context.database.dialect.now(trx);
  await trx('ScheduledChecklistRuns').insert({ ChecklistRunId, ...scheduled, SettledTime });
  return ChecklistRunId;
}

/** Finds a pending run of the schedule, including a resumed one. */
async function findPending(trx: Knex.Transaction, ChecklistId: number): Promise<number | null> {
  const row = await whereStatus(trx('ChecklistRuns as C'), PENDING_STATUSES, 'C.Status')
    .join('ScheduledChecklistRuns as S', 'S.ChecklistRunId', 'C.Id')
    .where('C.ChecklistId', ChecklistId)
    .whereNull('S.TimetableId')
    .orderBy('C.Id', 'desc')
    .first<{ Id: number } | undefined>('C.Id');
  return row?.Id ?? null;
}

/** Inserts a run without steps that ends immediately and logs the reason. */
export async function insertNotStarted(
  { database }: Pick<SchedulerContext, 'database'>,
  trx: Knex.Transaction,
  run: { ChecklistId: number; UserId: number; Status: RunStatus; IsLeftOut?: true },
  lines: readonly RunLogLine[],
): Promise<number> {
  const PlanId = await storePlan(trx, NOTHING);
  const now = database.dialect.now(trx);
  const id = await insertedId(
    trx('ChecklistRuns')
      .insert({ ...run, PlanId, Inputs: '[]', EndTime: now, NotStartedTime: now })
      .returning('Id'),
  );
  await insertLines(trx, id, lines);
  return id;
}

async function insertLines(trx: Knex.Transaction, ChecklistRunId: number, lines: readonly RunLogLine[]): Promise<void> {
  await trx('ChecklistRunLogEntries').insert(
    lines.map(({ Message, StatusCode, Category }) => ({ ChecklistRunId, Message, StatusCode, Category })),
  );
}

interface EndedRow {
  ChecklistRunId: number;
  ChecklistId: number;
  UserId: number;
  SlotTime: Date;
  Attempt: number;
  RetryCount: number;
  RetryInterval: number;
  Status: RunStatus;
  EndTime: Date;
  TimetableId: number | null;
  /** Id of the schedule that started the run; null if it no longer exists. */
  ScheduleId: number | null;
}

/** Handles all scheduled runs that have ended since the last poll, or whose retry is due. */
async function resumeFailed(
  context: SchedulerContext,
  now: Date,
  isStopping: () => boolean,
): Promise<(number | null)[]> {
  const { database, log } = context;
  const startedIds: (number | null)[] = [];
  await forEachEnded({
    list: (after, limit) => listEnded(database.knex, after, limit),
    idOf: ({ ChecklistRunId }) => ChecklistRunId,
    isStopping,
    handle: async (row) => {
      try {
        if (!mayResume(row)) await inTransaction(database.knex, (trx) => settle(context, trx, row));
        else if (isRetryDue(row, now)) startedIds.push(await resume(context, row));
      } catch (err) {
        // Do not block the other runs.
        log.warn({ err, checklistRun: row.ChecklistRunId }, 'could not resume a scheduled run; trying again');
      }
    },
  });
  return startedIds;
}

async function listEnded(knex: Knex, after: number, limit: number): Promise<EndedRow[]> {
  return knex('ScheduledChecklistRuns as S')
    .join('ChecklistRuns as R', 'R.Id', 'S.ChecklistRunId')
    .leftJoin('ChecklistSchedules as P', (on) => {
      on.on('P.ChecklistId', 'S.ChecklistId').onNull('S.TimetableId');
    })
    .leftJoin('Timetables as T', 'T.Id', 'S.TimetableId')
    .whereNull('S.SettledTime')
    .whereNotNull('R.EndTime')
    .where('S.ChecklistRunId', '>', after)
    .orderBy('S.ChecklistRunId')
    .limit(limit)
    .select('S.*', 'R.Status', 'R.EndTime')
    .select<EndedRow[]>(knex.raw('coalesce(??, ??) as ??', ['P.ChecklistId', 'T.Id', 'ScheduleId']));
}

/** A cancellation by a person is final, and retrying does not make a license valid. */
function mayResume({ Status, Attempt, RetryCount, ScheduleId }: EndedRow): boolean {
  if (hasSucceeded(Status) || Status === 'Cancelled' || Status === 'NotLicensed') return false;
  return Attempt < RetryCount && ScheduleId !== null;
}

/** Marks the run as handled. Returns false if another server is handling it or has already done so. */
async function settle(
  { database: { dialect } }: SchedulerContext,
  trx: Knex.Transaction,
  { ChecklistRunId }: EndedRow,
): Promise<boolean> {
  const rows = await dialect.lockRows(trx, {
    table: 'ScheduledChecklistRuns',
    columns: ['ChecklistRunId'],
    where: (query) => void query.where({ ChecklistRunId }).whereNull('SettledTime'),
    orderBy: [{ column: 'ChecklistRunId' }],
    locked: 'skip',
  });
  if (rows.length === 0) return false;
  await trx('ScheduledChecklistRuns')
    .where({ ChecklistRunId })
    .update({ SettledTime: dialect.now(trx) });
  return true;
}

/** Resumes the run and reuses what had succeeded. Rights are checked again when its steps begin. */
async function resume(context: SchedulerContext, row: EndedRow): Promise<number | null> {
  const { database, workflowStarter } = context;
  const { ChecklistRunId, ChecklistId, TimetableId, UserId, SlotTime, RetryCount, RetryInterval } = row;
  const refusal =
    TimetableId === null
      ? await workflowStarter.prepare(ChecklistId, UserId)
      : await workflowStarter.refusal(ChecklistId, UserId);
  const refused = refusal?.refused ?? null;
  return inTransaction(database.knex, async (trx) => {
    if (!(await settle(context, trx, row))) return null;
    if (refused !== null) {
      const Message = `The schedule does not resume the run: ${refused}`;
      await insertLines(trx, ChecklistRunId, [refusedLine(Message)]);
      return null;
    }
    const Id = await resumed(trx, ChecklistRunId, UserId);
    if (Id === null) return null;
    const Attempt = row.Attempt + 1;
    await insertLines(trx, Id, [
      information(`Resumed by the schedule of the checklist: retry ${Attempt} of ${RetryCount}`),
    ]);
    const scheduled = { ChecklistId, TimetableId, UserId, SlotTime, Attempt, RetryCount, RetryInterval };
    await trx('ScheduledChecklistRuns').insert({ ChecklistRunId: Id, ...scheduled });
    return Id;
  });
}

/**
 * Returns null if another server or person has resumed the run, or data that it needs was purged. Nothing is stored
 * before these checks.
 */
async function resumed(trx: Knex.Transaction, runId: number, UserId: number): Promise<number | null> {
  try {
    return await resumeIn(trx, runId, { UserId, UniqueId: null });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
