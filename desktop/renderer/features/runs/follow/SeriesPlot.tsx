import { useCallback, useMemo } from 'react';
import type uPlot from 'uplot';
import { seriesDash } from '#shared/codecs/plot-lines.ts';
import type { OutputSeries } from '#shared/contract/output-series.ts';
import { axisWidth } from '#renderer/ui/plot/axis-width.ts';
import { seriesColor } from '#renderer/ui/plot/palette.ts';
import { Plot } from '#renderer/ui/plot/Plot.tsx';
import { timeAxis } from '#renderer/ui/plot/plot-times.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { t } from '#renderer/language/translate.ts';
import { seriesText } from './series-text.ts';

interface SeriesPlotProps {
  series: OutputSeries;
  onRun: (id: number) => void;
}

/** Plots each run as a point. For very many runs, it plots the mean of each period with its minimum and maximum. */
export function SeriesPlot({ series, onRun }: SeriesPlotProps) {
  const { Points, PeriodSeconds, Info, OutputName, ActivityName } = series;
  const data = useMemo((): uPlot.AlignedData => {
    const x = Points.map(({ Time }) => Date.parse(Time) / 1000);
    const values = Points.map(({ Value }) => Value);
    if (PeriodSeconds === null) return [x, values];
    return [x, values, Points.map(({ Least }) => Least), Points.map(({ Most }) => Most)];
  }, [Points, PeriodSeconds]);
  const options = useCallback(
    (isDark: boolean) => {
      const bound = { stroke: seriesColor(1, isDark), width: 1, dash: seriesDash(2), points: { show: false } };
      return {
        cursor: { y: false, drag: { x: false, y: false } },
        axes: [
          timeAxis(),
          {
            size: axisWidth,
            values: (_: uPlot, splits: number[]) =>
              splits.map((value) => shownValue(value, Info.Formats[0], Info.CellUsages[0])),
          },
        ],
        series: [
          {},
          { stroke: seriesColor(0, isDark), width: 2, points: { show: Points.length < 100, size: 6 } },
          ...(PeriodSeconds === null ? [] : [bound, bound]),
        ],
      };
    },
    [Info, Points.length, PeriodSeconds],
  );
  return (
    <>
      <Plot
        label={t('{outputName} of {activityName} over its runs', {
          outputName: OutputName,
          activityName: ActivityName,
        })}
        data={data}
        height={380}
        options={options}
        onClick={(index) => {
          const id = Points[index]?.Id;
          if (id != null) onRun(id);
        }}
      />
      <p className="rs-plot-summary">{seriesText(series)}</p>
    </>
  );
}
