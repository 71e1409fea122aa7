/** Where a worker has its runs: in slots, where they are calculated, or in the anteroom, until a slot is free. */
import type { ClaimRoom } from '#server/jobs/queue/run-queue.ts';
import type { WantedPlace } from '#server/jobs/queue/pickup.ts';
import { createAnteroom } from './anteroom.ts';
import { createWorkerPlaces, type WorkerPlaces } from './worker-places.ts';
import type { WorkerSettings } from './worker-settings.ts';

export interface Place {
  /** Gives back all that the run has, or its slot alone. */
  leave: ReturnType<WorkerPlaces['take']>;
  /** Of one that waits for a slot. */
  waiting?: {
    /** Resolves when it has one. */
    admitted: Promise<void>;
    /** The run is stored, and waits from now on. @param onTooLong it is not to wait here any longer */
    begin(onTooLong: () => void): void;
  };
}

export interface WorkerRoom {
  /** Whether it is time to claim: several that wait here are claimed by one statement, before the last of those that did has a slot. */
  readonly mayClaim: boolean;
  /** @property onlyShort whether only a run that is known to be short can have the slot */
  toClaim(): ClaimRoom & { onlyShort: boolean };
  forClaimed(run: { MemoryCost: number }, isShort: boolean): Place;
  /**
   * For one that comes straight from its start, or from the step before it.
   * @param isShort undefined where the last runs of its activity are not known
   * @param storing how many others have a place and are still being stored
   */
  forStored(wanted: WantedPlace, isShort: boolean | undefined, storing: number): Place | undefined;
  /** A calculation has taken so many milliseconds. */
  calculated(milliseconds: number): void;
}

/** Runs at least that are claimed to wait. */
const CLAIMED_AHEAD = 4;

export function createWorkerRoom({
  concurrency,
  longRuns = { concurrency, shortMs: Infinity },
  memoryBudget,
}: Pick<WorkerSettings, 'concurrency' | 'longRuns' | 'memoryBudget'>): WorkerRoom {
  const anteroom = createAnteroom();
  const places = createWorkerPlaces(
    { all: concurrency, long: longRuns.concurrency, shortMs: longRuns.shortMs },
    memoryBudget,
    admit,
  );

  function admit(): void {
    while (anteroom.admitFirst((isShort) => (places.free(isShort) > 0 ? places.take(0, isShort) : undefined)));
  }

  function placeThatWaits(isShort: boolean): Place {
    const place = anteroom.enter(isShort);
    const begin = (onTooLong: () => void): void => {
      place.wait(onTooLong);
      admit();
    };
    return { leave: place.leave, waiting: { admitted: place.admitted, begin } };
  }

  return {
    get mayClaim() {
      return places.free(true) > 0 || anteroom.free >= CLAIMED_AHEAD;
    },
    toClaim: () => {
      const room = places.room();
      const forLong = places.free(false);
      if (forLong < 1 && room.slots > 0) return { ...room, onlyShort: true };
      return { ...room, slots: Math.max(forLong, 0) + anteroom.free, onlyFree: forLong < 1, onlyShort: false };
    },
    forClaimed: ({ MemoryCost }, isShort) =>
      MemoryCost === 0 && places.free(isShort) < 1
        ? placeThatWaits(isShort)
        : { leave: places.take(MemoryCost, isShort) },
    forStored: ({ MemoryCost, isStart = false }, known, storing) => {
      // Through the queue, where its last runs are read: it may be short, and in the last of these slots it waits for a long run to end.
      if (known === undefined && places.long > 0 && places.free(false) < 2) return undefined;
      const isShort = known ?? false;
      const { memory, idle } = places.room();
      const free = places.free(isShort);
      // A start has a slot beside runs that keep theirs while they are stored, as none of these is calculated yet: rows of a For each would else
      // send it through the queue. One run at most is beyond the slots.
      if (free > 0 || (isStart && places.free(true) === 0 && isShort && storing > 0)) {
        return idle || MemoryCost <= memory ? { leave: places.take(MemoryCost, isShort) } : undefined;
      }
      return isStart && MemoryCost === 0 && anteroom.free > 0 ? placeThatWaits(isShort) : undefined;
    },
    calculated: (milliseconds) => anteroom.calculated(milliseconds),
  };
}
