/** The runs of a worker: in slots, where they execute, or in the local queue until a slot is free. */
import type { ClaimRoom } from '#server/jobs/queue/run-queue.ts';
import type { WantedPlace } from '#server/jobs/queue/pickup.ts';
import { createAnteroom } from './anteroom.ts';
import { createWorkerPlaces, type WorkerPlaces } from './worker-places.ts';
import type { WorkerSettings } from './worker-settings.ts';

export interface Place {
  /** Releases all that the run has, or only its slot. */
  leave: ReturnType<WorkerPlaces['take']>;
  /** Set if the run waits for a slot. */
  waiting?: {
    /** Resolves when it has a slot. */
    admitted: Promise<void>;
    /**
     * Call when the run is stored: it waits from now on.
     * @param onTooLong called when it must not wait here any longer
     */
    begin(onTooLong: () => void): void;
  };
}

export interface WorkerRoom {
  /**
   * True if a claim is worthwhile: a slot is free, or the local queue has room for several runs. One statement then
   * claims several, before the local queue is empty.
   */
  readonly mayClaim: boolean;
  /** @property onlyShort true if only a run that is known to be short can have the slot */
  toClaim(): ClaimRoom & { onlyShort: boolean };
  forClaimed(run: { MemoryCost: number }, isShort: boolean): Place;
  /**
   * Reserves a slot for a run that comes directly from its start or from the step before it.
   * @param isShort undefined if the last runs of its activity are not known
   * @param storing number of other runs that have a slot and are still being stored
   */
  forStored(wanted: WantedPlace, isShort: boolean | undefined, storing: number): Place | undefined;
  /** Records how many milliseconds a calculation took. */
  calculated(milliseconds: number): void;
}

/** Minimum room in the local queue for claiming runs into it. */
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
      // Send it through the queue, where the last runs of its activity are read. It may be short, and in the last slot
      // for long runs it would wait for a long run to end.
      if (known === undefined && places.long > 0 && places.free(false) < 2) return undefined;
      const isShort = known ?? false;
      const { memory, idle } = places.room();
      const free = places.free(isShort);
      // A start gets a slot in addition to runs that are still being stored, because none of these is calculating yet.
      // Otherwise rows of a For each step would force it through the queue. At most one run is beyond the slots.
      if (free > 0 || (isStart && places.free(true) === 0 && isShort && storing > 0)) {
        return idle || MemoryCost <= memory ? { leave: places.take(MemoryCost, isShort) } : undefined;
      }
      return isStart && MemoryCost === 0 && anteroom.free > 0 ? placeThatWaits(isShort) : undefined;
    },
    calculated: (milliseconds) => anteroom.calculated(milliseconds),
  };
}
