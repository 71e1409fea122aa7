import type uPlot from 'uplot';

/** In pixels: width of a character, and of the tick with its gap. */
const CHARACTER = 7;
const MARK = 18;
const MIN_WIDTH = 40;

/** Returns a width that fits the labels, at most half of the plot. */
export function axisWidth(plot: uPlot, texts: readonly string[] | null): number {
  const longest = (texts ?? []).reduce((max, text) => Math.max(max, text.length), 0);
  return Math.min(plot.width / 2, Math.max(MIN_WIDTH, longest * CHARACTER + MARK));
}
