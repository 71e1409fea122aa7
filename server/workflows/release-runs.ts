/**
 * Releases runs that waited for other steps: to a worker of this process if it has a free slot, otherwise into the
 * queue.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { prepared } from '#server/db/prepared.ts';
import { hasPending, type NewRunInput } from '#server/queue/enqueue-run.ts';
import { nextRank, executingRank, type RankRequest } from '#server/queue/fair-queue.ts';
import { bandColumns, readPriorityBand, type PriorityBand } from '#server/queue/priority-bands.ts';
import { FIRST_FENCE, type SlotReservation } from '#server/queue/slot-reservation.ts';
import { pickedUp } from '#server/queue/run-queue.ts';
import type { StepSlots } from './step-slots.ts';
import { insertInputs, whereWaiting } from './step-runs.ts';
import type { RunToRelease } from './run-to-release.ts';

/** The columns of RunToRelease. */
export const RELEASED = ['Id', 'ActivityId', 'ActivityVersion', 'MemoryCost', 'SingleRun', 'TurnOwner', 'TraceParent'];

export interface ReleaseOptions {
  /** Stored in addition to the inputs the run already has. */
  inputs: readonly NewRunInput[];
  /** Number of fair-share ranks behind a run that is started now. */
  later?: 0 | 1;
  /** ActivityParameterIds of the inputs whose stored values are deleted. */
  replaced?: readonly number[];
}

/**
 * Releases a run with the inputs that earlier steps provide. If its activity prevents simultaneous runs and another run
 * of it is pending, the run waits for that one. Returns false if the run was no longer waiting.
 */
export async function releaseRun(
  trx: Knex.Transaction,
  run: Pick<RunToRelease, 'Id' | 'ActivityId' | 'SingleRun'>,
  { inputs, later = 0, replaced = [] }: ReleaseOptions,
): Promise<boolean> {
  const inSequence = run.SingleRun && (await hasPending(trx, run.ActivityId));
  const owner = trx.raw('??', ['ActivityRuns.TurnOwner']);
  const queueColumns = inSequence
    ? {}
    : queued(trx, { band: await readPriorityBand(trx, run.ActivityId), owner, later });
  const released = await whereWaiting(trx, [run.Id]).update({ ...releasedColumns(trx), ...queueColumns });
  if (released === 0) return false;
  await storeInputs(trx, [{ run, inputs, replaced }]);
  return true;
}

export interface ReadyToRelease {
  run: RunToRelease;
  inputs: readonly NewRunInput[];
  replaced?: readonly number[];
}

/**
 * Releases several runs of one activity and one fair-share owner, in order. Returns the ids of the runs that were still
 * waiting.
 */
export async function releaseRuns(
  trx: Knex.Transaction,
  ready: readonly ReadyToRelease[],
  { band, later = 0, slots }: { band: PriorityBand; later?: 0 | 1; slots: StepSlots },
): Promise<number[]> {
  const released: number[] = [];
  // Runs of an activity that prevents simultaneous runs wait for each other, so they are released one by one.
  for (const { run, ...more } of ready.filter((one) => one.run.SingleRun))
    if (await releaseRun(trx, run, { ...more, later })) released.push(run.Id);
  const others = ready.filter(({ run }) => !run.SingleRun);
  const toQueue: number[] = [];
  const toWorker: number[] = [];
  let worker: SlotReservation | undefined;
  for (const { run } of others) {
    const reservation = slots.take(run, band);
    worker ??= reservation;
    (reservation ? toWorker : toQueue).push(run.Id);
  }
  if (worker) {
    const claimed = await update(trx, toWorker, heldBy(trx, worker, band));
    for (const id of toWorker) if (!claimed.includes(id)) slots.release(id);
    released.push(...claimed);
  }
  if (toQueue.length > 0) {
    const rankRequest = { band, later, owner: others[0]!.run.TurnOwner };
    released.push(...(await update(trx, toQueue, queued(trx, rankRequest, toQueue))));
  }
  await storeInputs(
    trx,
    others.filter(({ run }) => released.includes(run.Id)),
  );
  return released;
}

function heldBy(trx: Knex.Transaction, { worker, leaseSeconds }: SlotReservation, band: PriorityBand) {
  const held = pickedUp({ dialect: dialectOf(trx) }, trx, worker, leaseSeconds);
  return { ...held, ...bandColumns(band), Fence: FIRST_FENCE, Turn: executingRank(trx, band) };
}

async function update(trx: Knex.Transaction, ids: readonly number[], columns: object): Promise<number[]> {
  const change = whereWaiting(trx, ids)
    .update({ ...releasedColumns(trx), ...columns })
    .returning('Id');
  // With several ids, the statement text depends on their number, so it is not prepared.
  const changed = await (ids.length === 1 ? prepared(change) : change);
  return changed.map(({ Id }) => Id);
}

const releasedColumns = (trx: Knex.Transaction) => ({ WaitsForSteps: false, QueueTime: dialectOf(trx).now(trx) });

function queued(trx: Knex.Transaction, rankRequest: RankRequest, ids: readonly number[] = []) {
  const first = nextRank({ dialect: dialectOf(trx) }, trx, rankRequest);
  return {
    Status: 'Queued',
    ...bandColumns(rankRequest.band),
    Turn: ids.length < 2 ? first : oneAfterAnother(trx, first, ids),
  };
}

/** Gives the runs of one owner consecutive fair-share ranks. */
function oneAfterAnother(trx: Knex.Transaction, first: Knex.Raw, ids: readonly number[]): Knex.Raw {
  // Positions are literals: among bound values, a database would not know that they are numbers.
  const cases = ids.map((_, at) => `when ? then ${at}`).join(' ');
  return trx.raw(`? + case ?? ${cases} end`, [first, 'ActivityRuns.Id', ...ids] as Knex.RawBinding[]);
}

async function storeInputs(
  trx: Knex.Transaction,
  ready: readonly (Pick<ReadyToRelease, 'inputs' | 'replaced'> & { run: { Id: number } })[],
): Promise<void> {
  const replacing = ready.filter(({ replaced = [] }) => replaced.length > 0);
  const replaced = [...new Set(replacing.flatMap((one) => one.replaced ?? []))];
  if (replaced.length > 0) {
    const ids = replacing.map(({ run }) => run.Id);
    await trx('RunInputs').whereIn('ActivityRunId', ids).whereIn('ActivityParameterId', replaced).delete();
  }
  await insertInputs(
    trx,
    ready.flatMap(({ run, inputs }) => inputs.map((row) => ({ ActivityRunId: run.Id, ...row }))),
  );
}
