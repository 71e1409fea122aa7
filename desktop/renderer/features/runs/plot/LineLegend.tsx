import type { ReactNode } from 'react';
import { t } from '#renderer/language/translate.ts';
import { seriesColor, seriesDash } from './palette.ts';
import { useIsDark } from './Plot.tsx';

interface LineLegendProps {
  /** What the lines are, in their order. */
  lines: readonly string[];
  /** Items for what is no line. */
  children?: ReactNode;
}

/** What the lines of a plot are, each with its colour and dashes. */
export function LineLegend({ lines, children }: LineLegendProps) {
  const isDark = useIsDark();
  return (
    <ul className="rs-plot-legend" aria-label={t('What is plotted')}>
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
