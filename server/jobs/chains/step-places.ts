/** Places with the worker of this process for steps that begin, so that what it has room for need not be looked for in the queue. */
import type { Lane } from '#server/jobs/queue/lanes.ts';
import { FIRST_FENCE, type Pickup } from '#server/jobs/queue/pickup.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import type { RunToRelease } from './run-to-release.ts';

/** Those of one transaction. */
export interface StepPlaces {
  /** Keeps one for a run; undefined where the queue is the way. */
  take(run: RunToRelease, lane: Lane): Pickup | undefined;
  /** Gives back that of a run which does not begin. */
  release(runId: number): void;
  /** Gives all back: the transaction begins anew. */
  releaseAll(): void;
  /** It has committed: the runs begin. Answers how many. */
  begin(): number;
  /** It has failed, or nobody knows whether it has. */
  fail(): void;
}

export function createStepPlaces(signals: Pick<RunSignals, 'reserve'>, ChecklistRunId: number): StepPlaces {
  const taken = new Map<number, { run: RunToRelease; place: Pickup }>();
  const leave = (how: (place: Pickup, run: RunToRelease) => void): void => {
    const left = [...taken.values()];
    taken.clear();
    for (const { run, place } of left) how(place, run);
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
      const begun = taken.size;
      leave((place, run) => place.begin({ ...run, Fence: FIRST_FENCE, ChecklistRunId, ParentRunId: null }));
      return begun;
    },
    fail: () => leave((place) => place.fail()),
  };
}
