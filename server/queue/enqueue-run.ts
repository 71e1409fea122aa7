/** Starts runs, and puts runs into the queue. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { insertChildren } from './change-with-children.ts';
import type { ChildRows } from '#server/db/dialect/types.ts';
import { currentTraceParent } from '#server/base/tracing.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { ALREADY_RUNNING, PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { fairShareKeyOf } from './fair-queue.ts';
import { readPriorityBand, type PriorityBand } from './priority-bands.ts';
import type { RunSignals } from './run-signals.ts';
import { FIRST_FENCE, type SlotReservation } from './slot-reservation.ts';
import { lockActivity } from './run-end.ts';
import { insertRunRows, insertStart, rankOf, stateOf } from './insert-runs.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { RunInputsRow } from '#server/db/tables.ts';

export interface NewRun {
  ActivityId: number;
  ActivityVersion: number;
  UserId: number;
  UniqueId: string | null;
  RetryOf: number | null;
  MemoryCost: number;
  SingleRun: boolean;
  /** The link that started the run, and the run whose outputs it took. */
  ActivityLinkId?: number | null;
  SourceRunId?: number | null;
  /** Hash of the token with which a visitor can see the run. */
  PublicTokenHash?: string;
  /** The program that starts the run for its user; absent if the user does. */
  ClientName?: string;
  /** Owner of the run in the fair queue; the user if absent. */
  TurnOwner?: string;
  /** The Start step and row that the run belongs to, if another run started it. */
  ParentRunId?: number | null;
  StepKey?: string | null;
  RowKey?: string;
  RowIndex?: number | null;
  Attempt?: number;
}

export type NewRunInput = Pick<
  RunInputsRow,
  | 'ActivityParameterId'
  | 'ArrayIndex'
  | 'Value'
  | 'Rows'
  | 'UseDefault'
  | 'HasPresetValue'
  | 'FileId'
  | 'FileName'
  | 'ContentLength'
>;

/** The fields of an input that is only a value. */
export const ONLY_VALUE = {
  ArrayIndex: 0,
  Rows: null,
  UseDefault: false,
  HasPresetValue: false,
  FileId: null,
  FileName: null,
  ContentLength: null,
} satisfies Partial<NewRunInput>;

export interface EnqueuedRun {
  Id: number;
  Status: 'Queued' | 'QueuedInSeq' | 'PickedUp';
}

/**
 * Inserts a run into the queue; its inputs must be inserted in the same transaction. If the activity prevents
 * simultaneous runs and another run of it is pending, the new run waits for that one. With `refuseWhilePending`, throws
 * an AppError 409 instead, which asks people to try again later.
 */
export async function insertRun(trx: Knex.Transaction, run: NewRun, refuseWhilePending = false): Promise<EnqueuedRun> {
  const Status: 'QueuedInSeq' | 'Queued' =
    run.SingleRun && (await hasPending(trx, run.ActivityId)) ? 'QueuedInSeq' : 'Queued';
  if (refuseWhilePending && Status === 'QueuedInSeq') throw new AppError('alreadyRunning', 409, ALREADY_RUNNING);
  const TurnOwner = ownerOf(run);
  // A run that waits for another run of its activity gets its rank when it is queued.
  const band = Status === 'Queued' ? await readPriorityBand(trx, run.ActivityId) : undefined;
  const state = band ? stateOf(trx, { band }, rankOf(trx, band, TurnOwner)) : { Status: 'QueuedInSeq' as const };
  const [row] = await insertRunRows(trx, [{ ...run, ...traceColumns(), TurnOwner, ...state }]);
  return { Id: row!.Id, Status };
}

/** Returns no column if tracing is off. */
export function traceColumns(): { TraceParent?: string } {
  const TraceParent = currentTraceParent();
  return TraceParent === null ? {} : { TraceParent };
}

const ownerOf = ({ TurnOwner, UserId }: NewRun): string => TurnOwner ?? fairShareKeyOf(UserId);

/** Returns true if a run of the activity is pending. Steps that still wait for other steps do not count. */
export async function hasPending(trx: Knex.Transaction, activityId: number): Promise<boolean> {
  await lockActivity(trx, activityId);
  const pending = await whereStatus(trx('ActivityRuns').where('ActivityId', activityId), PENDING_STATUSES)
    .where('WaitsForSteps', false)
    .first('Id');
  return pending !== undefined;
}

/**
 * Returns true if the start needs nothing else in its transaction: the activity allows simultaneous runs, and no input
 * is a file.
 */
function goesInOneStatement(run: NewRun, inputs: readonly NewRunInput[]): boolean {
  return !run.SingleRun && inputs.every(({ FileId }) => FileId === null);
}

export interface EnqueueOptions {
  reservation?: SlotReservation;
  /** The priority band of the activity; read if absent. */
  band?: PriorityBand;
  refuseWhilePending?: boolean;
}

