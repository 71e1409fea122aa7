/** The values of an output over all search results: one point per run, or one per period if there are many runs. */
import type { Knex } from 'knex';
import { stringify } from 'csv-stringify/sync';
import type { Static } from 'typebox';
import { AppError } from '#server/base/app-error.ts';
import { escapeFormula } from '#server/base/csv-formulas.ts';
import { periodLength } from '#server/base/period-length.ts';
import type { Person } from '#server/base/person.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { deadlineIn, rowsBy, type Deadline } from '#server/db/time-limit.ts';
import type { VersionOutput } from '#server/versions/version-catalog.ts';
import { isSingleNumber } from '#shared/codecs/input-form.ts';
import { SERIES_RUNS_MAX, type OutputSeries } from '#shared/contract/output-series.ts';
import { HISTORY_EXPORT_MAX, type ExportedHistory, type HistorySearch } from '#shared/contract/run-history.ts';
import { STATUS_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { inTime, openSearch, type HistoryDeps, type OpenSearch } from './history-service.ts';

export interface SeriesQuery {
  Search: HistorySearch;
  OutputId: number;
}

export interface OutputSeriesService {
  /** Throws an AppError 400 if the output is not a number. */
  series(person: Person, query: SeriesQuery): Promise<OutputSeries>;
  export(person: Person, query: SeriesQuery): Promise<Static<typeof ExportedHistory>>;
}

const TIME_LIMIT_MS = 20_000;
const MAX_PERIODS = 300;
const SERIES_CONCURRENCY = 2;
const EXPORT_PAGE = 2000;

export function createOutputSeriesService(deps: HistoryDeps): OutputSeriesService {
  const { knex } = deps.database;
  const reading = createConcurrencyLimit(SERIES_CONCURRENCY);
  return {
    series: async (person, query) => {
      const opened = await openOutput(deps, person, query);
      return reading(() => inTime(() => readSeries(knex, opened, deadlineIn(deps.timeLimit ?? TIME_LIMIT_MS))));
    },
    export: async (person, query) => {
      const opened = await openOutput(deps, person, query);
      return reading(() => exportSeries(deps, person, opened));
    },
  };
}

interface OpenOutput {
  subject: NonNullable<OpenSearch['subject']>;
  output: VersionOutput;
  /** Builds a query of the runs whose output is a number, with the number as V.SearchNumber. */
  values: () => Knex.QueryBuilder;
}

const isNumber = ({ Info }: VersionOutput): boolean => isSingleNumber(Info);

async function openOutput(deps: HistoryDeps, person: Person, { Search, OutputId }: SeriesQuery): Promise<OpenOutput> {
  const { subject, found } = await openSearch(deps, person, { ...Search, Sort: undefined });
  const output = subject?.version.outputs.find(({ Id }) => Id === OutputId);
  if (!subject || !output) throw new AppError('noSuchOutput', 400, 'The activity has no such output');
  if (!isNumber(output))
    throw new AppError('noNumber', 400, 'Only an output that is a number can be plotted over runs');
  const values = (): Knex.QueryBuilder =>
    found()
      .join('RunOutputs as V', 'V.ActivityRunId', 'R.Id')
      .where('V.ActivityParameterId', OutputId)
      .whereNotNull('V.SearchNumber');
  return { subject, output, values };
}

interface Span {
  Runs: number;
  First: Date | null;
  Last: Date | null;
}

async function readSeries(
  db: Knex,
  { subject, output, values }: OpenOutput,
  deadline: Deadline,
): Promise<OutputSeries> {
  const [span] = await rowsBy<Span>(
    values().select(
      db.raw('count(*) as ??', ['Runs']),
      db.raw('min(??) as ??', ['R.QueueTime', 'First']),
      db.raw('max(??) as ??', ['R.QueueTime', 'Last']),
    ),
    deadline,
  );
  const { Runs = 0, First = null, Last = null } = span ?? {};
  const series = {
    ActivityId: subject.activity.Id,
    ActivityName: subject.activity.Name,
    OutputName: output.Name,
    Info: output.Info,
    Outputs: subject.version.outputs.filter(isNumber).map(({ Id, Name }) => ({ Id, Name })),
    Runs,
  };
  if (!First || !Last || Runs <= SERIES_RUNS_MAX)
    return { ...series, PeriodSeconds: null, Points: await readRuns(values(), deadline) };
  const PeriodSeconds = periodLength((Last.getTime() - First.getTime()) / 1000, MAX_PERIODS);
  return { ...series, PeriodSeconds, Points: await readPeriods(db, values(), PeriodSeconds, deadline) };
}

async function readRuns(values: Knex.QueryBuilder, deadline: Deadline): Promise<OutputSeries['Points']> {
  const newest = values
    .orderBy('R.Id', 'desc')
    .limit(SERIES_RUNS_MAX)
    .select('R.Id', 'R.QueueTime', 'R.EndTime', 'V.SearchNumber as Value');
  const rows = await rowsBy<{ Id: number; QueueTime: Date; EndTime: Date | null; Value: number }>(newest, deadline);
  // Sorts by end time: a retried run keeps its id, so ids do not follow the order of time.
  return rows
    .map(({ Id, QueueTime, EndTime, Value }) => ({ Id, Value, end: EndTime ?? QueueTime }))
    .toSorted((a, b) => a.end.getTime() - b.end.getTime() || a.Id - b.Id)
    .map(({ Id, Value, end }) => ({ Id, Time: end.toISOString(), Value, Least: Value, Most: Value, Runs: 1 }));
}

interface PeriodRow {
  Period: number;
  Value: number;
  Least: number;
  Most: number;
  Runs: number;
}

async function readPeriods(
  db: Knex,
  values: Knex.QueryBuilder,
  seconds: number,
  deadline: Deadline,
): Promise<OutputSeries['Points']> {
  const named = values.select(
    'V.SearchNumber',
    db.raw('? as ??', [dialectOf(db).periodOf(db, 'R.QueueTime', seconds), 'Period']),
  );
  const periods = db
    .from(named.as('N'))
    .groupBy('N.Period')
    .orderBy('N.Period')
    .select(
      'N.Period',
      db.raw('count(*) as ??', ['Runs']),
      ...(['avg', 'min', 'max'] as const).map((of, index) =>
        db.raw(`${of}(??) as ??`, ['N.SearchNumber', ['Value', 'Least', 'Most'][index]!]),
      ),
    );
  const rows = await rowsBy<PeriodRow>(periods, deadline);
  return rows.map(({ Period, ...of }) => ({ Time: new Date(Period * seconds * 1000).toISOString(), Id: null, ...of }));
}

interface ExportRow {
  Id: number;
  QueueTime: Date;
  Status: RunStatus;
  ActivityVersion: number;
  Value: number;
}

const HEADERS = ['Run', 'Run on (UTC)', 'Status', 'Version'];

async function exportSeries(
  { files }: HistoryDeps,
  person: Person,
  { subject, output, values }: OpenOutput,
): Promise<Static<typeof ExportedHistory>> {
  const result = { Rows: 0, HasMore: false };
  const bytes = (rows: unknown[][]): Uint8Array => Buffer.from(stringify(rows, { record_delimiter: 'windows' }));
  async function* pages(): AsyncGenerator<Uint8Array> {
    // The byte order mark tells Excel that the file is UTF-8.
    yield Buffer.from('\uFEFF');
    yield bytes([[...HEADERS, escapeFormula(output.Name)]]);
    for (let before: number | null = null; ;) {
      const size = Math.min(EXPORT_PAGE, HISTORY_EXPORT_MAX - result.Rows);
      const query = values()
        .orderBy('R.Id', 'desc')
        .limit(size + 1);
      if (before !== null) void query.where('R.Id', '<', before);
      const rows = await query.select<ExportRow[]>(
        'R.Id',
        'R.QueueTime',
        'R.Status',
        'R.ActivityVersion',
        'V.SearchNumber as Value',
      );
      const page = rows.slice(0, size);
      result.Rows += page.length;
      result.HasMore = rows.length > page.length;
      if (page.length > 0) yield bytes(page.map(cellsOf));
      if (!result.HasMore || result.Rows >= HISTORY_EXPORT_MAX) return;
      before = page.at(-1)!.Id;
    }
  }
  const Token = await files.tokenForNew(person, `${subject.activity.Name} ${output.Name}.csv`, pages());
  return { Token, ...result };
}

const cellsOf = ({ Id, QueueTime, Status, ActivityVersion, Value }: ExportRow): unknown[] => [
  Id,
  QueueTime.toISOString(),
  STATUS_TEXT[Status],
  ActivityVersion,
  Value,
];
