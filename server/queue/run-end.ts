/**
 * Ends runs: `finishRun` those that a worker has executed, `endRuns` all others. Each run ends only once: the update
 * applies only to a pending run, and a worker's update only while its lease holds.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { changeWithChildren, insertChildren } from './change-with-children.ts';
import type { ChildRows } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { storedFilesOf, type NewStoredFile } from '#server/files/stored-files.ts';
import { runStartRows, type NewRunStart } from '#server/queue/run-starts.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { nextRank } from './fair-queue.ts';
import { bandColumns, readPriorityBand, type PriorityBand } from './priority-bands.ts';
import { CANCELLED_LINE } from './run-log-lines.ts';
import { held, startedAgo } from './run-queue.ts';
import type { ClaimedRun } from './claimed-run.ts';
import { ENDED_COLUMNS, writeEnd } from './write-end.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { ActivityRunsRow, RunOutputsRow } from '#server/db/tables.ts';

export type OutputRow = Pick<
  RunOutputsRow,
  'ActivityParameterId' | 'ArrayIndex' | 'Value' | 'Rows' | 'FileId' | 'FileName' | 'ContentLength'
>;

export interface RunEnd {
  status: RunStatus;
  /** When the executor began, on the clock of performance.now() in this process; null if it did not begin. */
  startedAt: number | null;
  outputs: OutputRow[];
  /** Already in the file store. */
  files: NewStoredFile[];
  logs: RunLogLine[];
  /** Runs requested by the Start steps of this run. */
  starts?: readonly NewRunStart[];
  /** True if lines of its log may have been written earlier; unknown if absent. */
  hasLogged?: boolean;
}

/**
 * 'lost' if the lease was gone: nothing was written. 'cancelled' if a person cancelled the run first: no outputs were
 * written.
 */
export type FinishResult = 'finished' | 'cancelled' | 'lost';

export async function insertLogLines(db: Knex, runId: number, lines: readonly RunLogLine[]): Promise<void> {
  await insertChildren(db, runId, logLinesOf(lines));
}

/**
 * Serializes starts, cancellations and ends of the runs of an activity, if these runs may have to wait for each other.
 */
export async function lockActivity(trx: Knex.Transaction, activityId: number): Promise<void> {
  await trx('Activities').select('Id').where('Id', activityId).forUpdate();
}

/** Queues the oldest waiting run of an activity if no earlier run of the activity is pending. */
export async function promoteNext(db: Knex, activityId: number): Promise<boolean> {
  const runs = (): Knex.QueryBuilder => db('ActivityRuns').where('ActivityId', activityId);
  const active = whereStatus(runs().select(db.raw('1')), ['Queued', 'PickedUp', 'Started']);
  const oldest = whereStatus(runs().where('WaitsForSteps', false), ['QueuedInSeq']).min('Id');
  const promoted = await whereStatus(db('ActivityRuns'), ['QueuedInSeq'])
    .where('Id', oldest)
    .whereNotExists(active)
    .update(intoQueue(db, await readPriorityBand(db, activityId)));
  return promoted > 0;
}

/** Returns the columns of a run that is queued after it waited for other runs of its activity. */
function intoQueue(db: Knex, band: PriorityBand) {
  const owner = db.raw('??', ['ActivityRuns.TurnOwner']);
  const Turn = nextRank({ dialect: dialectOf(db) }, db, { band, owner, later: 1 });
  return { Status: 'Queued' as const, ...bandColumns(band), Turn };
}

/**
 * Returns the columns that an end changes in the run's row. A run that skipped the Started update has no StartTime yet.
 */
function ended(database: Database, db: Knex, { startedAt }: RunEnd) {
  const { dialect } = database;
  const began =
    startedAt === null ? db.ref('PickupTime') : startedAgo(database, db, (performance.now() - startedAt) / 1000);
  const StartTime = db.raw('coalesce(??, ?)', ['StartTime', began]);
  return { ...ENDED_COLUMNS, EndTime: dialect.now(db), StartTime };
}

function heldByClaim({ dialect }: Database, db: Knex, worker: string, { Id, Fence }: ClaimedRun): Knex.QueryBuilder {
  return held(db, worker).where({ Id, Fence }).where('LeaseUntil', '>', dialect.now(db));
}

