/** Shared options of plots over periods of time. */
import type uPlot from 'uplot';
import { seriesDash } from '#shared/codecs/plot-lines.ts';
import { formatDay, formatDayTime } from '#renderer/ui/format-date.ts';
import { seriesColor } from './palette.ts';

const DAY = 86_400;
/** Factor for the room above the highest value. */
const HEADROOM = 1.12;

interface OverPeriods {
  Periods: readonly { Time: string }[];
  PeriodSeconds: number;
}

/** Returns the formatter for the start of a period. It includes the time if periods are shorter than a day. */
export const periodText = ({ PeriodSeconds }: Pick<OverPeriods, 'PeriodSeconds'>): typeof formatDay =>
  PeriodSeconds < DAY ? formatDayTime : formatDay;

/**
 * Returns a scale that spans the periods, even if there is only one. @param before number of periods of room before the
 * first
 */
export function periodScale({ Periods, PeriodSeconds }: OverPeriods, before: number): uPlot.Scale {
  const secondsOf = (index: number): number => Date.parse(Periods.at(index)!.Time) / 1000;
  const range: [number, number] = [secondsOf(0) - before * PeriodSeconds, secondsOf(-1) + PeriodSeconds];
  return { range: () => range };
}

/** Returns a scale that starts at 0. @param least minimum upper end of the scale */
export const fromZero = (minTop: number): uPlot.Scale => ({
  range: (_, __, top) => [0, Math.max(minTop, top) * HEADROOM],
});

/** Blanks repeated labels along an axis: with more ticks than days, each day is written once. */
export const distinct = (texts: string[]): string[] =>
  texts.map((text, index) => (text === texts[index - 1] ? '' : text));

export function periodAxis(over: OverPeriods): uPlot.Axis {
  const text = periodText(over);
  return {
    space: over.PeriodSeconds < DAY ? 160 : 110,
    values: (_, splits) => distinct(splits.map((seconds) => text(seconds * 1000))),
  };
}

/** Returns a line with the color and dashes of its index. Its points are shown if there are too few for a line. */
export const periodLine = (index: number, { Periods }: OverPeriods, isDark: boolean): uPlot.Series => ({
  stroke: seriesColor(index, isDark),
  width: 2,
  dash: seriesDash(index),
  points: { show: Periods.length < 3 },
});

/** The cursor only marks a period. */
export const PERIOD_CURSOR = { y: false, drag: { x: false, y: false } };
