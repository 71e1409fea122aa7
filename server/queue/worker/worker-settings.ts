/** The capacity of a worker and its timing. */
import type { WorkProbe } from '#server/db/work-probes.ts';

export interface LongRuns {
  /** Maximum number of long runs at once. */
  concurrency: number;
  /** Milliseconds after which a run is no longer short. */
  shortMs: number;
}

export interface WorkerSettings {
  /** Number of runs executed at once; briefly one more if a start arrives while others are being stored. */
  concurrency: number;
  /** Limit for runs that are not known to be short. If absent, no slot is reserved for short runs. */
  longRuns?: LongRuns;
  /** Maximum total MemoryCost of the runs executed at once. */
  memoryBudget: number;
  /** Milliseconds between two polls of the queue if no notification of new runs arrives. */
  pollInterval: number;
  /** How long a stop waits for runs that have Started, in milliseconds. */
  stopGrace: number;
  /** Work probe called before a poll that no event has caused. */
  hasPendingWork?: WorkProbe;
}
