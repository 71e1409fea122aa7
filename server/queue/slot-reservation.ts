/**
 * A run that goes directly from its start to a worker of the same process: it is stored as picked up and skips the
 * queue.
 */
import type { PriorityBand } from './priority-bands.ts';
import type { ClaimedRun } from './claimed-run.ts';
import type { StoredInput } from '#server/queue/worker/run-inputs.ts';

/** A slot that a worker reserves while the run is inserted. Call exactly one of begin(), fail() or release(). */
export interface SlotReservation {
  readonly worker: string;
  readonly leaseSeconds: number;
  /** Call when the run is stored as the worker's. Its inputs are read from the database if they are not passed. */
  begin(run: ClaimedRun, inputs?: readonly StoredInput[]): void;
  /** Call if the run may or may not be stored because the response did not arrive. */
  fail(): void;
  /** Call if the run does not belong to the worker. */
  release(): void;
}

export interface SlotRequest extends Pick<PriorityBand, 'Pool' | 'RunsAtOnce'> {
  ActivityId: number;
  MemoryCost: number;
  /**
   * True for a run that is started directly, false for a step. A start may take one slot beyond the limit while other
   * runs with reserved slots are being stored. It may also wait in the local queue for a slot.
   */
  isStart?: boolean;
}

/** Returns undefined if there is no free slot, or if older runs may be waiting: a start must not jump the queue. */
export type ReserveSlot = (wanted: SlotRequest) => SlotReservation | undefined;

/** The fence of a run's first claim. */
export const FIRST_FENCE = 1;
