/** Which runs a worker knows to be short: one of its slots is reserved for them. */
import { createShortActivities } from '#server/queue/short-activities.ts';
import type { JobContext } from './end-run.ts';
import type { HeldRuns } from './held-runs.ts';
import type { LongRuns } from './worker-settings.ts';

type OfActivity = Readonly<{ ActivityId: number }>;

export interface ShortRuns {
  /** Undefined if the last runs of its activity have not been read recently. */
  isShort(run: OfActivity): boolean | undefined;
  /** Reads the last runs of the activities for `isShort`. */
  read(runs: readonly OfActivity[]): Promise<void>;
  /** Returns the short activities that have runs at the head of the queue. */
  queuedActivities(): Promise<number[]>;
  /** Records how many milliseconds a run took. */
  ran(run: OfActivity, milliseconds: number): void;
}

/** If no slot is reserved for short runs, every run counts as short. */
const ALL_SHORT: ShortRuns = {
  isShort: () => true,
  read: async () => {},
  queuedActivities: async () => [],
  ran: () => {},
};

export function createShortRuns({ database, queue }: JobContext, held: HeldRuns, longRuns?: LongRuns): ShortRuns {
  if (!longRuns) return ALL_SHORT;
  const { shortMs } = longRuns;
  const activities = createShortActivities(database, shortMs);
  // A run that takes too long marks its activity as long even before it ends.
  const isShort = ({ ActivityId }: OfActivity): boolean | undefined =>
    held.isLong(ActivityId, shortMs) ? false : activities.isShort(ActivityId);
  return {
    isShort,
    read: (runs) => activities.read(runs.map(({ ActivityId }) => ActivityId)),
    queuedActivities: async () => {
      const queued = await queue.queuedActivities();
      await activities.read(queued);
      return queued.filter((ActivityId) => isShort({ ActivityId }) === true);
    },
    ran: ({ ActivityId }, milliseconds) => activities.ran(ActivityId, milliseconds),
  };
}
