/** Queues scheduled runs, in the transaction that records the start. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { copyRunInputs, insertRun, type NewRun, type NewRunInput } from '#server/queue/enqueue-run.ts';
import { insertRunRows } from '#server/queue/insert-runs.ts';
import { insertLogLines } from '#server/queue/run-end.ts';

/** Why a schedule cannot start a run. */
export interface Refusal {
  refused: string;
  /** Set if the reason is the person the schedule runs as, who no longer exists or has no rights. */
  isAboutPerson?: true;
}

/** The inputs of the run to start, or why it cannot be started. */
export type ScheduledStart = Refusal | { refused: null; inputs: NewRunInput[] };

/** A value for an input as JSON text, as in a start; or a file. */
export interface SuppliedInput {
  Name: string;
  Value: string | null;
  /** Stores the file as if the person had uploaded it for the input. Throws an AppError if it is too large. */
  upload?: (person: { UserId: number }, input: FileTaker) => Promise<SuppliedFile>;
}

/** An input that takes a file. */
export interface FileTaker {
  Id: number;
  Info: { MaxSize: readonly (number | null)[] };
}

export interface SuppliedFile {
  FileId: string;
  FileName: string;
}

/** What starts runs automatically on behalf of a person; used in texts. */
export type StartedBy = 'schedule' | 'trigger';

/**
 * The values of the inputs. If absent, inputs have only their presets and defaults. A list adds the values that the
 * schedule supplies; 'kept' uses the inputs of the run being retried.
 */
export type SuppliedInputs = readonly SuppliedInput[] | 'kept' | undefined;

/** Prepares a start on behalf of the person whom a schedule runs as. */
export interface ScheduleStarter {
  /** Checks whether the person may still run the activity, and returns its inputs. */
  prepare: (activityId: number, userId: number, supplied?: SuppliedInputs, by?: StartedBy) => Promise<ScheduledStart>;
}

/** The data stored with a run that a schedule started. */
export interface ScheduledRunRow {
  ActivityRunId: number;
  ActivityId: number;
  /** Null if the daily schedule started the run. */
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

/**
 * Inserts the run. If it cannot start, inserts a run that ends immediately and logs the reason. Returns the run's Id.
 */
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
    // Retrying does not help until a person fixes the cause.
    SettledTime: start.refused === null ? null : dialect.now(trx),
  });
  return runId;
}

/** Inserts only the run. Nothing but its log says who started it. */
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
  const [row] = await insertRunRows(trx, [{ ...run, Status: 'LogicError', EndTime: dialectOf(trx).now(trx) }]);
  return row!.Id;
}
