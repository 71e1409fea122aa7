/** The values of one output over all runs found by a history search. */
import { Type, type Static } from 'typebox';
import { closed, Id, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { OutputInfo } from './parameters.ts';
import { ExportedHistory, HistorySearch } from './run-history.ts';

/** Up to this many runs, each run is a point. With more runs, each point is a period. */
export const SERIES_RUNS_MAX = 2000;

const SeriesPoint = closed({
  /** Time of the run, or start of the period. */
  Time: Timestamp,
  /** Null for a period. */
  Id: nullable(RunId),
  /** Value of the run, or mean of the period. */
  Value: Type.Number(),
  Least: Type.Number(),
  Most: Type.Number(),
  Runs: Type.Integer(),
});

export const OutputSeries = closed({
  ActivityId: Id,
  ActivityName: Type.String(),
  OutputName: Type.String(),
  /** Definition of the output in the newest version. */
  Info: OutputInfo,
  /** Number of runs that returned a number. */
  Runs: Type.Integer(),
  /** Length of each period in seconds; null if each point is a run. */
  PeriodSeconds: nullable(Type.Integer()),
  /** In chronological order. */
  Points: Type.Array(SeriesPoint),
  /** Other outputs of the activity that are numbers. */
  Outputs: Type.Array(closed({ Id, Name: Type.String() })),
});
export type OutputSeries = Static<typeof OutputSeries>;

const body = closed({ Search: HistorySearch, OutputId: Id });

export const outputSeries = post('/api/activities/runhistory/output', {
  access: signedIn,
  summary: 'List the numbers of an output in the runs of its activity that match a search',
  parts: { body, result: OutputSeries },
});

export const exportOutput = post('/api/activities/runhistory/output/export', {
  access: signedIn,
  summary: 'Export the numbers of an output as .csv: the newest runs, at most 100,000',
  parts: { body, result: ExportedHistory },
});
