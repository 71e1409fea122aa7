/** What a worker has room for: its slots and its memory budget, and what takes them. */
import type { ClaimRoom } from '#server/jobs/queue/run-queue.ts';

export interface WorkerPlaces {
  /**
   * Takes a slot, and memory of that MemoryCost, for a run; answers how to give both back, or first its slot alone: it keeps its memory.
   * @param isShort whether the run is known to be short
   */
  take(memoryCost: number, isShort: boolean): (what?: 'slot') => void;
  room(): ClaimRoom;
  /** Slots for further runs: for those known to be short, or for others. */
  free(isShort: boolean): number;
  /** How many of the runs with slots may be long. */
  readonly long: number;
}

export interface WorkerSlots {
  /** Of all runs. */
  all: number;
  /** Of runs that are not known to be short, or that take longer than a short run does. */
  long: number;
  /** Milliseconds that a short run takes at most. */
  shortMs: number;
}

/** @param onSlot called when a slot was given back */
export function createWorkerPlaces(
  slots: WorkerSlots,
  memoryBudget: number,
  onSlot: () => void = () => {},
): WorkerPlaces {
  /** Runs that have slots. */
  const taken = new Set<{ isShort: boolean; since: number }>();
  let used = 0;
  let holders = 0;
  const countLong = (): number => {
    const now = performance.now();
    return [...taken].filter(({ isShort, since }) => !isShort || now - since > slots.shortMs).length;
  };
  return {
    take: (memoryCost, isShort) => {
      // A run larger than the whole budget takes all of it, and no more.
      const cost = Math.min(memoryCost, memoryBudget);
      const run = { isShort, since: performance.now() };
      taken.add(run);
      holders += 1;
      used += cost;
      let hasMemory = true;
      const leaveMemory = (): void => {
        hasMemory = false;
        holders -= 1;
        // Sums of fractions leave a rest.
        used = holders === 0 ? 0 : used - cost;
      };
      return (what) => {
        const hadSlot = taken.delete(run);
        if (what !== 'slot' && hasMemory) leaveMemory();
        if (hadSlot) onSlot();
      };
    },
    room: () => ({ slots: slots.all - taken.size, memory: memoryBudget - used, idle: taken.size === 0 }),
    free: (isShort) => {
      const free = slots.all - taken.size;
      return isShort ? free : Math.min(free, slots.long - countLong());
    },
    get long() {
      return countLong();
    },
  };
}
