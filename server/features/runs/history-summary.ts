/** Summarizes the newest search results by outcome and duration. */
import type { Knex } from 'knex';
import { periodLength } from '#server/base/period-length.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import { whereIds } from '#server/db/where-ids.ts';
import { SUMMARY_LACKING_RUNS_MIN, SUMMARY_RUNS_MAX, type HistorySummary } from '#shared/contract/run-history.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { findNearEdge, listFarLacking, type LackingSearch } from './history-lacking.ts';

export interface SummaryQuery {
  db: Db;
  /** Builds a query of the runs, from ActivityRuns as R. It selects nothing yet. */
  found: () => Knex.QueryBuilder;
  deadline: Deadline;
  /** Maximum number of newest runs to summarize. */
  maxRuns?: number;
  /** The same search, if it wants a value to be missing. */
  lacking?: Omit<LackingSearch, 'db' | 'near'> | undefined;
  /** Number of newest runs that are checked one by one for a missing value, before all runs are compared as sets. */
  near?: number;
  /** If these contain more matches than this, no other runs are compared. */
  enoughRuns?: number;
}

/** Contains enough matches unless they are rare. */
const NEAR_RUNS = 60_000;

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
export async function readSummary(query: SummaryQuery): Promise<HistorySummary> {
  const { lacking, maxRuns = SUMMARY_RUNS_MAX } = query;
  const { runs, IsPartial } = lacking
    ? await readLacking(query, lacking, maxRuns)
    : cut(await readNewest(query, query.found(), maxRuns + 1), maxRuns);
  const times = runs.map(({ QueueTime }) => QueueTime.getTime());
  const PeriodSeconds = runs.length === 0 ? 0 : periodLength((maxOf(times) - minOf(times)) / 1000);
  return {
    Runs: runs.length,
    IsPartial,
    PeriodSeconds,
    ...percentiles(runs),
    Longest: longestOf(runs),
    Periods: periodsOf(runs, PeriodSeconds * 1000),
  };
}

/** The newest of the found runs. */
interface NewestRuns {
  runs: EndedRun[];
  /** True if more were found. */
  IsPartial: boolean;
}

const cut = (rows: EndedRun[], count: number): NewestRuns => ({
  runs: rows.slice(0, count),
  IsPartial: rows.length > count,
});

/** Returns the newest `limit` ended runs, newest first. */
function readNewest({ db, deadline }: SummaryQuery, runs: Knex.QueryBuilder, limit: number): Promise<EndedRun[]> {
  const duration = db.raw('case when ?? is not null then ?? end as ??', ['R.StartTime', 'R.DurationMs', 'Duration']);
  const newest = whereEnded(db, runs, 'R')
    .orderBy('R.Id', 'desc')
    .limit(limit)
    .select('R.Id', 'R.Status', 'R.QueueTime', duration);
  return rowsBy<EndedRun>(newest, deadline);
}

function whereEnded(db: Db, runs: Knex.QueryBuilder, table: string): Knex.QueryBuilder {
  void runs.whereNotNull(`${table}.DurationMs`).whereNot(`${table}.Status`, 'NotRunToday');
  return whereNotBatchRun(db, runs, `${table}.Id`);
}

/**
 * Searches by a missing value. The newest runs are checked one by one; if they contain enough matches, the older runs
 * are not read. Otherwise, the older runs are compared as sets.
 */
async function readLacking(
  query: SummaryQuery,
  lacking: NonNullable<SummaryQuery['lacking']>,
  maxRuns: number,
): Promise<NewestRuns> {
  const { db, found, near = NEAR_RUNS, enoughRuns = SUMMARY_LACKING_RUNS_MIN } = query;
  const edge = await findNearEdge({ ...lacking, db, near });
  if (edge === undefined) return cut(await readNewest(query, found(), maxRuns + 1), maxRuns);
  const newest = await readNewest(query, found().where('R.Id', '>', edge), maxRuns + 1);
  const count = Math.min(maxRuns, enoughRuns);
  // The last one is not counted, because it proves that there are more.
  if (newest.length > count) return cut(newest, Math.min(maxRuns, newest.length - 1));
  const candidates = (table: string): Knex.QueryBuilder => whereEnded(db, lacking.candidates(table), table);
  const ids = await listFarLacking({ ...lacking, db, near, candidates }, edge, count + 1 - newest.length);
  const others = db('ActivityRuns as R');
  whereIds(others, 'R.Id', ids);
  return cut([...newest, ...(await readNewest(query, others, count + 1))], count);
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
