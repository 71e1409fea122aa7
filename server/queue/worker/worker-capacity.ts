/** The runs of a worker: in slots, where they execute, or in the local queue until a slot is free. */
import type { ClaimCapacity } from '#server/queue/run-queue.ts';
import type { SlotRequest } from '#server/queue/slot-reservation.ts';
import { createLocalQueue } from './local-queue.ts';
import { createRunSlots, type RunSlots } from './run-slots.ts';
import type { WorkerSettings } from './worker-settings.ts';

export interface RunSlot {
  /** Releases all that the run has, or only its slot. */
  leave: ReturnType<RunSlots['take']>;
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

export interface WorkerCapacity {
  /**
   * True if a claim is worthwhile: a slot is free, or the local queue has room for several runs. One statement then
   * claims several, before the local queue is empty.
   */
  readonly mayClaim: boolean;
  /** @property onlyShort true if only a run that is known to be short can have the slot */
  toClaim(): ClaimCapacity & { onlyShort: boolean };
  forClaimed(run: { MemoryCost: number }, isShort: boolean): RunSlot;
  /**
   * Reserves a slot for a run that comes directly from its start or from the step before it.
   * @param isShort undefined if the last runs of its activity are not known
   * @param storing number of other runs that have a slot and are still being stored
   */
  forStored(wanted: SlotRequest, isShort: boolean | undefined, storing: number): RunSlot | undefined;
  /** Records how many milliseconds a calculation took. */
  calculated(milliseconds: number): void;
}

/** Minimum room in the local queue for claiming runs into it. */
const CLAIMED_AHEAD = 4;

export function createWorkerCapacity({
  concurrency,
  longRuns = { concurrency, shortMs: Infinity },
  memoryBudget,
}: Pick<WorkerSettings, 'concurrency' | 'longRuns' | 'memoryBudget'>): WorkerCapacity {
  const localQueue = createLocalQueue();
  const slots = createRunSlots(
    { all: concurrency, long: longRuns.concurrency, shortMs: longRuns.shortMs },
    memoryBudget,
    admit,
  );

  function admit(): void {
    while (localQueue.admitFirst((isShort) => (slots.free(isShort) > 0 ? slots.take(0, isShort) : undefined)));
  }

  function enterLocalQueue(isShort: boolean): RunSlot {
    const entry = localQueue.enter(isShort);
    const begin = (onTooLong: () => void): void => {
      entry.wait(onTooLong);
      admit();
    };
    return { leave: entry.leave, waiting: { admitted: entry.admitted, begin } };
  }

  return {
    get mayClaim() {
      return slots.free(true) > 0 || localQueue.free >= CLAIMED_AHEAD;
    },
    toClaim: () => {
      const capacity = slots.freeCapacity();
      const forLong = slots.free(false);
      if (forLong < 1 && capacity.slots > 0) return { ...capacity, onlyShort: true };
      return { ...capacity, slots: Math.max(forLong, 0) + localQueue.free, onlyFree: forLong < 1, onlyShort: false };
    },
    forClaimed: ({ MemoryCost }, isShort) =>
      MemoryCost === 0 && slots.free(isShort) < 1
        ? enterLocalQueue(isShort)
        : { leave: slots.take(MemoryCost, isShort) },
    forStored: ({ MemoryCost, isStart = false }, known, storing) => {
      // Send it through the queue, where the last runs of its activity are read. It may be short, and in the last slot
      // for long runs it would wait for a long run to end.
      if (known === undefined && slots.long > 0 && slots.free(false) < 2) return undefined;
      const isShort = known ?? false;
      const { memory, idle } = slots.freeCapacity();
      const free = slots.free(isShort);
      // A start gets a slot in addition to runs that are still being stored, because none of these is calculating yet.
      // Otherwise rows of a For each step would force it through the queue. At most one run is beyond the slots.
      if (free > 0 || (isStart && slots.free(true) === 0 && isShort && storing > 0)) {
        return idle || MemoryCost <= memory ? { leave: slots.take(MemoryCost, isShort) } : undefined;
      }
      return isStart && MemoryCost === 0 && localQueue.free > 0 ? enterLocalQueue(isShort) : undefined;
    },
    calculated: (milliseconds) => localQueue.calculated(milliseconds),
  };
}
