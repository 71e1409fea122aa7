/** Slots that a worker reserves while the rows of their runs are inserted. */
import type { SlotReservation } from '#server/queue/slot-reservation.ts';

export interface ReservedSlot {
  worker: string;
  leaseSeconds: number;
  /** Called when the run is stored as the worker's. @param reservedAt on the clock of performance.now() */
  begin(reservedAt: number, ...run: Parameters<SlotReservation['begin']>): void;
  /** Called if the slot is not used. @param isUncertain true if the run may nevertheless be stored as the worker's */
  release(isUncertain: boolean): void;
}

export interface Reservations {
  /** Number of current reservations. */
  readonly size: number;
  add(slot: ReservedSlot): SlotReservation;
  /** Resolves when all current reservations have ended. */
  settled(): Promise<void>;
}

export function createReservations(): Reservations {
  const reserved = new Set<Promise<void>>();
  return {
    get size() {
      return reserved.size;
    },
    settled: async () => void (await Promise.all(reserved)),
    add: (slot) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const reservedAt = performance.now();
      reserved.add(promise);
      const settle = (): void => {
        reserved.delete(promise);
        resolve();
      };
      const { worker, leaseSeconds } = slot;
      const end = (isUncertain: boolean): void => {
        settle();
        slot.release(isUncertain);
      };
      const fail = (): void => end(true);
      return {
        worker,
        leaseSeconds,
        begin: (run, inputs) => {
          // If half of its lease has passed, return the run to the queue.
          if (performance.now() - reservedAt > leaseSeconds * 500) return fail();
          slot.begin(reservedAt, run, inputs);
          settle();
        },
        release: () => end(false),
        fail,
      };
    },
  };
}
