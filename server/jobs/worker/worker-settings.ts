/** How much a worker takes at once, and how it waits. */
import type { MayBe } from '#server/db/lookout.ts';

export interface LongRuns {
  /** How many there may be at once. */
  concurrency: number;
  /** Milliseconds after which a run is no longer short. */
  shortMs: number;
}

export interface WorkerSettings {
  /** Runs carried out at once; one more for a moment where starts come while others are stored. */
  concurrency: number;
  /** Of these, runs that are not known to be short. Absent: no slot is kept for short runs. */
  longRuns?: LongRuns;
  /** What the MemoryCost of the runs carried out at once may come to. */
  memoryBudget: number;
  /** Milliseconds between two looks at the queue when nothing tells of new runs. */
  pollInterval: number;
  /** Milliseconds that a stop leaves to runs that have Started. */
  stopGrace: number;
  /** Asked before a look that nothing gave reason for. */
  mayPend?: MayBe;
}
