/** Where a worker has its runs: in slots, where they are calculated, or in the anteroom, until a slot is free. */
import type { ClaimRoom } from '#server/jobs/queue/run-queue.ts';
import type { WantedPlace } from '#server/jobs/queue/pickup.ts';
import { createAnteroom } from './anteroom.ts';
import { createWorkerPlaces, type WorkerPlaces } from './worker-places.ts';

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
  toClaim(): ClaimRoom;
  forClaimed(run: { MemoryCost: number }): Place;
  /** For one that comes straight from its start, or from the step before it. @param storing how many others have a place and are still being stored */
  forStored(wanted: WantedPlace, storing: number): Place | undefined;
  /** A calculation has taken so many milliseconds. */
  calculated(milliseconds: number): void;
}

/** Runs at least that are claimed to wait. */
const CLAIMED_AHEAD = 4;

export function createWorkerRoom(slots: number, memoryBudget: number): WorkerRoom {
  const anteroom = createAnteroom();
  const places = createWorkerPlaces(slots, memoryBudget, admit);

  function admit(): void {
    while (places.free > 0 && anteroom.admitFirst(() => places.take(0)));
  }

  function placeThatWaits(): Place {
    const place = anteroom.enter();
    const begin = (onTooLong: () => void): void => {
      place.wait(onTooLong);
      admit();
    };
    return { leave: place.leave, waiting: { admitted: place.admitted, begin } };
  }

  return {
    get mayClaim() {
      return places.free > 0 || anteroom.free >= CLAIMED_AHEAD;
    },
    toClaim: () => {
      const room = places.room();
      return { ...room, slots: Math.max(room.slots, 0) + anteroom.free, onlyFree: room.slots < 1 };
    },
    forClaimed: ({ MemoryCost }) =>
      MemoryCost === 0 && places.free < 1 ? placeThatWaits() : { leave: places.take(MemoryCost) },
    forStored: ({ MemoryCost, isStart = false }, storing) => {
      const { memory, idle } = places.room();
      // A start has a slot beside runs that keep theirs while they are stored, as none of these is calculated yet: rows of a For each would else
      // send it through the queue. One run at most is beyond the slots.
      if (places.free > 0 || (isStart && places.free === 0 && storing > 0)) {
        return idle || MemoryCost <= memory ? { leave: places.take(MemoryCost) } : undefined;
      }
      return isStart && MemoryCost === 0 && anteroom.free > 0 ? placeThatWaits() : undefined;
    },
    calculated: (milliseconds) => anteroom.calculated(milliseconds),
  };
}
