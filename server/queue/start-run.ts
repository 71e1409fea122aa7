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
import { readPriorityBand } from './priority-bands.ts';
import { FIRST_FENCE, type SlotReservation } from './slot-reservation.ts';
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
