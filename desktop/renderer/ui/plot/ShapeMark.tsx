import { traceShape, type Shape } from './palette.ts';

/** The mark of a series in a legend, the same as in the plot. */
export function ShapeMark({ shape, color }: { shape: Shape; color: string }) {
  const isLine = shape === 'cross' || shape === 'plus';
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden className="rs-plot-mark">
      <path d={shapePath(shape)} fill={isLine ? 'none' : color} stroke={color} strokeWidth={isLine ? 2 : 1} />
    </svg>
  );
}

/** Returns the outline of the canvas shape as an SVG path. */
function shapePath(shape: Shape): string {
  let d = '';
  traceShape(
    {
      moveTo: (x, y) => (d += `M${x} ${y}`),
      lineTo: (x, y) => (d += `L${x} ${y}`),
      rect: (x, y, w, h) => (d += `M${x} ${y}h${w}v${h}h${-w}Z`),
      arc: (x, y, r) => (d += `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`),
      closePath: () => (d += 'Z'),
    },
    shape,
    7,
    7,
    4.5,
  );
  return d;
}
