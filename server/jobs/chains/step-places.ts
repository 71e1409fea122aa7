/** Slots of this process's worker for steps that begin. Runs with a slot skip the queue. */
import type { Lane } from '#server/jobs/queue/lanes.ts';
import { FIRST_FENCE, type Pickup } from '#server/jobs/queue/pickup.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import type { RunToRelease } from './run-to-release.ts';

/** The slots reserved within one transaction. */
export interface StepPlaces {
  /** Reserves a slot for a run; undefined if the run must go through the queue. */
  take(run: RunToRelease, lane: Lane): Pickup | undefined;
  /** Releases the slot of a run that does not begin. */
  release(runId: number): void;
  /** Releases all slots because the transaction is retried. */
  releaseAll(): void;
  /** Call when the transaction has committed: the runs begin. Returns their number. */
  begin(): number;
  /** Call if the transaction has failed, or its outcome is unknown. */
  fail(): void;
}

export function createStepPlaces(signals: Pick<RunSignals, 'reserve'>, ChecklistRunId: number): StepPlaces {
  const taken = new Map<number, { run: RunToRelease; place: Pickup }>();
  const leave = (how: (place: Pickup, run: RunToRelease) => void): void => {
    const released = [...taken.values()];
    taken.clear();
    for (const { run, place } of released) how(place, run);
  };
  return {
    take: (run, lane) => {
      const place = signals.reserve({ ...lane, ActivityId: run.ActivityId, MemoryCost: run.MemoryCost });
      if (place) taken.set(run.Id, { run, place });
      return place;
    },
    release: (runId) => {
      taken.get(runId)?.place.release();
      taken.delete(runId);
    },
    releaseAll: () => leave((place) => place.release()),
    begin: () => {
      const count = taken.size;
      leave((place, run) => place.begin({ ...run, Fence: FIRST_FENCE, ChecklistRunId, ParentRunId: null }));
      return count;
    },
    fail: () => leave((place) => place.fail()),
  };
}
