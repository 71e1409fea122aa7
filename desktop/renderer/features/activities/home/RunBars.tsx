import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { HomeRun } from '#shared/contract/activity-home.ts';
import {
  durationPoints,
  shortSummary,
  OUTCOMES,
  type DurationPoint,
} from '#renderer/features/runs/history/duration-plot.ts';
import '#renderer/ui/plot/plot.css';
import { ShapeMark } from '#renderer/ui/plot/ShapeMark.tsx';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime, formatDuration } from '#renderer/ui/format-date.ts';

/** Minimum bar height in percent, so that the bar stays visible and clickable. */
const MIN_HEIGHT_PERCENT = 4;

/**
 * A bar for each ended run, oldest first. Its height is the duration and its mark is the outcome. A click opens the
 * run.
 */
export function RunBars({ runs }: { runs: readonly HomeRun[] }) {
  const navigate = useNavigate();
  const points = durationPoints(runs);
  if (points.length === 0) return null;
  const longest = Math.max(1, ...points.map(({ duration }) => duration ?? 0));
  const open = (event: MouseEvent): void => {
    const run = (event.target as HTMLElement).closest<HTMLElement>('[data-run]')?.dataset['run'];
    if (run !== undefined) void navigate(`/activities/runstatus/${run}/`);
  };
  return (
    <>
      <div
        className="rs-run-bars"
        role="img"
        aria-label={t('Durations and outcomes. {shortSummary}', { shortSummary: shortSummary(points) })}
        onClick={open}
      >
        {points.map((point) => (
          <Bar key={point.runId} point={point} share={(point.duration ?? 0) / longest} />
        ))}
      </div>
      <p className="rs-plot-summary">{shortSummary(points)}</p>
    </>
  );
}

function titleOf({ time, outcome, duration }: DurationPoint): string {
  const [dayTime, { text }] = [formatDayTime(time * 1000), OUTCOMES[outcome]];
  if (duration === null) return t('{dayTime}: {text} before it started', { dayTime, text });
  return t('{dayTime}: {text} in {duration}', { dayTime, text, duration: formatDuration(duration) });
}

function Bar({ point, share }: { point: DurationPoint; share: number }) {
  const { shape, color } = OUTCOMES[point.outcome];
  return (
    <span className="rs-run-bar" data-run={point.runId} title={titleOf(point)}>
      <span className="rs-run-bar-room">
        <span style={{ height: `${Math.max(MIN_HEIGHT_PERCENT, share * 100)}%`, background: `var(${color})` }} />
      </span>
      <ShapeMark shape={shape} color={`var(${color})`} />
    </span>
  );
}