/** Writes the end of a run for a worker, completely or not at all. */
export async function finishRun(
  database: Database,
  worker: string,
  run: ClaimedRun,
  end: RunEnd,
): Promise<{ result: FinishResult; promoted: boolean; EndTime?: Date | null }> {
  const finish = (db: Knex): Knex.QueryBuilder =>
    heldByClaim(database, db, worker, run)
      .whereNull('CancelTime')
      .update({ ...ended(database, db, end), Status: end.status })
      .returning('Id');
  const children = [storedFilesOf(end.files), outputsOf(end.outputs), logLinesOf(end.logs)];
  if (end.starts && end.starts.length > 0) children.push(runStartRows(end.starts));
  if (!run.SingleRun) {
    const alone = async (): Promise<boolean> =>
      (await changeWithChildren(database.knex, finish, children)) !== undefined;
    const { status, startedAt } = end;
    const written = await writeEnd(database, { worker, run, status, startedAt, children, alone });
    if (written) return { result: 'finished', promoted: false, EndTime: written.EndTime };
  }
  return inTransaction(database.knex, async (trx) => {
    if (run.SingleRun) await lockActivity(trx, run.ActivityId);
    const promoteIfNeeded = async () => run.SingleRun && (await promoteNext(trx, run.ActivityId));
    if (run.SingleRun && ((await finish(trx)) as unknown[]).length === 1) {
      for (const child of children) await insertChildren(trx, run.Id, child);
      return { result: 'finished', promoted: await promoteIfNeeded() };
    }
    const cancelled = await heldByClaim(database, trx, worker, run)
      .whereNotNull('CancelTime')
      .update({ ...ended(database, trx, end), Status: 'Cancelled' });
    if (cancelled === 0) return { result: 'lost', promoted: false };
    await insertLogLines(trx, run.Id, [...end.logs, CANCELLED_LINE]);
    return { result: 'cancelled', promoted: await promoteIfNeeded() };
  });
}

const RETURNED = ['Id', 'ChecklistRunId', 'ParentRunId', 'WaitsForSteps'] as const;
export type EndedRow = Pick<ActivityRunsRow, (typeof RETURNED)[number]>;

/**
 * Ends the runs of a query that no worker executes, and logs in each why. The query must select pending runs only, or
 * runs that the transaction has locked.
 * @param columns what the end changes besides its time
 */
export async function endRuns(
  trx: Knex.Transaction,
  runs: Knex.QueryBuilder,
  columns: Knex.DbRecord<ActivityRunsRow> & { Status: RunStatus },
  lineOf: (run: EndedRow) => RunLogLine,
): Promise<EndedRow[]> {
  const EndTime = dialectOf(trx).now(trx);
  const ended = await runs.update({ ...ENDED_COLUMNS, ...columns, EndTime }).returning<EndedRow[]>([...RETURNED]);
  const lines = ended.map((run) => ({ ActivityRunId: run.Id, ...logRow(lineOf(run)) }));
  await inRows(trx, lines, (part) => trx('RunLogEntries').insert(part));
  return ended;
}

function outputsOf(rows: readonly OutputRow[]): ChildRows {
  return {
    table: 'RunOutputs',
    parentColumn: 'ActivityRunId',
    columns: {
      ActivityParameterId: 'integer',
      ArrayIndex: 'integer',
      Value: 'text',
      Rows: 'integer',
      FileId: 'text',
      FileName: 'text',
      ContentLength: 'bigint',
    },
    rows,
  };
}

function logLinesOf(lines: readonly RunLogLine[]): ChildRows {
  return {
    table: 'RunLogEntries',
    parentColumn: 'ActivityRunId',
    columns: { Message: 'text', StatusCode: 'integer', Category: 'integer', PromptKey: 'text' },
    rows: lines.map(logRow),
  };
}

const logRow = ({ Message, StatusCode, Category, prompt }: RunLogLine) => ({
  // PostgreSQL cannot store NUL characters in text.
  Message: Message.replaceAll('\0', ''),
  StatusCode,
  Category,
  PromptKey: prompt?.key ?? null,
});

/** Returns true if this claim has ended the run. Called after a commit whose response did not arrive. */
export async function endedByClaim(knex: Knex, worker: string, { Id, Fence }: ClaimedRun): Promise<boolean> {
  const row = await knex('ActivityRuns')
    .where({ Id, Fence, WorkerId: worker })
    .whereNotNull('EndTime')
    .whereNot('Status', 'Abandoned')
    .first('Id');
  return row !== undefined;
}
