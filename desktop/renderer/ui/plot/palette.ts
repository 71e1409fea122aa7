/**
 * Colors and shapes of plots; both identify a series. Colors after Okabe and Ito, adjusted for contrast in each
 * theme.
 */
import type uPlot from 'uplot';
import { LIGHT_COLORS } from '#shared/codecs/plot-lines.ts';

const SHAPES = ['circle', 'square', 'triangle', 'cross', 'diamond', 'plus'] as const;
export type Shape = (typeof SHAPES)[number];

const DARK = ['#6cb6ff', '#ff9d4d', '#4fd1a5', '#e59ac9', '#e6d34a', '#d3d8de'];

export const seriesColor = (index: number, isDark: boolean): string => {
  const colors = isDark ? DARK : LIGHT_COLORS;
  return colors[index % colors.length]!;
};

export const seriesShape = (index: number): Shape => SHAPES[index % SHAPES.length]!;

/** Traces the outline of a shape around a point; `size` is the distance from the center to the edge. */
export function traceShape(
  path: Pick<Path2D, 'arc' | 'moveTo' | 'lineTo' | 'rect' | 'closePath'>,
  shape: Shape,
  x: number,
  y: number,
  size: number,
): void {
  const polygon = (...points: [number, number][]): void => {
    points.forEach(([dx, dy], index) =>
      index === 0 ? path.moveTo(x + dx * size, y + dy * size) : path.lineTo(x + dx * size, y + dy * size),
    );
    path.closePath();
  };
  if (shape === 'circle') {
    path.moveTo(x + size, y);
    path.arc(x, y, size, 0, 2 * Math.PI);
  } else if (shape === 'square') path.rect(x - size * 0.85, y - size * 0.85, size * 1.7, size * 1.7);
  else if (shape === 'triangle') polygon([0, -1.15], [1.1, 0.85], [-1.1, 0.85]);
  else if (shape === 'diamond') polygon([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]);
  else {
    const lines: [number, number, number, number][] =
      shape === 'cross'
        ? [
            [-1, -1, 1, 1],
            [-1, 1, 1, -1],
          ]
        : [
            [0, -1.2, 0, 1.2],
            [-1.2, 0, 1.2, 0],
          ];
    for (const [fromX, fromY, toX, toY] of lines) {
      path.moveTo(x + fromX * size, y + fromY * size);
      path.lineTo(x + toX * size, y + toY * size);
    }
  }
}

/** Returns the appearance of axes in the colors of the theme. */
export function axisStyle(element: HTMLElement): Pick<uPlot.Axis, 'stroke' | 'grid' | 'ticks' | 'font'> {
  const style = getComputedStyle(element);
  const line = style.getPropertyValue('--rs-line');
  return {
    stroke: style.getPropertyValue('--rs-muted'),
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: `12px ${style.fontFamily}`,
  };
}
