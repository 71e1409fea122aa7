/** What plots over periods of time have in common. */
import type uPlot from 'uplot';
import { formatDay, formatDayTime } from '#renderer/ui/format-date.ts';
import { seriesColor, seriesDash } from './palette.ts';

const DAY = 86_400;
/** Room above the highest value. */
const HEADROOM = 1.12;

interface OverPeriods {
  Periods: readonly { Time: string }[];
  PeriodSeconds: number;
}

/** How the beginning of a period is written: with its time where periods are shorter than a day. */
export const periodText = ({ PeriodSeconds }: Pick<OverPeriods, 'PeriodSeconds'>): typeof formatDay =>
  PeriodSeconds < DAY ? formatDayTime : formatDay;

/** The span of the periods themselves, also where there is but one. @param before periods of room before the first */
export function periodScale({ Periods, PeriodSeconds }: OverPeriods, before: number): uPlot.Scale {
  const secondsOf = (index: number): number => Date.parse(Periods.at(index)!.Time) / 1000;
  const range: [number, number] = [secondsOf(0) - before * PeriodSeconds, secondsOf(-1) + PeriodSeconds];
  return { range: () => range };
}

/** From 0 on. @param least the highest value that is shown where all are lower */
export const fromZero = (least: number): uPlot.Scale => ({
  range: (_, __, top) => [0, Math.max(least, top) * HEADROOM],
});

/** Texts along an axis: a day that comes twice, because there are more marks than days, is written once. */
export const distinct = (texts: string[]): string[] =>
  texts.map((text, index) => (text === texts[index - 1] ? '' : text));

export function periodAxis(over: OverPeriods): uPlot.Axis {
  const text = periodText(over);
  return {
    space: over.PeriodSeconds < DAY ? 160 : 110,
    values: (_, splits) => distinct(splits.map((seconds) => text(seconds * 1000))),
  };
}

/** A line in the colour and dashes of its place; its points are shown where there are too few for a line. */
export const periodLine = (index: number, { Periods }: OverPeriods, isDark: boolean): uPlot.Series => ({
  stroke: seriesColor(index, isDark),
  width: 2,
  dash: seriesDash(index),
  points: { show: Periods.length < 3 },
});

/** A look at a plot marks a period and nothing else. */
export const PERIOD_CURSOR = { y: false, drag: { x: false, y: false } };
