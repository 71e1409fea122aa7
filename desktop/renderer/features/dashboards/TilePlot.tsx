import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import type uPlot from 'uplot';
import type { ValuesData } from '#shared/contract/dashboards.ts';
import { axisWidth } from '#renderer/ui/plot/axis-width.ts';
import { seriesColor } from '#renderer/ui/plot/palette.ts';
import { Plot } from '#renderer/ui/plot/Plot.tsx';
import { TILE_GAP, TILE_LINE } from './tile-lines.ts';
import { numberText, plotText } from './tile-texts.ts';
import { timeAxis } from '#renderer/ui/plot/plot-times.ts';
import { t } from '#renderer/language/translate.ts';

/** Pixels of a tile around its plot: title, text, padding. */
const AROUND = 80;
const MIN_HEIGHT = 90;

interface TilePlotProps {
  data: ValuesData;
  /** Height of the tile in grid lines. */
  lines: number;
  isLinked: boolean;
}

/** Plot of an output over the last runs; a click opens the run. */
export function TilePlot({ data, lines, isLinked }: TilePlotProps) {
  const navigate = useNavigate();
  const points = useMemo(() => data.Points.filter(({ Value }) => Value !== null), [data.Points]);
  const drawn = useMemo(
    (): uPlot.AlignedData => [points.map(({ Time }) => Date.parse(Time) / 1000), points.map(({ Value }) => Value)],
    [points],
  );
  const { Info } = data;
  const options = useCallback(
    (isDark: boolean) => ({
      cursor: { y: false, drag: { x: false, y: false } },
      axes: [
        timeAxis(),
        { size: axisWidth, values: (_: uPlot, splits: number[]) => splits.map((value) => numberText(value, Info)) },
      ],
      series: [
        {},
        { stroke: seriesColor(0, isDark), width: 2, spanGaps: true, points: { show: points.length < 60, size: 6 } },
      ],
    }),
    [Info, points.length],
  );
  if (points.length === 0) return <p className="rs-muted">{t('The output is not a number')}</p>;
  return (
    <>
      <Plot
        label={t('{outputName} of {name} over its runs', { outputName: data.OutputName, name: data.Name })}
        data={drawn}
        height={Math.max(MIN_HEIGHT, lines * (TILE_LINE + TILE_GAP) - TILE_GAP - AROUND)}
        options={options}
        {...(isLinked ? { onClick: (index) => void navigate(`/activities/runstatus/${points[index]!.Id}/`) } : {})}
      />
      <p className="rs-tile-source">
        {plotText(data)}
        {data.IsOwn && t(', own runs only')}
      </p>
    </>
  );
}
