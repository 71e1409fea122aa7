/** Slots of this process's worker for steps that begin. Runs with a slot skip the queue. */
import type { PriorityBand } from '#server/queue/priority-bands.ts';
import { FIRST_FENCE, type SlotReservation } from '#server/queue/slot-reservation.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { RunToRelease } from './run-to-release.ts';

/** The slots reserved within one transaction. */
export interface StepSlots {
  /** Reserves a slot for a run; undefined if the run must go through the queue. */
  take(run: RunToRelease, band: PriorityBand): SlotReservation | undefined;
  /** Releases the slot of a run that does not begin. */
  release(runId: number): void;
  /** Releases all slots because the transaction is retried. */
  releaseAll(): void;
  /** Call when the transaction has committed: the runs begin. Returns their number. */
  begin(): number;
  /** Call if the transaction has failed, or its outcome is unknown. */
  fail(): void;
}

export function createStepSlots(signals: Pick<RunSignals, 'reserve'>, ChecklistRunId: number): StepSlots {
  const taken = new Map<number, { run: RunToRelease; reservation: SlotReservation }>();
  const leave = (how: (reservation: SlotReservation, run: RunToRelease) => void): void => {
    const released = [...taken.values()];
    taken.clear();
    for (const { run, reservation: place } of released) how(place, run);
  };
  return {
    take: (run, band) => {
      const reservation = signals.reserve({ ...band, ActivityId: run.ActivityId, MemoryCost: run.MemoryCost });
      if (reservation) taken.set(run.Id, { run, reservation });
      return reservation;
    },
    release: (runId) => {
      taken.get(runId)?.reservation.release();
      taken.delete(runId);
    },
    releaseAll: () => leave((reservation) => reservation.release()),
    begin: () => {
      const count = taken.size;
      leave((reservation, run) => reservation.begin({ ...run, Fence: FIRST_FENCE, ChecklistRunId, ParentRunId: null }));
      return count;
    },
    fail: () => leave((reservation) => reservation.fail()),
  };
}
