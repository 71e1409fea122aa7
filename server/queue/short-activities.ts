/**
 * Determines which activities are short: none of their last runs took longer than a short run, or is taking longer, and
 * at least one succeeded. A worker reserves one slot and one thread for their runs.
 */
import { SHORT_RUN_MS } from '#server/executors/executor.ts';
import type { Database } from '#server/db/database.ts';
import { prepared } from '#server/db/prepared.ts';
import { hasSucceeded, type RunStatus } from '#shared/contract/run-status.ts';

export interface ShortActivities {
  /** Undefined if the activity's runs have not been read recently. */
  isShort(activityId: number): boolean | undefined;
  /** Reads the last runs of those activities whose runs have not been read recently. */
  read(activityIds: readonly number[]): Promise<void>;
  /** Records that a run of this process took this many milliseconds. */
  ran(activityId: number, milliseconds: number): void;
}

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

/** @param shortMs maximum duration of a short run in milliseconds */
export function createShortActivities(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  shortMs = SHORT_RUN_MS,
): ShortActivities {
  const known = new Map<number, { isShort: boolean; until: number }>();
  const isKnown = (activityId: number): boolean => (known.get(activityId)?.until ?? 0) > performance.now();
  const learn = (activityId: number, isShort: boolean): void =>
    void known.set(activityId, { isShort, until: performance.now() + KNOWN_MS });

  const lastRuns = async (activityId: number): Promise<LastRun[]> =>
    prepared(
      knex('ActivityRuns')
        .where('ActivityId', activityId)
        .whereNotNull('StartTime')
        .orderBy('Id', 'desc')
        .limit(LAST_RUNS)
        .select({ SecondsSinceStart: dialect.secondsSince(knex, 'StartTime') })
        .select<LastRun[]>('Status', 'DurationMs'),
    );

  return {
    isShort: (activityId) => (isKnown(activityId) ? known.get(activityId)!.isShort : undefined),
    read: async (activityIds) => {
      for (const activityId of new Set(activityIds)) {
        if (isKnown(activityId)) continue;
        const runs = await lastRuns(activityId);
        const isShort = runs.every((run) => tookMs(run) <= shortMs) && runs.some(({ Status }) => hasSucceeded(Status));
        learn(activityId, isShort);
      }
    },
    ran: (activityId, milliseconds) => {
      if (milliseconds > shortMs) learn(activityId, false);
    },
  };
}
