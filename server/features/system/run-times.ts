/** Statistics of the newest runs: how long activities take, and how often they fail. */
import { periodLength } from '#server/base/period-length.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import { FAILED_STATUSES, isFailed } from '#shared/contract/run-status.ts';
import type { ActivityTimes, ActivityTrend, FailureCount } from '#shared/contract/system.ts';

/** Small enough to be read quickly by primary key, large enough for a 99th percentile. */
const MAX_SAMPLED_RUNS = 20_000;
const SHOWN = 20;
/** Minimum number of runs in each half for comparing the newer half with the older one. */
const MIN_RUNS_PER_HALF = 20;

type RunRow = Pick<ActivityRunsRow, 'ActivityId' | 'Status' | 'QueueTime' | 'PickupTime' | 'StartTime' | 'EndTime'>;

export interface RunTimes {
  sample: { Runs: number; Since: string | null };
  activities: ActivityTimes[];
  failures: FailureCount[];
}

export async function readRunTimes({ knex }: Pick<Database, 'knex'>): Promise<RunTimes> {
  const rows = await knex('ActivityRuns')
    .orderBy('Id', 'desc')
    .limit(MAX_SAMPLED_RUNS)
    .select('ActivityId', 'Status', 'QueueTime', 'PickupTime', 'StartTime', 'EndTime');
  const byActivity = Map.groupBy(
    rows.filter(({ EndTime }) => EndTime !== null),
    ({ ActivityId }) => ActivityId,
  );
  const times = [...byActivity].map(([ActivityId, runs]) => timesOf(ActivityId, runs));
  const failures = [...byActivity].flatMap(([ActivityId, runs]) => failuresOf(ActivityId, runs));
  const slowest = times.toSorted((a, b) => (b.P95 ?? -1) - (a.P95 ?? -1)).slice(0, SHOWN);
  const frequent = failures.toSorted((a, b) => b.Runs - a.Runs).slice(0, SHOWN);
  const names = await namesOf(
    { knex },
    [...slowest, ...frequent].map(({ ActivityId }) => ActivityId),
  );
  const named = <T extends { ActivityId: number }>(one: T): T & { Name: string } => ({
    ...one,
    Name: names.get(one.ActivityId) ?? '',
  });
  return {
    sample: { Runs: rows.length, Since: rows.at(-1)?.QueueTime.toISOString() ?? null },
    activities: slowest.map(named),
    failures: frequent.map(named),
  };
}

/** Returns how long the newest runs of an activity took, in periods of equal length. */
export async function readTrend({ knex }: Pick<Database, 'knex'>, ActivityId: number): Promise<ActivityTrend> {
  const rows = await knex('ActivityRuns')
    .where({ ActivityId })
    .orderBy('Id', 'desc')
    .limit(MAX_SAMPLED_RUNS)
    .select('QueueTime', 'StartTime', 'EndTime');
  const ended = rows.filter(({ StartTime, EndTime }) => StartTime !== null && EndTime !== null);
  const times = ended.map(({ QueueTime }) => QueueTime.getTime() / 1000);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const PeriodSeconds = ended.length === 0 ? 0 : periodLength(last - first);
  const periods = Map.groupBy(ended, ({ QueueTime }) => Math.floor(QueueTime.getTime() / 1000 / PeriodSeconds));
  const Periods = [...periods]
    .toSorted(([a], [b]) => a - b)
    .map(([period, runs]) => {
      const own = ownTimes(runs);
      const of = (share: number): number => percentile(own, share) ?? 0;
      const Time = new Date(period * PeriodSeconds * 1000).toISOString();
      return { Time, Runs: runs.length, P50: of(0.5), P95: of(0.95), P99: of(0.99) };
    });
  return { Runs: ended.length, HasOlder: rows.length === MAX_SAMPLED_RUNS, PeriodSeconds, Periods };
}

export async function namesOf({ knex }: Pick<Database, 'knex'>, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await knex('Activities')
    .whereIn('Id', [...new Set(ids)])
    .select('Id', 'Name');
  return new Map(rows.map(({ Id, Name }) => [Id, Name]));
}

const secondsBetween = (from: Date | null, to: Date | null): number[] =>
  from && to ? [Math.max(0, to.getTime() - from.getTime()) / 1000] : [];

function timesOf(ActivityId: number, runs: readonly RunRow[]): Omit<ActivityTimes, 'Name'> {
  const own = ownTimes(runs);
  const p95 = (of: readonly RunRow[]): number | null => percentile(ownTimes(of), 0.95);
  // The runs are ordered newest first.
  const half = runs.length >= 2 * MIN_RUNS_PER_HALF ? Math.floor(runs.length / 2) : 0;
  const waited = runs.flatMap(({ QueueTime, PickupTime }) => secondsBetween(QueueTime, PickupTime));
  return {
    ActivityId,
    Runs: runs.length,
    Failed: runs.filter(({ Status }) => isFailed(Status)).length,
    P50: percentile(own, 0.5),
    P95: percentile(own, 0.95),
    P99: percentile(own, 0.99),
    WaitingP95: percentile(
      waited.toSorted((a, b) => a - b),
      0.95,
    ),
    OlderP95: half === 0 ? null : p95(runs.slice(-half)),
    NewerP95: half === 0 ? null : p95(runs.slice(0, half)),
  };
}

/** Returns the durations in ascending order. */
const ownTimes = (runs: readonly Pick<RunRow, 'StartTime' | 'EndTime'>[]): number[] =>
  runs.flatMap(({ StartTime, EndTime }) => secondsBetween(StartTime, EndTime)).toSorted((a, b) => a - b);

function failuresOf(ActivityId: number, runs: readonly RunRow[]): Omit<FailureCount, 'Name'>[] {
  const counts = FAILED_STATUSES.map((Status) => {
    const Runs = runs.filter((run) => run.Status === Status).length;
    return { Status, ActivityId, Runs };
  });
  return counts.filter(({ Runs }) => Runs > 0);
}

/** Returns the smallest value that at least this share of the values does not exceed (nearest rank). */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
