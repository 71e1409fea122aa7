import type { ReactNode } from 'react';
import { seriesDash } from '#shared/codecs/plot-lines.ts';
import { t } from '#renderer/language/translate.ts';
import { seriesColor } from './palette.ts';
import { useIsDark } from './Plot.tsx';

interface LineLegendProps {
  /** Names of the lines, in order. */
  lines: readonly string[];
  /** Further items that are not lines. */
  children?: ReactNode;
}

/** Legend of a plot's lines, with their colors and dashes. */
export function LineLegend({ lines, children }: LineLegendProps) {
  const isDark = useIsDark();
  return (
    <ul className="rs-plot-legend" aria-label={t('Legend of the plot')}>
      {lines.map((text, index) => (
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
      {children}
    </ul>
  );
}
