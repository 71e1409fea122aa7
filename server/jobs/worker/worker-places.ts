/** What a worker has room for: its slots and its memory budget, and what takes them. */
import type { ClaimRoom } from '#server/jobs/queue/run-queue.ts';

export interface WorkerPlaces {
  /** Takes a place for a run of that MemoryCost; answers how to give it back, or first its slot alone: it keeps its memory. */
  take(memoryCost: number): (what?: 'slot') => void;
  room(): ClaimRoom;
  readonly free: number;
}

/** @param onSlot called when a slot was given back */
export function createWorkerPlaces(slots: number, memoryBudget: number, onSlot: () => void = () => {}): WorkerPlaces {
  let taken = 0;
  let used = 0;
  let holders = 0;
  return {
    take: (memoryCost) => {
      // A run larger than the whole budget takes all of it, and no more.
      const cost = Math.min(memoryCost, memoryBudget);
      taken += 1;
      holders += 1;
      used += cost;
      let hasSlot = true;
      let hasMemory = true;
      const leaveMemory = (): void => {
        hasMemory = false;
        holders -= 1;
        // Sums of fractions leave a rest.
        used = holders === 0 ? 0 : used - cost;
      };
      return (what) => {
        const hadSlot = hasSlot;
        if (hadSlot) taken -= 1;
        hasSlot = false;
        if (what !== 'slot' && hasMemory) leaveMemory();
        if (hadSlot) onSlot();
      };
    },
    room: () => ({ slots: slots - taken, memory: memoryBudget - used, idle: taken === 0 }),
    get free() {
      return slots - taken;
    },
  };
}
