/** Summarizes the newest search results by outcome and duration. */
import type { Knex } from 'knex';
import { periodLength } from '#server/base/period-length.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import { SUMMARY_RUNS_MAX, type HistorySummary } from '#shared/contract/run-history.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

export interface SummaryQuery {
  db: Db;
  /** Builds a query of the runs, from ActivityRuns as R. It selects nothing yet. */
  found: () => Knex.QueryBuilder;
  deadline: Deadline;
  /** Maximum number of newest runs to summarize. */
  maxRuns?: number;
}

interface EndedRun {
  Id: number;
  Status: RunStatus;
  QueueTime: Date;
  /** In milliseconds; null if the run ended before it started. */
  Duration: number | null;
}

/**
 * Reads the runs in one statement and counts them here. A search with rare matches reads many runs; several statements
 * would each read them again.
 */
export async function readSummary({
  db,
  found,
  deadline,
  maxRuns = SUMMARY_RUNS_MAX,
}: SummaryQuery): Promise<HistorySummary> {
  const ended = found().whereNotNull('R.DurationMs').whereNot('R.Status', 'NotRunToday');
  const duration = db.raw('case when ?? is not null then ?? end as ??', ['R.StartTime', 'R.DurationMs', 'Duration']);
  const newest = whereNotBatchRun(db, ended, 'R.Id')
    .orderBy('R.Id', 'desc')
    .limit(maxRuns + 1)
    .select('R.Id', 'R.Status', 'R.QueueTime', duration);
  const rows = await rowsBy<EndedRun>(newest, deadline);
  const runs = rows.slice(0, maxRuns);
  const times = runs.map(({ QueueTime }) => QueueTime.getTime());
  const PeriodSeconds = runs.length === 0 ? 0 : periodLength((maxOf(times) - minOf(times)) / 1000);
  return {
    Runs: runs.length,
    IsPartial: rows.length > maxRuns,
    PeriodSeconds,
    ...percentiles(runs),
    Longest: longestOf(runs),
    Periods: periodsOf(runs, PeriodSeconds * 1000),
  };
}

const minOf = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const maxOf = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** Raises negative durations to zero, because the clocks of two servers may differ. */
const notNegative = (duration: number): number => Math.max(0, duration);

/** Returns the shortest durations that half, and 95 %, of the started runs did not exceed; null if none started. */
function percentiles(runs: readonly EndedRun[]): { P50: number | null; P95: number | null } {
  const durations = runs.flatMap(({ Duration }) => Duration ?? []).sort((a, b) => a - b);
  const at = (percent: number): number | null => {
    const duration = durations[Math.ceil((durations.length * percent) / 100) - 1];
    return duration === undefined ? null : notNegative(duration);
  };
  return { P50: at(50), P95: at(95) };
}

/** Of runs that took equally long, returns the newest; null if no run started. */
function longestOf(newestFirst: readonly EndedRun[]): HistorySummary['Longest'] {
  let longest: { Id: number; Duration: number } | null = null;
  for (const { Id, Duration } of newestFirst)
    if (Duration !== null && (!longest || Duration > longest.Duration)) longest = { Id, Duration };
  return longest && { ...longest, Duration: notNegative(longest.Duration) };
}

const COUNTED = {
  Succeeded: ['Succeeded'],
  Warned: ['SucceededWarn'],
  Failed: ['Failed', 'Abandoned', 'LogicError', 'InternalError', 'NotLicensed'],
  Cancelled: ['Cancelled'],
} satisfies Record<string, RunStatus[]>;

function periodsOf(runs: readonly EndedRun[], length: number): HistorySummary['Periods'] {
  const byPeriod = Map.groupBy(runs, ({ QueueTime }) => Math.floor(QueueTime.getTime() / length));
  return [...byPeriod]
    .sort(([a], [b]) => a - b)
    .map(([period, itsRuns]) => {
      const count = (statuses: readonly RunStatus[]): number =>
        itsRuns.filter(({ Status }) => statuses.includes(Status)).length;
      return {
        Time: new Date(period * length).toISOString(),
        Succeeded: count(COUNTED.Succeeded),
        Warned: count(COUNTED.Warned),
        Failed: count(COUNTED.Failed),
        Cancelled: count(COUNTED.Cancelled),
        ...percentiles(itsRuns),
      };
    });
}
