/** How schedules put runs into the queue: all within the transaction that notes that they did. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { copyRunInputs, insertRun, type NewRun, type NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import { insertLogLines } from '#server/jobs/queue/run-end.ts';

/** Why a schedule cannot start anything. */
export interface Refusal {
  refused: string;
  /** Whether it is about the person it runs as, who has gone or has no right any more. */
  isAboutPerson?: true;
}

/** What a schedule starts, or why it cannot. */
export type ScheduledStart = Refusal | { refused: null; inputs: NewRunInput[] };

/** A value for an input, JSON text as with a start; or a file. */
export interface GivenInput {
  Name: string;
  Value: string | null;
  /** Stores the file as one that the person has uploaded for the input. Throws an AppError where it is too large. */
  upload?: (person: { UserId: number }, input: FileTaker) => Promise<GivenFile>;
}

/** An input that takes a file. */
export interface FileTaker {
  Id: number;
  Info: { MaxSize: readonly (number | null)[] };
}

export interface GivenFile {
  FileId: string;
  FileName: string;
}

/** What starts as a person by itself: in texts. */
export type StartedBy = 'schedule' | 'trigger';

/**
 * What the inputs have: nothing but presets and defaults where absent, beside them the values that the schedule gives, or what the
 * run that is tried again had.
 */
export type GivenInputs = readonly GivenInput[] | 'kept' | undefined;

/** Knows the person a schedule runs as. */
export interface ScheduleStarter {
  /** Whether the person may still run the activity, and what its inputs then are. */
  prepare: (activityId: number, userId: number, given?: GivenInputs, by?: StartedBy) => Promise<ScheduledStart>;
}

/** What is kept beside a run that a schedule started. */
export interface ScheduledRunRow {
  ActivityRunId: number;
  ActivityId: number;
  /** Null where the daily schedule started it. */
  TimetableId: number | null;
  UserId: number;
  SlotTime: Date;
  Attempt: number;
  RetryCount: number;
  RetryInterval: number;
}

export type ScheduledRunOf = Omit<ScheduledRunRow, 'ActivityRunId'>;

/** Log StatusCode of a run that the schedule could not start. */
const REFUSED_CODE = 1600;

export const information = (Message: string): RunLogLine => ({
  Message,
  StatusCode: 0,
  Category: LogCategory.Information,
});

/** Inserts the run, or one that ended at once and says why it could not start. Answers its Id. */
export async function insertScheduledRun(
  trx: Knex.Transaction,
  run: NewRun,
  start: ScheduledStart,
  scheduled: ScheduledRunOf,
  lines: RunLogLine[],
): Promise<number> {
  const dialect = dialectOf(trx);
  const runId = await insertStarted(trx, run, start, lines);
  await trx('ScheduledRuns').insert({
    ActivityRunId: runId,
    ...scheduled,
    // A person has to put right what refused it: trying again helps nobody.
    SettledTime: start.refused === null ? null : dialect.now(trx),
  });
  return runId;
}

/** The run alone, with nothing that says who started it but its log. */
export async function insertStarted(
  trx: Knex.Transaction,
  run: NewRun,
  start: ScheduledStart,
  lines: RunLogLine[],
): Promise<number> {
  const runId = start.refused === null ? (await insertRun(trx, run)).Id : await insertRefused(trx, run);
  if (start.refused === null) {
    if (run.RetryOf === null) await insertInputs(trx, runId, start.inputs);
    else await copyRunInputs(trx, run.RetryOf, runId);
    await insertLogLines(trx, runId, lines);
  } else {
    const why = { Message: start.refused, StatusCode: REFUSED_CODE, Category: LogCategory.Error };
    await insertLogLines(trx, runId, [...lines, why]);
  }
  return runId;
}

async function insertInputs(trx: Knex.Transaction, runId: number, inputs: readonly NewRunInput[]): Promise<void> {
  await inRows(trx, inputs, (part) => trx('RunInputs').insert(part.map((row) => ({ ActivityRunId: runId, ...row }))));
}

async function insertRefused(trx: Knex.Transaction, run: NewRun): Promise<number> {
  const [row] = (await trx('ActivityRuns')
    .insert({ ...run, Status: 'LogicError', EndTime: dialectOf(trx).now(trx) })
    .returning('Id')) as { Id: number }[];
  return row!.Id;
}
