import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { axisStyle } from './palette.ts';
import 'uplot/dist/uPlot.min.css';
import './plot.css';

/** In pixels. */
const HALF_A_DATE = 56;

export interface PlotProps {
  /** Description of the plot for screen readers. */
  label: string;
  data: uPlot.AlignedData;
  height?: number;
  /** Called when the data or the theme changes. The plot adds width, height and the appearance of the axes. */
  options: (isDark: boolean) => Pick<uPlot.Options, 'series' | 'scales' | 'axes' | 'hooks' | 'cursor'>;
  onClick?: (index: number) => void;
}

/**
 * A plot in the available width and the theme of the page. Its text alternatives are `label` and the caller's summary.
 */
export function Plot({ label, data, height = 240, options, onClick }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  const click = useRef(onClick);
  useEffect(() => {
    click.current = onClick;
  }, [onClick]);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const own = options(isDark);
    const axisDefaults = axisStyle(element);
    const width = Math.max(200, element.clientWidth);
    const plot = new uPlot(
      {
        width,
        height,
        legend: { show: false },
        // The last tick may be at the edge, and half of its label needs room. A right axis already provides it.
        padding: hasRightAxis(own.axes) ? undefined : [null, HALF_A_DATE, null, null],
        ...own,
        axes: (own.axes ?? [{}, {}]).map((axis) => ({ ...axisDefaults, ...axis })),
      },
      data,
      element,
    );
    const onPlotClick = (): void => {
      const { idx } = plot.cursor;
      if (idx !== null && idx !== undefined) click.current?.(idx);
    };
    plot.over.addEventListener('click', onPlotClick);
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(200, element.clientWidth), height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, options, height, isDark]);
  return <div ref={box} className="rs-plot" role="img" aria-label={label} style={{ height }} />;
}

const RIGHT = 1;
const hasRightAxis = (axes: readonly uPlot.Axis[] = []): boolean => axes.some(({ side }) => Number(side) === RIGHT);

const readDark = (): boolean => document.body.classList.contains('bp6-dark');

export function useIsDark(): boolean {
  const [isDark, setDark] = useState(readDark);
  useEffect(() => {
    const observer = new MutationObserver(() => setDark(readDark()));
    observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    return () => observer.disconnect();
  }, []);
  return isDark;
}
