/** Summarizes the newest search results by outcome and duration. The database counts and sorts them. */
import type { Knex } from 'knex';
import { periodLength } from '#server/base/period-length.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { rowsBy, type Deadline } from '#server/db/time-limit.ts';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import { SUMMARY_RUNS_MAX, type HistorySummary } from '#shared/contract/run-history.ts';

export interface SummaryQuery {
  db: Db;
  /** Builds a query of the runs, from ActivityRuns as R. It selects nothing yet. */
  found: () => Knex.QueryBuilder;
  deadline: Deadline;
  /** Maximum number of newest runs to count: sorting a million runs would take seconds. */
  maxRuns?: number;
}

/** Selects, as R, the newest runs that ended and were not skipped. */
function ended({ db, found, maxRuns = SUMMARY_RUNS_MAX }: SummaryQuery): Knex.QueryBuilder {
  const all = found().whereNotNull('R.DurationMs').whereNot('R.Status', 'NotRunToday');
  const newest = whereNotBatchRun(db, all, 'R.Id')
    .orderBy('R.Id', 'desc')
    .limit(maxRuns)
    .select('R.Id', 'R.Status', 'R.QueueTime', 'R.StartTime', 'R.DurationMs');
  return db.from(newest.as('R'));
}

export async function readSummary(query: SummaryQuery): Promise<HistorySummary> {
  const { db, deadline, maxRuns = SUMMARY_RUNS_MAX } = query;
  const [all] = await rowsBy<{ Runs: number; First: Date | null; Last: Date | null }>(
    ended({ ...query, maxRuns: maxRuns + 1 }).select(
      db.raw('count(*) as ??', ['Runs']),
      db.raw('min(??) as ??', ['R.QueueTime', 'First']),
      db.raw('max(??) as ??', ['R.QueueTime', 'Last']),
    ),
    deadline,
  );
  const { Runs = 0, First = null, Last = null } = all ?? {};
  const nothing = { Runs: 0, IsPartial: false, PeriodSeconds: 0, P50: null, P95: null, Longest: null, Periods: [] };
  if (!First || !Last) return nothing;
  const PeriodSeconds = periodLength((Last.getTime() - First.getTime()) / 1000);
  const [shares] = await readShares(query, null);
  return {
    Runs: Math.min(Runs, maxRuns),
    IsPartial: Runs > maxRuns,
    PeriodSeconds,
    P50: notNegative(shares?.P50),
    P95: notNegative(shares?.P95),
    Longest: await findLongest(query),
    Periods: await readPeriods(query, PeriodSeconds),
  };
}

/** Raises negative durations to zero, because clocks may differ; null if there is no duration. */
const notNegative = (duration: number | null | undefined): number | null =>
  duration === null || duration === undefined ? null : Math.max(0, duration);

/** Returns null if no run started, or if all were purged since. */
async function findLongest(query: SummaryQuery): Promise<HistorySummary['Longest']> {
  const longest = ended(query)
    .whereNotNull('R.StartTime')
    .orderBy([
      { column: 'R.DurationMs', order: 'desc' },
      { column: 'R.Id', order: 'desc' },
    ])
    .limit(1)
    .select('R.Id', 'R.DurationMs as Duration');
  const [row] = await rowsBy<{ Id: number; Duration: number }>(longest, query.deadline);
  return row ? { Id: row.Id, Duration: Math.max(0, row.Duration) } : null;
}

const COUNTED = {
  Succeeded: ['Succeeded'],
  Warned: ['SucceededWarn'],
  Failed: ['Failed', 'Abandoned', 'LogicError', 'InternalError', 'NotLicensed'],
  Cancelled: ['Cancelled'],
};
type Counts = Record<keyof typeof COUNTED, number>;

interface ShareRow extends Counts {
  Period: number;
  /** Null if none of the runs started. */
  P50: number | null;
  P95: number | null;
}

async function readPeriods(query: SummaryQuery, seconds: number): Promise<HistorySummary['Periods']> {
  const rows = await readShares(query, seconds);
  return rows.map(({ Period, P50, P95, Succeeded, Warned, Failed, Cancelled }) => ({
    Time: new Date(Period * seconds * 1000).toISOString(),
    Succeeded,
    Warned,
    Failed,
    Cancelled,
    P50: notNegative(P50),
    P95: notNegative(P95),
  }));
}

/**
 * Counts the runs of each period by outcome, and computes the 50th and 95th percentiles of their durations. Runs with
 * equal durations are counted first, because there are far fewer durations than runs to sort. Runs that ended before
 * they started are counted in their period, but have no duration.
 * @param seconds length of each period; null for one period over all time
 */
async function readShares(query: SummaryQuery, seconds: number | null): Promise<ShareRow[]> {
  const { db, deadline } = query;
  const period = seconds === null ? db.raw('0') : dialectOf(db).periodOf(db, 'R.QueueTime', seconds);
  const took = db.raw('case when ?? is not null then ?? end as ??', ['R.StartTime', 'R.DurationMs', 'DurationMs']);
  const named = ended(query).select('R.Status', took, db.raw('? as ??', [period, 'Period']));
  const endings = Object.entries(COUNTED);
  const durations = db
    .from(named.as('E'))
    .groupBy('E.Period', 'E.DurationMs')
    .select(
      'E.Period',
      'E.DurationMs',
      db.raw('count(??) as ??', ['E.DurationMs', 'Alike']),
      ...endings.map(([name, statuses]) =>
        db.raw(`sum(case when ?? in (${statuses.map(() => '?').join(', ')}) then 1 else 0 end) as ??`, [
          'E.Status',
          ...statuses,
          name,
        ]),
      ),
    );
  const placed = db
    .from(durations.as('D'))
    .select(
      'D.*',
      db.raw('sum(??) over (partition by ?? order by ?? rows unbounded preceding) as ??', [
        'D.Alike',
        'D.Period',
        'D.DurationMs',
        'Upto',
      ]),
      db.raw('sum(??) over (partition by ??) as ??', ['D.Alike', 'D.Period', 'Size']),
    );
  // The percentile: the shortest duration that at least this percentage of runs did not exceed.
  const shares = [50, 95].map((percent) =>
    db.raw(`min(case when ?? * 100.0 >= ?? * ${percent}.0 then ?? end) as ??`, [
      'P.Upto',
      'P.Size',
      'P.DurationMs',
      `P${percent}`,
    ]),
  );
  const sums = endings.map(([name]) => db.raw('sum(??) as ??', [`P.${name}`, name]));
  const periods = db
    .from(placed.as('P'))
    .groupBy('P.Period')
    .orderBy('P.Period')
    .select('P.Period', ...sums, ...shares);
  return rowsBy<ShareRow>(periods, deadline);
}
