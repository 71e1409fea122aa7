/** A run that goes from its start straight to a worker of the same process: stored as picked up already, without a way through the queue. */
import type { Lane } from './lanes.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { StoredInput } from '#server/jobs/worker/run-inputs.ts';

/** A place that a worker keeps free for a run that is being stored. One of begin, fail and release ends it. */
export interface Pickup {
  readonly worker: string;
  readonly leaseSeconds: number;
  /** The run is stored, and the worker's. Its inputs are read where they are not given. */
  begin(run: ClaimedRun, inputs?: readonly StoredInput[]): void;
  /** The run may be stored, or not: the answer did not arrive. */
  fail(): void;
  /** The run is not the worker's. */
  release(): void;
}

export interface WantedPlace extends Pick<Lane, 'Pool' | 'RunsAtOnce'> {
  ActivityId: number;
  MemoryCost: number;
  /** Whether it is a start by itself: one may be beyond the slots while others that keep a place are still being stored, and some may wait for a slot. */
  isStart?: boolean;
}

/** Undefined where nothing is free, or where older runs may be waiting: a start must not jump the queue. */
export type PickupDesk = (wanted: WantedPlace) => Pickup | undefined;

/** The fence of a run's first claim. */
export const FIRST_FENCE = 1;
