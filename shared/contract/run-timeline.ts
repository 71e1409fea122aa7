/** Timeline: the runs of a period of at most a day, by activity. */
import { Type, type Static } from 'typebox';
import { closed, Id, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { HistorySearch } from './run-history.ts';
import { RunStatus } from './run-status.ts';

/** Maximum length of the period in hours: the longest day of a time zone. */
export const TIMELINE_HOURS_MAX = 25;
/** Maximum number of runs returned: the newest. */
export const TIMELINE_RUNS_MAX = 3_000;

export const TimelineRun = closed({
  Id: RunId,
  Status: RunStatus,
  QueueTime: Timestamp,
  /** Null if the run has not started. */
  StartTime: nullable(Timestamp),
  /** Null while the run is pending. */
  EndTime: nullable(Timestamp),
});
export type TimelineRun = Static<typeof TimelineRun>;

export const TimelineRow = closed({
  ActivityId: Id,
  Name: Type.String(),
  Schema: Type.String(),
  /** In chronological order. */
  Runs: Type.Array(TimelineRun),
});
export type TimelineRow = Static<typeof TimelineRow>;

export const runTimeline = post('/api/activities/runhistory/timeline', {
  access: signedIn,
  summary: 'List the runs of at most one day that match a search, by activity, at most the newest 3,000',
  offline: 'answer',
  parts: {
    /** QueuedFrom and QueuedBefore are required. */
    body: HistorySearch,
    result: closed({
      Rows: Type.Array(TimelineRow),
      /** True if there are more runs than the newest TIMELINE_RUNS_MAX. */
      IsPartial: Type.Boolean(),
    }),
  },
});
