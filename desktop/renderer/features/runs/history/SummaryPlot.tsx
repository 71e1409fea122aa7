import { useCallback, useMemo } from 'react';
import { Link } from 'react-router-dom';
import uPlot from 'uplot';
import type { HistorySummary } from '#shared/contract/run-history.ts';
import { formatDuration } from '#renderer/ui/format-date.ts';
import { axisWidth } from '#renderer/ui/plot/axis-width.ts';
import { LineLegend } from '#renderer/ui/plot/LineLegend.tsx';
import { fromZero, PERIOD_CURSOR, periodAxis, periodLine, periodScale } from '#renderer/ui/plot/period-options.ts';
import { Plot } from '#renderer/ui/plot/Plot.tsx';
import { t } from '#renderer/language/translate.ts';
import { summaryLines, summaryText } from './summary-plot.ts';

/** Share of a period that the bar of its failures takes, and the maximum width in pixels. */
const BAR: [number, number] = [0.6, 24];

interface SummaryPlotProps {
  label: string;
  summary: HistorySummary;
  /** Called on a click with the first and last moment of the period, in milliseconds. */
  onPeriod: (from: number, to: number) => void;
}

/** Plots the median and the 95th percentile of the durations as lines over time, and failures as bars. */
export function SummaryPlot({ label, summary, onPeriod }: SummaryPlotProps) {
  const data = useMemo((): uPlot.AlignedData => summaryLines(summary), [summary]);
  const options = useCallback((isDark: boolean) => plotOptions(summary, isDark), [summary]);
  if (summary.Periods.length === 0) return <p className="rs-plot-summary">{summaryText(summary)}</p>;
  return (
    <div>
      <LineLegend lines={[t('Half of the runs took this long or less'), t('95% of the runs took this long or less')]}>
        <li>
          <svg className="rs-plot-mark" width={10} height={12} aria-hidden>
            <rect width={10} height={12} fill="var(--rs-danger)" />
          </svg>
          {t('Failed runs (right axis)')}
        </li>
      </LineLegend>
      <Plot
        label={t('Durations and failures of {label} over time', { label })}
        data={data}
        options={options}
        height={220}
        onClick={(index) => {
          const period = summary.Periods[index];
          if (!period) return;
          const from = Date.parse(period.Time);
          onPeriod(from, from + summary.PeriodSeconds * 1000 - 1);
        }}
      />
      <p className="rs-plot-summary">
        {summaryText(summary)}{' '}
        {summary.Longest && (
          <Link to={`/activities/runstatus/${summary.Longest.Id}/`}>{t('Open the longest run')}</Link>
        )}
      </p>
    </div>
  );
}

function plotOptions(summary: HistorySummary, isDark: boolean) {
  const danger = getComputedStyle(document.body).getPropertyValue('--rs-danger');
  const maxFailed = Math.max(1, ...summary.Periods.map(({ Failed }) => Failed));
  return {
    cursor: PERIOD_CURSOR,
    scales: {
      x: periodScale(summary, 0.5),
      y: fromZero(1),
      // Keep the bars in the lower half, below the lines.
      failed: { range: (): [number, number] => [0, maxFailed * 2] },
    },
    axes: [
      periodAxis(summary),
      { size: axisWidth, values: (_: uPlot, splits: number[]) => splits.map((value) => formatDuration(value)) },
      {
        scale: 'failed',
        side: 1 as const,
        size: axisWidth,
        grid: { show: false },
        values: (_: uPlot, splits: number[]) => splits.map((value) => (Number.isInteger(value) ? String(value) : '')),
      },
    ],
    series: [
      {},
      periodLine(0, summary, isDark),
      periodLine(1, summary, isDark),
      { scale: 'failed', fill: danger, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: BAR }) },
    ],
  };
}
