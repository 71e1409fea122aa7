/** How runs end. Every end happens once: it applies only to a run that is still pending, and a worker's only while its lease holds. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { insertStoredFiles, type NewStoredFile } from '#server/files/stored-files.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { CANCELLED_LINE } from './run-log-lines.ts';
import { held, type ClaimedRun } from './run-queue.ts';

export interface OutputRow {
  ActivityParameterId: number | null;
  ArrayIndex: number;
  Value: string | null;
  Rows: number | null;
  FileId: string | null;
  FileName: string | null;
  ContentLength: number | null;
}

export interface RunEnd {
  status: RunStatus;
  outputs: OutputRow[];
  /** Already in the file store. */
  files: NewStoredFile[];
  logs: RunLogLine[];
}

/** 'lost' where the lease had gone: nothing was written. 'cancelled' where a person was faster: no outputs were written. */
export type FinishResult = 'finished' | 'cancelled' | 'lost';

export async function insertLogLines(db: Knex, runId: number, lines: RunLogLine[]): Promise<void> {
  const rows = lines.map(({ Message, StatusCode, Category }) => ({
    ActivityRunId: runId,
    // PostgreSQL keeps no NUL in a text.
    Message: Message.replaceAll('\0', ''),
    StatusCode,
    Category,
  }));
  await inRows(db, rows, (part) => db('RunLogEntries').insert(part));
}

/** Keeps start, cancel and end of one activity's runs apart, where they may have to wait for each other. */
export async function lockActivity(trx: Knex.Transaction, activityId: number): Promise<void> {
  await trx('Activities').select('Id').where('Id', activityId).forUpdate();
}

/** Lets the oldest waiting run of an activity into the queue if nothing of that activity is pending before it. */
export async function promoteNext(db: Knex, activityId: number): Promise<boolean> {
  const active = db('ActivityRuns')
    .select(db.raw('1'))
    .where('ActivityId', activityId)
    .whereIn('Status', ['Queued', 'PickedUp', 'Started']);
  const oldest = db('ActivityRuns').where({ ActivityId: activityId, Status: 'QueuedInSeq' }).min('Id');
  const promoted = await db('ActivityRuns')
    .where('Status', 'QueuedInSeq')
    .where('Id', oldest)
    .whereNotExists(active)
    .update({ Status: 'Queued' });
  return promoted > 0;
}

/** The finishing write of a worker; all of it or nothing. */
export async function finishRun(
  database: Database,
  worker: string,
  run: ClaimedRun,
  end: RunEnd,
): Promise<{ result: FinishResult; promoted: boolean }> {
  const { knex, dialect } = database;
  return inTransaction(knex, async (trx) => {
    if (run.SingleRun) await lockActivity(trx, run.ActivityId);
    const mine = () =>
      held(trx, worker).where({ Id: run.Id, Fence: run.Fence }).where('LeaseUntil', '>', dialect.now(trx));
    // A run whose Started could not be written has no StartTime yet.
    const StartTime = trx.raw('coalesce(??, ??)', ['StartTime', 'PickupTime']);
    const ended = { EndTime: dialect.now(trx), StartTime, LeaseUntil: null, Phase: '', Share: null };
    const finished = await mine()
      .whereNull('CancelTime')
      .update({ ...ended, Status: end.status });
    const promoteIfNeeded = async () => run.SingleRun && (await promoteNext(trx, run.ActivityId));
    if (finished === 1) {
      await insertStoredFiles(trx, end.files);
      await inRows(trx, end.outputs, (rows) =>
        trx('RunOutputs').insert(rows.map((row) => ({ ActivityRunId: run.Id, ...row }))),
      );
      await insertLogLines(trx, run.Id, end.logs);
      return { result: 'finished', promoted: await promoteIfNeeded() };
    }
    if ((await mine().update({ ...ended, Status: 'Cancelled' })) === 0) return { result: 'lost', promoted: false };
    await insertLogLines(trx, run.Id, [...end.logs, CANCELLED_LINE]);
    return { result: 'cancelled', promoted: await promoteIfNeeded() };
  });
}

/** Whether this claim has ended the run: what is asked after a commit whose answer did not arrive. */
export async function endedByClaim(knex: Knex, worker: string, { Id, Fence }: ClaimedRun): Promise<boolean> {
  const row = await knex('ActivityRuns')
    .where({ Id, Fence, WorkerId: worker })
    .whereNotNull('EndTime')
    .whereNot('Status', 'Abandoned')
    .first('Id');
  return row !== undefined;
}
