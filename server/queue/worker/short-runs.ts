/**
 * Which runs a worker knows to be short: it reserves one slot and one thread for them. An activity is short if none of
 * its last runs took longer than a short run, or is taking longer, and at least one succeeded.
 */
import { prepared } from '#server/db/prepared.ts';
import { hasSucceeded, type RunStatus } from '#shared/contract/run-status.ts';
import type { JobContext } from './end-run.ts';
import type { HeldRuns } from './held-runs.ts';
import type { LongRuns } from './worker-settings.ts';

type OfActivity = Readonly<{ ActivityId: number }>;

export interface ShortRuns {
  /** Undefined if the last runs of its activity have not been read recently. */
  isShort(run: OfActivity): boolean | undefined;
  /** Reads the last runs of those activities whose runs have not been read recently. */
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

/** Number of recent runs per activity that are considered. */
const LAST_RUNS = 10;
/** After this time the last runs are read again, because other servers run the activity too. */
const KNOWN_MS = 10_000;

interface LastRun {
  Status: RunStatus;
  /** Null while the run is executing. */
  DurationMs: number | null;
  SecondsSinceStart: number;
}

const tookMs = ({ DurationMs, SecondsSinceStart }: LastRun): number =>
  DurationMs === null ? SecondsSinceStart * 1000 : DurationMs;

export function createShortRuns({ database, queue }: JobContext, held: HeldRuns, longRuns?: LongRuns): ShortRuns {
  if (!longRuns) return ALL_SHORT;
  const { shortMs } = longRuns;
  const known = new Map<number, { isShort: boolean; until: number }>();
  const recall = (ActivityId: number): boolean | undefined => {
    const last = known.get(ActivityId);
    return last && last.until > performance.now() ? last.isShort : undefined;
  };
  const learn = (ActivityId: number, isShort: boolean): void =>
    void known.set(ActivityId, { isShort, until: performance.now() + KNOWN_MS });
  // A run that takes too long marks its activity as long even before it ends.
  const isShort = ({ ActivityId }: OfActivity): boolean | undefined =>
    held.isLong(ActivityId, shortMs) ? false : recall(ActivityId);
  const read = async (runs: readonly OfActivity[]): Promise<void> => {
    for (const ActivityId of new Set(runs.map((run) => run.ActivityId))) {
      if (recall(ActivityId) !== undefined) continue;
      const last = await readLastRuns(database, ActivityId);
      learn(ActivityId, last.every((run) => tookMs(run) <= shortMs) && last.some(({ Status }) => hasSucceeded(Status)));
    }
  };
  return {
    isShort,
    read,
    queuedActivities: async () => {
      const queued = (await queue.queuedActivities()).map((ActivityId) => ({ ActivityId }));
      await read(queued);
      return queued.filter((run) => isShort(run) === true).map(({ ActivityId }) => ActivityId);
    },
    ran: ({ ActivityId }, milliseconds) => {
      if (milliseconds > shortMs) learn(ActivityId, false);
    },
  };
}

const readLastRuns = async ({ knex, dialect }: JobContext['database'], ActivityId: number): Promise<LastRun[]> =>
  prepared(
    knex('ActivityRuns')
      .where('ActivityId', ActivityId)
      .whereNotNull('StartTime')
      .orderBy('Id', 'desc')
      .limit(LAST_RUNS)
      .select({ SecondsSinceStart: dialect.secondsSince(knex, 'StartTime') })
      .select<LastRun[]>('Status', 'DurationMs'),
  );
