/** Data and texts of the history plots: durations over time and outcomes. */
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { HistoryRun } from '#shared/contract/run-history.ts';
import { formatDayTime, formatDuration } from '#renderer/ui/format-date.ts';
import type { Shape } from '#renderer/ui/plot/palette.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

export type Outcome = 'succeeded' | 'warned' | 'failed' | 'cancelled';

export interface DurationPoint {
  runId: number;
  /** Seconds since 1970 at which the run was queued. */
  time: number;
  /**
   * Milliseconds from start to end; null if the run ended before it started, such as a run that was cancelled in the
   * queue.
   */
  duration: number | null;
  outcome: Outcome;
}

/** Each outcome has its own shape. The color (a custom property of base.css) is only an addition. */
export const OUTCOMES: Record<Outcome, { text: string; shape: Shape; color: string }> = {
  succeeded: { text: t('Succeeded'), shape: 'circle', color: '--rs-success' },
  warned: { text: t('Succeeded with warnings'), shape: 'triangle', color: '--rs-warning' },
  failed: { text: t('Failed'), shape: 'cross', color: '--rs-danger' },
  cancelled: { text: t('Cancelled'), shape: 'square', color: '--rs-muted' },
};

export function outcomeOf(status: RunStatus): Outcome | null {
  if (isPending(status) || status === 'NotRunToday') return null;
  if (hasSucceeded(status)) return status === 'Succeeded' ? 'succeeded' : 'warned';
  return status === 'Cancelled' ? 'cancelled' : 'failed';
}

/** The fields that determine a run's duration and outcome. */
export type EndedRun = Pick<HistoryRun, 'Id' | 'Status' | 'QueueTime' | 'StartTime' | 'EndTime'>;

/** Returns the milliseconds from start to end; null if the run has not ended, or ended before it started. */
export function durationOf({ StartTime, EndTime }: Pick<EndedRun, 'StartTime' | 'EndTime'>): number | null {
  return StartTime === null || EndTime === null ? null : Math.max(0, Date.parse(EndTime) - Date.parse(StartTime));
}

/** Returns '' if the run has no duration. */
export function durationText(run: Pick<EndedRun, 'StartTime' | 'EndTime'>): string {
  const duration = durationOf(run);
  return duration === null ? '' : formatDuration(duration);
}

/** Returns the ended runs, oldest first. */
export function durationPoints(runs: readonly EndedRun[]): DurationPoint[] {
  const points = runs.flatMap((run): DurationPoint[] => {
    const outcome = outcomeOf(run.Status);
    if (outcome === null || run.EndTime === null) return [];
    return [{ runId: run.Id, time: Date.parse(run.QueueTime) / 1000, duration: durationOf(run), outcome }];
  });
  return points.sort((a, b) => a.time - b.time || a.runId - b.runId);
}

/** For use within a sentence. */
const OUTCOME_WORDS: Record<Outcome, string> = {
  succeeded: t('succeeded'),
  warned: t('succeeded with warnings'),
  failed: t('failed'),
  cancelled: t('cancelled'),
};

/** Counts the outcomes: '12 succeeded, 1 failed'. */
function outcomesText(points: readonly DurationPoint[]): string {
  return (Object.keys(OUTCOMES) as Outcome[])
    .map((outcome) => ({ outcome, count: points.filter((point) => point.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${OUTCOME_WORDS[outcome]}`)
    .join(', ');
}

export type TimedPoint = DurationPoint & { duration: number };

/** Returns the points of runs that started. */
export const timedPoints = (points: readonly DurationPoint[]): TimedPoint[] =>
  points.filter((point): point is TimedPoint => point.duration !== null);

const halfOf = (points: readonly TimedPoint[]): string =>
  formatDuration(median(points.map(({ duration }) => duration)));

/** Returns a note that runs that never started have no duration; [] if there are none. */
function neverStartedNote(points: readonly DurationPoint[]): string[] {
  const count = points.length - timedPoints(points).length;
  if (count === 0) return [];
  return [t('{count, plural, one {One run never started} other {# runs never started}}: no duration.', { count })];
}

/** Describes the plot of a few runs in words, without times. */
export function shortSummary(points: readonly DurationPoint[]): string {
  const [only] = points;
  if (!only) return '';
  if (points.length === 1 && only.duration !== null)
    return t('1 ended run: {outcomes} in {duration}.', {
      outcomes: outcomesText(points),
      duration: formatDuration(only.duration),
    });
  const timed = timedPoints(points);
  const outcomes = outcomesText(points);
  if (timed.length === 0)
    return [
      t('{count, plural, one {One ended run} other {# ended runs}}: {outcomes}.', { count: points.length, outcomes }),
      ...neverStartedNote(points),
    ].join(' ');
  return [
    t('{pointsCount} ended runs: {outcomes}. Half of them took {half} or less, the longest {longest}.', {
      pointsCount: numberText(points.length),
      outcomes,
      half: halfOf(timed),
      longest: formatDuration(Math.max(...timed.map(({ duration }) => duration))),
    }),
    ...neverStartedNote(points),
  ].join(' ');
}

/** Describes the plot in words. */
export function durationSummary(points: readonly DurationPoint[]): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return '';
  const timed = timedPoints(points);
  const longest = timed.toSorted((a, b) => b.duration - a.duration)[0];
  return [
    t('{count} ended runs from {first} to {last}: {outcomes}.', {
      count: numberText(points.length),
      first: formatDayTime(first.time * 1000),
      last: formatDayTime(last.time * 1000),
      outcomes: outcomesText(points),
    }),
    ...(longest
      ? [
          t('Half of them took {half} or less; the longest took {longest} ({time}).', {
            half: halfOf(timed),
            longest: formatDuration(longest.duration),
            time: formatDayTime(longest.time * 1000),
          }),
        ]
      : []),
    ...neverStartedNote(points),
  ].join(' ');
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
