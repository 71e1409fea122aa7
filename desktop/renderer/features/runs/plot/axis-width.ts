import type uPlot from 'uplot';

/** Pixels: of a character, of the mark and its gap. */
const CHARACTER = 7;
const MARK = 18;
const LEAST = 40;

/** As wide as its texts, but never more than half of the plot. */
export function axisWidth(plot: uPlot, texts: readonly string[] | null): number {
  const longest = (texts ?? []).reduce((most, text) => Math.max(most, text.length), 0);
  return Math.min(plot.width / 2, Math.max(LEAST, longest * CHARACTER + MARK));
}
