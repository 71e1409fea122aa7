import { currentTraceParent } from '#server/base/tracing.ts';
import type { Database } from '#server/db/database.ts';
import {
  enqueueRun,
  goesInOneStatement,
  type EnqueuedRun,
  type EnqueueOptions,
  type NewRun,
  type NewRunInput,
} from './enqueue-run.ts';
import { readLane } from './lanes.ts';
import { FIRST_FENCE, type Pickup } from './pickup.ts';
import type { RunSignals } from './run-signals.ts';

/**
 * Stores a run with its inputs. Gives it to a worker of this process if it has a free slot; otherwise queues it and
 * notifies all workers. In both cases the run is stored when the promise resolves.
 */
export async function startRun(
  database: Database,
  signals: RunSignals,
  run: NewRun,
  inputs: readonly NewRunInput[],
  { lane: known, refuseWhilePending }: Omit<EnqueueOptions, 'pickup'> = {},
): Promise<EnqueuedRun> {
  const lane = known ?? (await readLane(database.knex, run.ActivityId));
  const { ActivityId, MemoryCost } = run;
  const wanted = { ...lane, ActivityId, MemoryCost, isStart: true };
  const pickup = goesInOneStatement(run, inputs) ? signals.reserve(wanted) : undefined;
  const enqueued = await enqueueRun(database, run, inputs, { pickup, lane, refuseWhilePending }).catch(
    (error: unknown) => {
      if (pickup) giveUp(database, pickup, error);
      throw error;
    },
  );
  if (pickup) handOver(pickup, run, enqueued, inputs);
  else if (enqueued.Status === 'Queued') signals.queued();
  return enqueued;
}

function handOver(pickup: Pickup, run: NewRun, { Id }: EnqueuedRun, inputs: readonly NewRunInput[]): void {
  const { ActivityId, ActivityVersion, MemoryCost, SingleRun } = run;
  pickup.begin(
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
function giveUp({ dialect }: Database, pickup: Pickup, error: unknown): void {
  const { fault } = dialect.classify(error);
  if (fault === 'unique' || fault === 'foreignKey') pickup.release();
  else pickup.fail();
}