/**
 * Stores a run with its inputs. Gives it to a worker of this process if it has a free slot; otherwise queues it and
 * notifies all workers. In both cases the run is stored when the promise resolves.
 */
export async function startRun(
  database: Database,
  signals: RunSignals,
  run: NewRun,
  inputs: readonly NewRunInput[],
  { band: known, refuseWhilePending }: Omit<EnqueueOptions, 'reservation'> = {},
): Promise<EnqueuedRun> {
  const band = known ?? (await readPriorityBand(database.knex, run.ActivityId));
  const { ActivityId, MemoryCost } = run;
  const wanted = { ...band, ActivityId, MemoryCost, isStart: true };
  const reservation = goesInOneStatement(run, inputs) ? signals.reserve(wanted) : undefined;
  const enqueued = await enqueueRun(database, run, inputs, { reservation, band, refuseWhilePending }).catch(
    (error: unknown) => {
      if (reservation) giveUp(database, reservation, error);
      throw error;
    },
  );
  if (reservation) dispatchRun(reservation, run, enqueued, inputs);
  else if (enqueued.Status === 'Queued') signals.queued();
  return enqueued;
}

function dispatchRun(
  reservation: SlotReservation,
  run: NewRun,
  { Id }: EnqueuedRun,
  inputs: readonly NewRunInput[],
): void {
  const { ActivityId, ActivityVersion, MemoryCost, SingleRun } = run;
  reservation.begin(
    {
      Id,
      ActivityId,
      ActivityVersion,
      MemoryCost,
      SingleRun,
      Fence: FIRST_FENCE,
      ChecklistRunId: null,
      ParentRunId: null,
      TraceParent: currentTraceParent(),
    },
    inputs.map(({ ActivityParameterId, ArrayIndex, Value }) => ({
      ActivityParameterId,
      ArrayIndex,
      Value,
      // Runs with file inputs go through the queue.
      FileName: null,
      StoreKey: null,
    })),
  );
}

/** Only a constraint violation proves that nothing was stored. */
function giveUp({ dialect }: Database, reservation: SlotReservation, error: unknown): void {
  const { fault } = dialect.classify(error);
  if (fault === 'unique' || fault === 'foreignKey') reservation.release();
  else reservation.fail();
}

/**
 * Inserts a run into the queue with its inputs, in one statement if possible. In that case, `reservation` hands the run
 * directly to a worker that has reserved a slot for it. For `refuseWhilePending`, see `insertRun`.
 */
export async function enqueueRun(
  database: Database,
  run: NewRun,
  inputs: readonly NewRunInput[],
  { reservation, band: known, refuseWhilePending }: EnqueueOptions = {},
): Promise<EnqueuedRun> {
  const { knex, dialect } = database;
  if (goesInOneStatement(run, inputs)) {
    const TurnOwner = ownerOf(run);
    const band = known ?? (await readPriorityBand(knex, run.ActivityId));
    const own = { ...run, ...traceColumns(), TurnOwner };
    const Id = await insertStart(database, { run: own, band, inputs: inputsOf(inputs), reservation });
    return { Id, Status: reservation === undefined ? 'Queued' : 'PickedUp' };
  }
  return inTransaction(knex, async (trx) => {
    const enqueued = await insertRun(trx, run, refuseWhilePending);
    await insertChildren(trx, enqueued.Id, inputsOf(inputs));
    const fileIds = inputs.flatMap(({ FileId }) => (FileId === null ? [] : [FileId]));
    if (fileIds.length > 0) await markUsed(trx, fileIds, dialect.now(trx));
    return enqueued;
  });
}

export async function markUsed(trx: Knex.Transaction, fileIds: readonly string[], now: Knex.Raw): Promise<void> {
  await trx('StoredFiles').whereIn('FileId', fileIds).whereNull('UsedTime').update({ UsedTime: now });
}

function inputsOf(rows: readonly NewRunInput[]): ChildRows {
  return {
    table: 'RunInputs',
    parentColumn: 'ActivityRunId',
    columns: {
      ActivityParameterId: 'integer',
      ArrayIndex: 'integer',
      Value: 'text',
      Rows: 'integer',
      UseDefault: 'boolean',
      HasPresetValue: 'boolean',
      FileId: 'text',
      FileName: 'text',
      ContentLength: 'bigint',
    },
    rows,
  };
}

/** Columns of an input that can be copied to another run unchanged. */
export const COPIED = [
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

/** Copies the inputs of an earlier run to a run. */
export async function copyRunInputs(trx: Knex.Transaction, fromRunId: number, toRunId: number): Promise<void> {
  const columns = ['ActivityRunId', ...COPIED];
  await trx(trx.raw(`?? (${columns.map(() => '??').join(', ')})`, ['RunInputs', ...columns])).insert(
    trx('RunInputs')
      .where('ActivityRunId', fromRunId)
      .select(trx.raw('?', [toRunId]), ...COPIED),
  );
}
