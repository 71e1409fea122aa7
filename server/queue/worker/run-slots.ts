/** The capacity of a worker: its slots and its memory budget, and the runs that occupy them. */
import type { ClaimCapacity } from '#server/queue/run-queue.ts';

export interface RunSlots {
  /**
   * Takes a slot, and memory of the given MemoryCost, for a run. Returns a function that releases both, or with 'slot'
   * only the slot: the run then keeps its memory.
   * @param isShort true if the run is known to be short
   */
  take(memoryCost: number, isShort: boolean): (what?: 'slot') => void;
  freeCapacity(): ClaimCapacity;
  /** Returns the number of free slots for runs known to be short, or for others. */
  free(isShort: boolean): number;
  /** Number of runs with slots that may be long. */
  readonly long: number;
}

export interface WorkerSlots {
  /** Number of slots for all runs. */
  all: number;
  /** Number of slots for runs that are not known to be short, or that take longer than a short run. */
  long: number;
  /** Maximum duration of a short run in milliseconds. */
  shortMs: number;
}

/** @param onSlot called when a slot was released */
export function createRunSlots(slots: WorkerSlots, memoryBudget: number, onSlot: () => void = () => {}): RunSlots {
  /** The runs that have slots. */
  const taken = new Set<{ isShort: boolean; since: number }>();
  let used = 0;
  /** Number of runs that use memory, with or without a slot. */
  let holders = 0;
  const countLong = (): number => {
    const now = performance.now();
    return [...taken].filter(({ isShort, since }) => !isShort || now - since > slots.shortMs).length;
  };
  return {
    take: (memoryCost, isShort) => {
      // A run larger than the whole budget takes exactly the whole budget.
      const cost = Math.min(memoryCost, memoryBudget);
      const run = { isShort, since: performance.now() };
      taken.add(run);
      let hasMemory = memoryCost > 0;
      if (hasMemory) holders += 1;
      used += cost;
      const leaveMemory = (): void => {
        hasMemory = false;
        holders -= 1;
        // Adding and subtracting fractions leaves a rounding error.
        used = holders === 0 ? 0 : used - cost;
      };
      return (what) => {
        const hadSlot = taken.delete(run);
        if (what !== 'slot' && hasMemory) leaveMemory();
        if (hadSlot) onSlot();
      };
    },
    freeCapacity: () => ({
      slots: slots.all - taken.size,
      memory: memoryBudget - used,
      idle: taken.size === 0 && holders === 0,
    }),
    free: (isShort) => {
      const free = slots.all - taken.size;
      return isShort ? free : Math.min(free, slots.long - countLong());
    },
    get long() {
      return countLong();
    },
  };
}
