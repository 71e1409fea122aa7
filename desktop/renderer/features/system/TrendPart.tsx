import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type uPlot from 'uplot';
import { activityTrend, type ActivityTimes, type ActivityTrend } from '#shared/contract/system.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { axisWidth } from '#renderer/ui/plot/axis-width.ts';
import { LineLegend } from '#renderer/ui/plot/LineLegend.tsx';
import {
  fromZero,
  PERIOD_CURSOR,
  periodAxis,
  periodLine,
  periodScale,
  periodText,
} from '#renderer/ui/plot/period-options.ts';
import { Plot } from '#renderer/ui/plot/Plot.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { secondsText } from './system-columns.ts';

const INTERVAL = 60_000;

/** Durations of the runs of one of the slowest activities over time. */
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
  t('95% of the runs took this long or less'),
  t('99% of the runs took this long or less'),
];

function TrendPlot({ name, trend }: { name: string; trend: ActivityTrend }) {
  const { Periods } = trend;
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
  if (Periods.length === 0) return <p className="rs-plot-summary">{t('No run of this activity has ended yet.')}</p>;
  return (
    <div>
      <LineLegend lines={SHARES} />
      <Plot label={t('Durations of {name} over time', { name })} data={data} options={options} height={220} />
      <p className="rs-plot-summary">{trendText(trend)}</p>
    </div>
  );
}

function trendText(trend: ActivityTrend): string {
  const { Runs, HasOlder, Periods } = trend;
  const newest = Periods.at(-1)!;
  const timeText = periodText(trend);
  return [
    HasOlder
      ? t('The newest {count} runs, since {first}.', { count: numberText(Runs), first: timeText(Periods[0]!.Time) })
      : t('{count, plural, one {The only ended run} other {All # ended runs}}, since {first}.', {
          count: Runs,
          first: timeText(Periods[0]!.Time),
        }),
    t('Most recently, since {time}: p50 {p50}, p95 {p95}, p99 {p99}.', {
      time: timeText(newest.Time),
      p50: secondsText(newest.P50),
      p95: secondsText(newest.P95),
      p99: secondsText(newest.P99),
    }),
  ].join(' ');
}

function trendOptions(trend: ActivityTrend, isDark: boolean) {
  return {
    cursor: PERIOD_CURSOR,
    scales: { x: periodScale(trend, 0.5), y: fromZero(0.001) },
    axes: [
      periodAxis(trend),
      { size: axisWidth, values: (_: uPlot, splits: number[]) => splits.map((value) => secondsText(value)) },
    ],
    series: [{}, ...SHARES.map((_, index) => periodLine(index, trend, isDark))],
  };
}
