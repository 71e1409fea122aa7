/**
 * Where runs of a worker wait in memory until a slot is free, as long as those before them are calculated within milliseconds: a way through
 * the queue would cost each a claim and two looks, which take longer than that.
 */
import type { WorkerPlaces } from './worker-places.ts';

type Leave = ReturnType<WorkerPlaces['take']>;

export interface AnteroomPlace {
  /** The run is stored, and waits for its turn from now on. @param onTooLong it is not to wait here any longer */
  wait(onTooLong: () => void): void;
  /** Resolves when it has a slot. */
  readonly admitted: Promise<void>;
  /** Gives back what it has: its place here, or the slot. */
  readonly leave: Leave;
}

export interface Anteroom {
  /** How many more may come in; 0 while calculations are not short. */
  readonly free: number;
  /** @param isShort whether the run is known to be short */
  enter(isShort: boolean): AnteroomPlace;
  /** Gives a slot to the run that has waited longest of those for which there is one. @returns false where none was given one */
  admitFirst(takeSlot: (isShort: boolean) => Leave | undefined): boolean;
  /** A calculation has taken so many milliseconds. */
  calculated(milliseconds: number): void;
}

const MOST = 8;
/** Mean of the last calculations, in milliseconds. */
const SHORT = 20;
/** One that is longer counts as that. */
const LONGEST_COUNTED = 1000;
/** Of what came last. */
const WEIGHT = 0.25;
/** Whoever waits longer would be begun sooner elsewhere. Milliseconds. */
const LONGEST_WAIT = 200;

interface Waiting {
  admit(takeSlot: (isShort: boolean) => Leave | undefined): boolean;
}

export function createAnteroom(): Anteroom {
  const waiting = new Set<Waiting>();
  let taken = 0;
  let mean = LONGEST_WAIT;

  function enter(isShort: boolean): AnteroomPlace {
    const { promise: admitted, resolve } = Promise.withResolvers<void>();
    let patience: NodeJS.Timeout | undefined;
    let slot: Leave | undefined;
    let isInside = true;
    taken += 1;
    const goOut = (): void => {
      if (isInside) taken -= 1;
      isInside = false;
      waiting.delete(own);
      clearTimeout(patience);
    };
    const own: Waiting = {
      admit: (takeSlot) => {
        const given = takeSlot(isShort);
        if (!given) return false;
        goOut();
        slot = given;
        resolve();
        return true;
      },
    };
    return {
      admitted,
      wait: (onTooLong) => {
        waiting.add(own);
        patience = setTimeout(() => {
          mean = Math.max(mean, LONGEST_WAIT);
          onTooLong();
        }, LONGEST_WAIT);
      },
      leave: (what) => (slot ? slot(what) : goOut()),
    };
  }

  return {
    get free() {
      return mean <= SHORT ? MOST - taken : 0;
    },
    enter,
    admitFirst: (takeSlot) => [...waiting].some((run) => run.admit(takeSlot)),
    calculated: (milliseconds) => {
      mean += (Math.min(milliseconds, LONGEST_COUNTED) - mean) * WEIGHT;
    },
  };
}
