/** Sums what the newest runs have stored, by activity and over time, as a basis for a forecast. */
import { statfs } from 'node:fs/promises';
import type { Knex } from 'knex';
import { periodLength } from '#server/base/period-length.ts';
import type { Database } from '#server/db/database.ts';
import { storedLength } from '#server/files/stored-length.ts';
import type { StorageGrowth } from '#shared/contract/system.ts';
import { namesOf } from './run-times.ts';

const DAY = 24 * 3600;
/** Large enough for a rate, small enough to be summed quickly by primary key. */
const MAX_SAMPLED_RUNS = 50_000;
const DAYS = 30;
const SHOWN = 20;
const MAX_PERIODS = 30;

export interface StorageGrowthDeps {
  database: Database;
  /** Folder of the file store; null for a bucket. */
  folder: string | null;
}

interface SampledRuns {
  FirstId: number;
  /** Id of the newest counted run. Runs with a higher id were added later and are not counted. */
  LastId: number;
  Runs: number;
  /** Seconds since the first of them was queued, by database time. */
  Age: number;
  Since: Date;
}

interface SumRow {
  ActivityId: number;
  Period: number;
  Bytes: number;
}

export async function readStorageGrowth({ database, folder }: StorageGrowthDeps): Promise<StorageGrowth> {
  const [sampled, FreeBytes] = await Promise.all([findRuns(database), freeBytes(folder)]);
  if (!sampled)
    return { Since: null, Runs: 0, Bytes: 0, PerDay: null, FreeBytes, Activities: [], PeriodSeconds: 0, Periods: [] };
  const { days, since } = await windowOf(database, sampled);
  const PeriodSeconds = periodLength(sampled.Age, MAX_PERIODS);
  const [runs, inputs, outputs] = await Promise.all([
    countRuns(database, sampled),
    sums(database, sampled, { table: 'RunInputs', PeriodSeconds }),
    sums(database, sampled, { table: 'RunOutputs', PeriodSeconds }),
  ]);
  const rows = [...inputs, ...outputs];
  const byActivity = totals(rows, ({ ActivityId }) => ActivityId);
  const largest = [...byActivity].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN);
  const names = await namesOf(
    database,
    largest.map(([id]) => id),
  );
  const Bytes = rows.reduce((sum, row) => sum + row.Bytes, 0);
  const perDay = (bytes: number): number | null => (days === null ? null : bytes / days);
  return {
    Since: since.toISOString(),
    Runs: sampled.Runs,
    Bytes,
    PerDay: perDay(Bytes),
    FreeBytes,
    Activities: largest.map(([ActivityId, bytes]) => ({
      ActivityId,
      Name: names.get(ActivityId) ?? '',
      Runs: runs.get(ActivityId) ?? 0,
      Bytes: bytes,
      PerDay: perDay(bytes),
    })),
    PeriodSeconds,
    Periods: [...totals(rows, ({ Period }) => Period)]
      .toSorted(([a], [b]) => a - b)
      .map(([period, bytes]) => ({ Time: new Date(period * PeriodSeconds * 1000).toISOString(), Bytes: bytes })),
  };
}

function totals(rows: readonly SumRow[], keyOf: (row: SumRow) => number): Map<number, number> {
  const sumsOf = new Map<number, number>();
  for (const row of rows) sumsOf.set(keyOf(row), (sumsOf.get(keyOf(row)) ?? 0) + row.Bytes);
  return sumsOf;
}

/** Returns the newest runs of the last days. */
async function findRuns({ knex, dialect }: Database): Promise<SampledRuns | undefined> {
  const newest = knex('ActivityRuns').orderBy('Id', 'desc').limit(MAX_SAMPLED_RUNS).select('Id', 'QueueTime').as('N');
  const row = await knex
    .from(newest)
    .where('N.QueueTime', '>=', dialect.nowPlus(knex, -DAYS * DAY))
    .select({
      FirstId: knex.min('N.Id'),
      LastId: knex.max('N.Id'),
      Since: knex.min('N.QueueTime'),
      Age: knex.raw('max(?)', [dialect.secondsSince(knex, 'N.QueueTime')]),
    })
    .count({ Runs: '*' })
    .first<Pick<SampledRuns, 'Since'> & Record<Exclude<keyof SampledRuns, 'Since'>, unknown>>();
  const [Runs, FirstId, LastId, Age] = [row.Runs, row.FirstId, row.LastId, row.Age].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return Runs === 0 ? undefined : { Runs, FirstId, LastId, Age, Since: row.Since };
}

/**
 * Returns the number of days during which the counted runs were stored. If there are older runs, it is 30 days; if
 * there are too many runs to count all, it is the age of the oldest counted run. Null for a portal younger than a day,
 * from which no daily rate can be derived.
 */
async function windowOf({ knex }: Database, sampled: SampledRuns): Promise<{ days: number | null; since: Date }> {
  const { Age, Since, Runs } = sampled;
  if (Runs < MAX_SAMPLED_RUNS) {
    const older = await knex('ActivityRuns').where('Id', '<', sampled.FirstId).first('Id');
    if (older) return { days: DAYS, since: new Date(Since.getTime() + (Age - DAYS * DAY) * 1000) };
    return { days: Age < DAY ? null : Age / DAY, since: Since };
  }
  return { days: Age / DAY, since: Since };
}

const within = (query: Knex.QueryBuilder, column: string, { FirstId, LastId }: SampledRuns): Knex.QueryBuilder =>
  query.whereBetween(column, [FirstId, LastId]);

async function countRuns({ knex }: Database, sampled: SampledRuns): Promise<Map<number, number>> {
  const rows = await within(knex('ActivityRuns'), 'Id', sampled)
    .groupBy('ActivityId')
    .select('ActivityId')
    .count<{ ActivityId: number; Runs: number }[]>({ Runs: '*' });
  return new Map(rows.map(({ ActivityId, Runs }) => [ActivityId, Runs]));
}

async function sums(
  { knex, dialect }: Database,
  sampled: SampledRuns,
  { table, PeriodSeconds }: { table: 'RunInputs' | 'RunOutputs'; PeriodSeconds: number },
): Promise<SumRow[]> {
  const values = knex(`${table} as V`)
    .join('ActivityRuns as R', 'R.Id', 'V.ActivityRunId')
    .leftJoin('StoredFiles as F', 'F.FileId', 'V.FileId')
    .select('R.ActivityId', {
      Period: dialect.periodOf(knex, 'R.QueueTime', PeriodSeconds),
      Bytes: knex.raw('coalesce(?, 0) + coalesce(cast(? as bigint), 0)', [
        storedLength(dialect, knex),
        dialect.byteLength(knex, 'V.Value'),
      ]),
    });
  // Restricts both columns, so that each table can be read by its own index.
  within(within(values, 'V.ActivityRunId', sampled), 'R.Id', sampled);
  const rows = await knex
    .from(values.as('S'))
    .groupBy('S.ActivityId', 'S.Period')
    .select({ Bytes: knex.raw('sum(??)', ['S.Bytes']) })
    .select<Record<keyof SumRow, unknown>[]>('S.ActivityId', 'S.Period');
  return rows.map(({ ActivityId, Period, Bytes }) => ({
    ActivityId: Number(ActivityId),
    Period: Number(Period),
    Bytes: Number(Bytes),
  }));
}

async function freeBytes(folder: string | null): Promise<number | null> {
  if (folder === null) return null;
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // Some file systems do not report it.
    return null;
  }
}
