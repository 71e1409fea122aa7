/** Lets runs that waited for steps go: to a worker of this process that has room, else into the queue. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { prepared } from '#server/db/prepared.ts';
import { hasPending, type NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import { nextTurn, turnAtWork, type QueuedTurn } from '#server/jobs/queue/fair-turns.ts';
import { laneColumns, readLane, type Lane } from '#server/jobs/queue/lanes.ts';
import { FIRST_FENCE, type Pickup } from '#server/jobs/queue/pickup.ts';
import { pickedUp } from '#server/jobs/queue/run-queue.ts';
import type { StepPlaces } from './step-places.ts';
import { insertInputs, whereWaiting } from './step-runs.ts';
import type { RunToRelease } from './run-to-release.ts';

/** The columns of RunToRelease. */
export const RELEASED = ['Id', 'ActivityId', 'ActivityVersion', 'MemoryCost', 'SingleRun', 'TurnOwner', 'TraceParent'];

export interface ReleaseOptions {
  /** To be stored beside those it has. */
  inputs: readonly NewRunInput[];
  /** Turns later than what people start now. */
  later?: 0 | 1;
  /** Of which inputs the stored values go. */
  replaced?: readonly number[];
}

/**
 * Lets a run go, with the inputs it was given by the steps before it. One of an activity that prevents simultaneous runs waits on where
 * one of these is pending. Answers false where it does not wait any more.
 */
export async function releaseRun(
  trx: Knex.Transaction,
  run: Pick<RunToRelease, 'Id' | 'ActivityId' | 'SingleRun'>,
  { inputs, later = 0, replaced = [] }: ReleaseOptions,
): Promise<boolean> {
  const inSequence = run.SingleRun && (await hasPending(trx, run.ActivityId));
  const owner = trx.raw('??', ['ActivityRuns.TurnOwner']);
  const place = inSequence ? {} : queued(trx, { lane: await readLane(trx, run.ActivityId), owner, later });
  const released = await whereWaiting(trx, [run.Id]).update({ ...begun(trx), ...place });
  if (released === 0) return false;
  await storeInputs(trx, [{ run, inputs, replaced }]);
  return true;
}

export interface ReadyToRelease {
  run: RunToRelease;
  inputs: readonly NewRunInput[];
  replaced?: readonly number[];
}

/** The same of several runs of one activity and one owner, in their order. Answers those that waited. */
export async function releaseRuns(
  trx: Knex.Transaction,
  ready: readonly ReadyToRelease[],
  { lane, later = 0, places }: { lane: Lane; later?: 0 | 1; places: StepPlaces },
): Promise<number[]> {
  const released: number[] = [];
  // Of those that run alone each waits for the one before.
  for (const { run, ...more } of ready.filter((one) => one.run.SingleRun))
    if (await releaseRun(trx, run, { ...more, later })) released.push(run.Id);
  const others = ready.filter(({ run }) => !run.SingleRun);
  const toQueue: number[] = [];
  const toWorker: number[] = [];
  let worker: Pickup | undefined;
  for (const { run } of others) {
    const place = places.take(run, lane);
    worker ??= place;
    (place ? toWorker : toQueue).push(run.Id);
  }
  if (worker) {
    const begun = await update(trx, toWorker, heldBy(trx, worker, lane));
    for (const id of toWorker) if (!begun.includes(id)) places.release(id);
    released.push(...begun);
  }
  if (toQueue.length > 0) {
    const turn = { lane, later, owner: others[0]!.run.TurnOwner };
    released.push(...(await update(trx, toQueue, queued(trx, turn, toQueue))));
  }
  await storeInputs(
    trx,
    others.filter(({ run }) => released.includes(run.Id)),
  );
  return released;
}

function heldBy(trx: Knex.Transaction, { worker, leaseSeconds }: Pickup, lane: Lane) {
  const held = pickedUp({ dialect: dialectOf(trx) }, trx, worker, leaseSeconds);
  return { ...held, ...laneColumns(lane), Fence: FIRST_FENCE, Turn: turnAtWork(trx, lane) };
}

async function update(trx: Knex.Transaction, ids: readonly number[], columns: object): Promise<number[]> {
  const change = whereWaiting(trx, ids)
    .update({ ...begun(trx), ...columns })
    .returning('Id');
  // Of several the text varies with their number.
  const changed = (await (ids.length === 1 ? prepared(change) : change)) as { Id: number }[];
  return changed.map(({ Id }) => Id);
}

const begun = (trx: Knex.Transaction) => ({ WaitsForSteps: false, QueueTime: dialectOf(trx).now(trx) });

function queued(trx: Knex.Transaction, turn: QueuedTurn, ids: readonly number[] = []) {
  const first = nextTurn({ dialect: dialectOf(trx) }, trx, turn);
  return {
    Status: 'Queued',
    ...laneColumns(turn.lane),
    Turn: ids.length < 2 ? first : oneAfterAnother(trx, first, ids),
  };
}

/** Of the runs of one owner each takes the turn after the one before. */
function oneAfterAnother(trx: Knex.Transaction, first: Knex.Raw, ids: readonly number[]): Knex.Raw {
  // Places as literals: beside bound values a database would not know that they are numbers.
  const places = ids.map((_, at) => `when ? then ${at}`).join(' ');
  return trx.raw(`? + case ?? ${places} end`, [first, 'ActivityRuns.Id', ...ids] as Knex.RawBinding[]);
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
