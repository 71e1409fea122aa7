import type { ValuesData } from '#shared/contract/dashboards.ts';
import { t } from '#renderer/language/translate.ts';
import { plotText } from './tile-texts.ts';

const WIDTH = 200;
const HEIGHT = 40;
const EDGE = 4;

/** The values of the last runs as a line without axes. */
export function Sparkline({ data }: { data: ValuesData }) {
  const values = data.Points.flatMap(({ Value }) => Value ?? []);
  if (values.length < 2) return null;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const x = (index: number): number => EDGE + (index / (values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number): number =>
    highest === lowest ? HEIGHT / 2 : HEIGHT - EDGE - ((value - lowest) / (highest - lowest)) * (HEIGHT - 2 * EDGE);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  return (
    <svg
      className="rs-sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Trend. {plot}', { plot: plotText(data) })}
    >
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
