import type { Knex } from 'knex';
import { inRows } from '#server/db/in-rows.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { lockActivity } from './run-end.ts';

export interface NewRun {
  ActivityId: number;
  ActivityVersion: number;
  UserId: number;
  UniqueId: string | null;
  RetryOf: number | null;
  MemoryCost: number;
  SingleRun: boolean;
}

export interface NewRunInput {
  ActivityParameterId: number;
  ArrayIndex: number;
  Value: string | null;
  Rows: number | null;
  UseDefault: boolean;
  HasPresetValue: boolean;
  FileId: string | null;
  FileName: string | null;
  ContentLength: number | null;
}

export interface EnqueuedRun {
  Id: number;
  Status: 'Queued' | 'QueuedInSeq';
}

/**
 * Puts a run into the queue; its inputs belong into the same transaction. Where its activity prevents simultaneous runs and one is
 * pending, it waits for that.
 */
export async function insertRun(trx: Knex.Transaction, run: NewRun): Promise<EnqueuedRun> {
  const Status = run.SingleRun && (await hasPending(trx, run.ActivityId)) ? 'QueuedInSeq' : 'Queued';
  const [row] = (await trx('ActivityRuns')
    .insert({ ...run, Status })
    .returning('Id')) as { Id: number }[];
  return { Id: row!.Id, Status };
}

async function hasPending(trx: Knex.Transaction, activityId: number): Promise<boolean> {
  await lockActivity(trx, activityId);
  const pending = await trx('ActivityRuns')
    .where('ActivityId', activityId)
    .whereIn('Status', PENDING_STATUSES)
    .first('Id');
  return pending !== undefined;
}

export async function insertRunInputs(
  trx: Knex.Transaction,
  runId: number,
  inputs: readonly NewRunInput[],
): Promise<void> {
  await inRows(trx, inputs, (part) => trx('RunInputs').insert(part.map((row) => ({ ActivityRunId: runId, ...row }))));
}

const COPIED = [
  'ActivityParameterId',
  'ArrayIndex',
  'Value',
  'Rows',
  'UseDefault',
  'HasPresetValue',
  'FileId',
  'FileName',
  'ContentLength',
];

/** Gives a run the inputs of an earlier one. */
export async function copyRunInputs(trx: Knex.Transaction, fromRunId: number, toRunId: number): Promise<void> {
  const columns = ['ActivityRunId', ...COPIED];
  await trx(trx.raw(`?? (${columns.map(() => '??').join(', ')})`, ['RunInputs', ...columns])).insert(
    trx('RunInputs')
      .where('ActivityRunId', fromRunId)
      .select(trx.raw('?', [toRunId]), ...COPIED),
  );
}
