/**
 * Starts the rows of a batch. An already ended run represents the whole batch and starts the rows like a Start step
 * would.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { VisibleActivity } from '#server/access/activity-access.ts';
import { DEFAULT_VALUE, type StartedRows } from '#server/queue/run-starts.ts';
import { insertRunRows } from '#server/queue/insert-runs.ts';
import { insertLogLines } from '#server/queue/run-end.ts';
import { BATCH_STEP_KEY } from '#shared/contract/batches.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { DEFAULT_FOR_EACH_CONCURRENCY } from '#shared/rules/workflows/types.ts';
import { rowKeyOf } from './batch-results.ts';
import type { BatchContent } from './batch-sheet.ts';
import { lockBatch, readContent, type BatchRow } from './batches-repository.ts';

export interface BatchStart {
  Id: number;
  UniqueId: string | null;
  OnlyGood: boolean;
  UserId: number;
  activity: VisibleActivity['activity'];
}

/** StatusCode of the log entry about the start of a batch. */
const BATCH_CODE = 1702;

/** Returns the id of the run. Throws an AppError if nothing is started. */
export async function storeBatchStart({ knex, dialect }: Database, start: BatchStart): Promise<number> {
  try {
    return await inTransaction(knex, (trx) => storeOnce(trx, dialect.now(trx), start));
  } catch (error) {
    if (dialect.classify(error).fault !== 'unique') throw error;
    throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start', { cause: error });
  }
}

async function storeOnce(trx: Knex.Transaction, now: Knex.Raw, start: BatchStart): Promise<number> {
  const batch = await lockBatch(trx, start.Id);
  if (!batch) throw new AppError('batchNotFound', 404, 'There is no such batch');
  if (batch.RunId !== null) return batch.RunId;
  requireStartable(batch, start);
  const content = await readContent(trx, start.Id);
  const rows = content.Rows.filter(({ IsGood }) => IsGood);
  const { ActivityId, ActivityVersion, UserId, FileName } = batch;
  const { MemoryCost, SingleRun } = start.activity;
  const [run] = await insertRunRows(trx, [
    {
      ActivityId,
      ActivityVersion,
      UserId,
      MemoryCost,
      SingleRun,
      UniqueId: start.UniqueId,
      Status: 'Succeeded',
      QueueTime: now,
      PickupTime: now,
      StartTime: now,
      EndTime: now,
    },
  ]);
  const RunId = run!.Id;
  await trx('RunStarts').insert({
    ParentRunId: RunId,
    RootRunId: RunId,
    ActivityId,
    ActivityVersion,
    UserId,
    StepKey: BATCH_STEP_KEY,
    StepName: `Batch of ${FileName}`.slice(0, 255),
    RowCount: rows.length,
    Rows: JSON.stringify(startedRows(content, rows)),
    AtOnce: DEFAULT_FOR_EACH_CONCURRENCY,
    StopAfterFailures: null,
  });
  const skippedText = skippedRowsText(batch.BadCount);
  const Message =
    rows.length === 1
      ? `The row of ${FileName} was started${skippedText}`
      : `The ${rows.length} rows of ${FileName} were started${skippedText}`;
  await insertLogLines(trx, RunId, [{ Message, StatusCode: BATCH_CODE, Category: LogCategory.Information }]);
  await trx('Batches').where('Id', batch.Id).update({ RunId });
  return RunId;
}

function skippedRowsText(badCount: number): string {
  if (badCount === 0) return '';
  return badCount === 1
    ? '; 1 row was skipped because it has invalid cells'
    : `; ${badCount} rows were skipped because they have invalid cells`;
}

function requireStartable(batch: BatchRow, { OnlyGood, activity }: BatchStart): void {
  if (batch.ActivityVersion !== activity.Version) {
    const text = `The activity got a new version, ${activity.Version}, after the file was checked. Upload the file again`;
    throw new AppError('activityVersionOutdated', 409, text);
  }
  if (batch.BadCount >= batch.RowCount) throw new AppError('batchRefused', 422, 'The file has no valid rows to start');
  if (batch.BadCount > 0 && !OnlyGood) {
    const text =
      batch.BadCount === 1
        ? 'Nothing was started: 1 row has invalid cells'
        : `Nothing was started: ${batch.BadCount} rows have invalid cells`;
    throw new AppError('batchRefused', 422, text);
  }
}

function startedRows({ Columns }: BatchContent, rows: BatchContent['Rows']): StartedRows {
  return {
    Inputs: Columns.map(({ Id }) => Id),
    Rows: rows.map(({ Row, Values }) => [rowKeyOf(Row), Values.map((value) => value ?? DEFAULT_VALUE)]),
  };
}
