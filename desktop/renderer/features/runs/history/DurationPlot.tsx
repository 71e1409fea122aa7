import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import type uPlot from 'uplot';
import { formatDay, formatDayTime, formatDuration } from '#renderer/ui/format-date.ts';
import { traceShape } from '#renderer/ui/plot/palette.ts';
import { axisWidth } from '#renderer/ui/plot/axis-width.ts';
import { Plot } from '#renderer/ui/plot/Plot.tsx';
import { ShapeMark } from '#renderer/ui/plot/ShapeMark.tsx';
import { t } from '#renderer/language/translate.ts';
import { distinct } from '#renderer/ui/plot/period-options.ts';
import {
  durationSummary,
  OUTCOMES,
  timedPoints,
  type DurationPoint,
  type Outcome,
  type TimedPoint,
} from './duration-plot.ts';

const TWO_DAYS = 2 * 86_400;

/** Plots durations and outcomes of runs over time. A click on a run opens it. */
export function DurationPlot({ label, points: ended }: { label: string; points: DurationPoint[] }) {
  const navigate = useNavigate();
  const points = useMemo(() => timedPoints(ended), [ended]);
  const data = useMemo(
    (): uPlot.AlignedData => [points.map((point) => point.time), points.map((point) => point.duration)],
    [points],
  );
  const options = useCallback(() => plotOptions(points), [points]);
  const present = (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) =>
    points.some((point) => point.outcome === outcome),
  );
  return (
    <div>
      <ul className="rs-plot-legend" aria-label={t('Outcomes')}>
        {present.map((outcome) => (
          <li key={outcome}>
            <ShapeMark shape={OUTCOMES[outcome].shape} color={`var(${OUTCOMES[outcome].color})`} />
            {OUTCOMES[outcome].text}
          </li>
        ))}
      </ul>
      <Plot
        label={t('Durations and outcomes of {label}', { label })}
        data={data}
        options={options}
        height={200}
        onClick={(index) => {
          const point = points[index];
          if (point) void navigate(`/activities/runstatus/${point.runId}/`);
        }}
      />
      <p className="rs-plot-summary">{durationSummary(ended)}</p>
    </div>
  );
}

function plotOptions(points: readonly TimedPoint[]) {
  const span = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  const timeText = (seconds: number): string => (span > TWO_DAYS ? formatDay : formatDayTime)(seconds * 1000);
  return {
    // Half of the last label extends beyond the axis.
    padding: [null, 56, null, null] as uPlot.Padding,
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: padded },
      y: { range: (_: uPlot, __: number, max: number): [number, number] => [0, Math.max(1, max) * 1.12] },
    },
    axes: [
      { space: span > TWO_DAYS ? 110 : 160, values: (_: uPlot, splits: number[]) => distinct(splits.map(timeText)) },
      { size: axisWidth, values: (_: uPlot, splits: number[]) => splits.map((value) => formatDuration(value)) },
    ],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [(plot: uPlot) => drawPoints(plot, points)] },
  };
}

/** Adds room at both ends, which also gives the axis a width if all runs have the same time. */
function padded(_: uPlot, min: number, max: number): [number, number] {
  const padding = Math.max(60, (max - min) * 0.03);
  return [min - padding, max + padding];
}

function drawPoints(plot: uPlot, points: readonly TimedPoint[]): void {
  const style = getComputedStyle(plot.root);
  const ratio = window.devicePixelRatio;
  const { ctx } = plot;
  ctx.save();
  ctx.lineWidth = 2 * ratio;
  for (const outcome of Object.keys(OUTCOMES) as Outcome[]) {
    const { shape, color } = OUTCOMES[outcome];
    ctx.beginPath();
    for (const point of points) {
      if (point.outcome !== outcome) continue;
      traceShape(ctx, shape, plot.valToPos(point.time, 'x', true), plot.valToPos(point.duration, 'y', true), 4 * ratio);
    }
    ctx.strokeStyle = style.getPropertyValue(color);
    ctx.fillStyle = ctx.strokeStyle;
    if (shape === 'cross') ctx.stroke();
    else ctx.fill();
  }
  ctx.restore();
}
