/**
 * The local queue of a worker: runs wait in memory for a slot while the runs before them take milliseconds. Through the
 * database queue, each would cost a claim and two polls, which take longer than that.
 */
import type { RunSlots } from './run-slots.ts';

type Leave = ReturnType<RunSlots['take']>;

export interface LocalQueueEntry {
  /**
   * Call when the run is stored: it waits from now on.
   * @param onTooLong called when it must not wait here any longer
   */
  wait(onTooLong: () => void): void;
  /** Resolves when the run has a slot. */
  readonly admitted: Promise<void>;
  /** Releases what the run has: its place in the local queue, or its slot. */
  readonly leave: Leave;
}

export interface LocalQueue {
  /** How many more runs can enter the local queue; 0 while calculations are not short. */
  readonly free: number;
  /** @param isShort true if the run is known to be short */
  enter(isShort: boolean): LocalQueueEntry;
  /** Gives a slot to the longest-waiting run for which one is free. @returns false if no run got a slot */
  admitFirst(takeSlot: (isShort: boolean) => Leave | undefined): boolean;
  /** Records how many milliseconds a calculation took. */
  calculated(milliseconds: number): void;
}

const MAX_WAITING_RUNS = 8;
/** Maximum mean duration of the last calculations in milliseconds for the local queue to accept runs. */
const SHORT = 20;
/** Longer calculations count as this many milliseconds. */
const MAX_COUNTED_MS = 1000;
/** Weight of the latest calculation in the mean. */
const WEIGHT = 0.25;
/** After waiting this many milliseconds, a run would probably begin sooner elsewhere. */
const MAX_WAIT_MS = 200;

interface Waiting {
  admit(takeSlot: (isShort: boolean) => Leave | undefined): boolean;
}

export function createLocalQueue(): LocalQueue {
  const waiting = new Set<Waiting>();
  let taken = 0;
  let mean = MAX_WAIT_MS;

  function enter(isShort: boolean): LocalQueueEntry {
    const { promise: admitted, resolve } = Promise.withResolvers<void>();
    let waitTimer: NodeJS.Timeout | undefined;
    let slot: Leave | undefined;
    let isInside = true;
    taken += 1;
    const goOut = (): void => {
      if (isInside) taken -= 1;
      isInside = false;
      waiting.delete(own);
      clearTimeout(waitTimer);
    };
    const own: Waiting = {
      admit: (takeSlot) => {
        const granted = takeSlot(isShort);
        if (!granted) return false;
        goOut();
        slot = granted;
        resolve();
        return true;
      },
    };
    return {
      admitted,
      wait: (onTooLong) => {
        waiting.add(own);
        waitTimer = setTimeout(() => {
          mean = Math.max(mean, MAX_WAIT_MS);
          onTooLong();
        }, MAX_WAIT_MS);
      },
      leave: (what) => (slot ? slot(what) : goOut()),
    };
  }

  return {
    get free() {
      return mean <= SHORT ? MAX_WAITING_RUNS - taken : 0;
    },
    enter,
    admitFirst: (takeSlot) => [...waiting].some((run) => run.admit(takeSlot)),
    calculated: (milliseconds) => {
      mean += (Math.min(milliseconds, MAX_COUNTED_MS) - mean) * WEIGHT;
    },
  };
}
