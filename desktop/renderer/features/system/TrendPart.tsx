import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type uPlot from 'uplot';
import { activityTrend, type ActivityTimes, type ActivityTrend } from '#shared/contract/system.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/features/administration/QueryStates.tsx';
import { distinct } from '#renderer/features/runs/history/duration-plot.ts';
import { axisWidth } from '#renderer/features/runs/plot/axis-width.ts';
import { seriesColor, seriesDash } from '#renderer/features/runs/plot/palette.ts';
import { Plot, useIsDark } from '#renderer/features/runs/plot/Plot.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDay, formatDayTime } from '#renderer/ui/format-date.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { secondsText } from './system-columns.ts';

const INTERVAL = 60_000;
const DAY = 86_400;

/** How long the runs of one of the slowest activities took, over time. */
export function TrendPart({ activities }: { activities: readonly ActivityTimes[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = activities.find(({ ActivityId }) => ActivityId === chosen) ?? activities[0];
  if (!shown) return null;
  return (
    <>
      <div className="rs-system-choice">
        <FormField label={t('Over time')}>
          {(field) => (
            <HTMLSelect
              id={field.id}
              value={shown.ActivityId}
              options={activities.map(({ ActivityId: value, Name: label }) => ({ value, label }))}
              onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
            />
          )}
        </FormField>
      </div>
      <Trend key={shown.ActivityId} id={shown.ActivityId} name={shown.Name} />
    </>
  );
}

function Trend({ id, name }: { id: number; name: string }) {
  const query = useQuery({
    queryKey: [...keyOf(activityTrend), id],
    queryFn: ({ signal }) => call(activityTrend, { params: { id }, signal, polls: true }),
    refetchInterval: INTERVAL,
    ...keepPrevious,
  });
  return <QueryStates query={query}>{(trend) => <TrendPlot name={name} trend={trend} />}</QueryStates>;
}

const SHARES = [
  t('Half of the runs took this long or less'),
  t('95 of 100 took this long or less'),
  t('99 of 100 took this long or less'),
];

function TrendPlot({ name, trend }: { name: string; trend: ActivityTrend }) {
  const { Periods } = trend;
  const isDark = useIsDark();
  const data = useMemo(
    (): uPlot.AlignedData => [
      Periods.map(({ Time }) => Date.parse(Time) / 1000),
      Periods.map(({ P50 }) => P50),
      Periods.map(({ P95 }) => P95),
      Periods.map(({ P99 }) => P99),
    ],
    [Periods],
  );
  const options = useCallback((dark: boolean) => trendOptions(trend, dark), [trend]);
  if (Periods.length === 0) return <p className="rs-plot-summary">{t('No run of it has ended.')}</p>;
  return (
    <div>
      <ul className="rs-plot-legend" aria-label={t('What is plotted')}>
        {SHARES.map((text, index) => (
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
      </ul>
      <Plot label={t('Durations of {name} over time', { name })} data={data} options={options} height={220} />
      <p className="rs-plot-summary">{trendText(trend)}</p>
    </div>
  );
}

function trendText({ Runs, HasOlder, Periods, PeriodSeconds }: ActivityTrend): string {
  const newest = Periods.at(-1)!;
  const timeText = PeriodSeconds < DAY ? formatDayTime : formatDay;
  const count = numberText(Runs);
  return [
    HasOlder
      ? t('The newest {count} runs, since {first}.', { count, first: timeText(Periods[0]!.Time) })
      : t('All {count} ended runs, since {first}.', { count, first: timeText(Periods[0]!.Time) }),
    t('Last, from {time} on: p50 {p50}, p95 {p95}, p99 {p99}.', {
      time: timeText(newest.Time),
      p50: secondsText(newest.P50),
      p95: secondsText(newest.P95),
      p99: secondsText(newest.P99),
    }),
  ].join(' ');
}

function trendOptions({ Periods, PeriodSeconds }: ActivityTrend, isDark: boolean) {
  const timeText = (seconds: number): string => (PeriodSeconds < DAY ? formatDayTime : formatDay)(seconds * 1000);
  const secondsOf = (index: number): number => Date.parse(Periods.at(index)!.Time) / 1000;
  const [first, last] = [secondsOf(0), secondsOf(-1)];
  return {
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      // Of the periods themselves, also where there is but one.
      x: { range: (): [number, number] => [first - PeriodSeconds / 2, last + PeriodSeconds] },
      y: { range: (_: uPlot, __: number, top: number): [number, number] => [0, Math.max(0.001, top) * 1.12] },
    },
    axes: [
      {
        space: PeriodSeconds < DAY ? 160 : 110,
        values: (_: uPlot, splits: number[]) => distinct(splits.map(timeText)),
      },
      { size: axisWidth, values: (_: uPlot, splits: number[]) => splits.map((value) => secondsText(value)) },
    ],
    series: [
      {},
      ...SHARES.map((__, index) => ({
        stroke: seriesColor(index, isDark),
        width: 2,
        dash: seriesDash(index),
        points: { show: Periods.length < 3 },
      })),
    ],
  };
}
