/** What a worker has room for: its slots and its memory budget, and what takes them. */
import type { ClaimRoom } from './run-queue.ts';

export interface WorkerPlaces {
  /** Takes a place for a run of that MemoryCost; answers how to give it back. */
  take(memoryCost: number): () => void;
  room(): ClaimRoom;
  readonly free: number;
}

export function createWorkerPlaces(slots: number, memoryBudget: number): WorkerPlaces {
  let taken = 0;
  let used = 0;
  return {
    take: (memoryCost) => {
      // A run larger than the whole budget takes all of it, and no more.
      const cost = Math.min(memoryCost, memoryBudget);
      taken += 1;
      used += cost;
      let given = false;
      return () => {
        if (given) return;
        given = true;
        taken -= 1;
        // Sums of fractions leave a rest.
        used = taken === 0 ? 0 : used - cost;
      };
    },
    room: () => ({ slots: slots - taken, memory: memoryBudget - used, idle: taken === 0 }),
    get free() {
      return slots - taken;
    },
  };
}
