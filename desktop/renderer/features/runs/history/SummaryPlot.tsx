import { useCallback, useMemo } from 'react';
import { Link } from 'react-router-dom';
import uPlot from 'uplot';
import type { HistorySummary } from '#shared/contract/run-history.ts';
import { formatDay, formatDayTime, formatDuration } from '#renderer/ui/format-date.ts';
import { seriesColor, seriesDash } from '#renderer/features/runs/plot/palette.ts';
import { Plot, useIsDark } from '#renderer/features/runs/plot/Plot.tsx';
import { t } from '#renderer/language/translate.ts';
import { distinct } from './duration-plot.ts';
import { summaryLines, summaryText } from './summary-plot.ts';

const DAY = 86_400;
/** Share of a period that the bar of its failures takes, and its most pixels. */
const BAR: [number, number] = [0.6, 24];

interface SummaryPlotProps {
  label: string;
  summary: HistorySummary;
  /** A click on a period: its beginning and last moment, in milliseconds. */
  onPeriod: (from: number, to: number) => void;
}

/** Durations of half and of nearly all runs as lines over time, failures as bars. */
export function SummaryPlot({ label, summary, onPeriod }: SummaryPlotProps) {
  const data = useMemo((): uPlot.AlignedData => summaryLines(summary), [summary]);
  const options = useCallback((isDark: boolean) => plotOptions(summary, isDark), [summary]);
  const isDark = useIsDark();
  if (summary.Periods.length === 0) return <p className="rs-plot-summary">{summaryText(summary)}</p>;
  return (
    <div>
      <ul className="rs-plot-legend" aria-label={t('What is plotted')}>
        {[t('Half of the runs took this long or less'), t('95 of 100 took this long or less')].map((text, index) => (
          <li key={text}>
            <svg className="rs-plot-mark" width={28} height={10} aria-hidden>
              <line
                x1={0}
                x2={28}
                y1={5}
                y2={5}
                strokeWidth={2}
                stroke={seriesColor(index, isDark)}
                strokeDasharray={seriesDash(index).join(' ')}
              />
            </svg>
            {text}
          </li>
        ))}
        <li>
          <svg className="rs-plot-mark" width={10} height={12} aria-hidden>
            <rect width={10} height={12} fill="var(--rs-danger)" />
          </svg>
          {t('Failed runs (right axis)')}
        </li>
      </ul>
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

function plotOptions({ Periods, PeriodSeconds }: HistorySummary, isDark: boolean) {
  const danger = getComputedStyle(document.body).getPropertyValue('--rs-danger');
  const timeText = (seconds: number): string => (PeriodSeconds < DAY ? formatDayTime : formatDay)(seconds * 1000);
  const secondsOf = (index: number): number => Date.parse(Periods.at(index)!.Time) / 1000;
  const [first, last] = [secondsOf(0), secondsOf(-1)];
  const most = Math.max(1, ...Periods.map(({ Failed }) => Failed));
  const line = (index: number): uPlot.Series => ({
    stroke: seriesColor(index, isDark),
    width: 2,
    dash: seriesDash(index),
    points: { show: Periods.length < 3 },
  });
  return {
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      // Of the periods themselves, also where there is but one.
      x: { range: (): [number, number] => [first - PeriodSeconds / 2, last + PeriodSeconds] },
      y: { range: (_: uPlot, __: number, top: number): [number, number] => [0, Math.max(1, top) * 1.12] },
      // The bars keep to the lower part, below the lines.
      failed: { range: (): [number, number] => [0, most * 2] },
    },
    axes: [
      {
        space: PeriodSeconds < DAY ? 160 : 110,
        values: (_: uPlot, splits: number[]) => distinct(splits.map(timeText)),
      },
      { size: 80, values: (_: uPlot, splits: number[]) => splits.map((value) => formatDuration(value)) },
      {
        scale: 'failed',
        side: 1 as const,
        size: 50,
        grid: { show: false },
        values: (_: uPlot, splits: number[]) => splits.map((value) => (Number.isInteger(value) ? String(value) : '')),
      },
    ],
    series: [
      {},
      line(0),
      line(1),
      { scale: 'failed', fill: danger, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: BAR }) },
    ],
  };
}
