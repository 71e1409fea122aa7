/** One output over all runs that a search of the history finds. */
import { Type, type Static } from 'typebox';
import { closed, Id, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { OutputInfo } from './parameters.ts';
import { ExportedHistory, HistorySearch } from './run-history.ts';

/** So many runs are points of their own; of more, each period is one. */
export const SERIES_RUNS_MAX = 2000;

const SeriesPoint = closed({
  /** Of the run, or where the period begins. */
  Time: Timestamp,
  /** Null for a period. */
  Id: nullable(RunId),
  /** Of the run, or the mean of the period. */
  Value: Type.Number(),
  Least: Type.Number(),
  Most: Type.Number(),
  Runs: Type.Integer(),
});

export const OutputSeries = closed({
  ActivityId: Id,
  ActivityName: Type.String(),
  OutputName: Type.String(),
  /** As the output is in the newest version. */
  Info: OutputInfo,
  /** Runs that came to a number. */
  Runs: Type.Integer(),
  /** Seconds that each period is long; null where each point is a run. */
  PeriodSeconds: nullable(Type.Integer()),
  /** In the order of time. */
  Points: Type.Array(SeriesPoint),
  /** Other outputs of the activity that are numbers. */
  Outputs: Type.Array(closed({ Id, Name: Type.String() })),
});
export type OutputSeries = Static<typeof OutputSeries>;

const body = closed({ Search: HistorySearch, OutputId: Id });

export const outputSeries = post('/api/activities/runhistory/output', {
  access: signedIn,
  summary: 'The numbers that an output came to in the runs that a search of the history of its activity finds',
  parts: { body, result: OutputSeries },
});

export const exportOutput = post('/api/activities/runhistory/output/export', {
  access: signedIn,
  summary: 'The same as .csv: the newest runs, no more than 100,000',
  parts: { body, result: ExportedHistory },
});
