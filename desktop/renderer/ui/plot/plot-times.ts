/** Time axes for points at arbitrary times instead of periods. */
import type uPlot from 'uplot';
import { formatDay, formatTime } from '#renderer/ui/format-date.ts';

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
/** Possible distances between ticks in seconds, chosen so that ticks are at round times. */
const STEPS = [1, 5, 15, 30, ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE), ...[1, 2, 3, 6, 12].map((n) => n * HOUR)];
const DAY_STEPS = [1, 2, 7, 14, 31, 61, 92, 183, 366];

/** In pixels: width of a tick label with its gap, and height of one and of two lines below the plot. */
const SPACE = 90;
const [ONE_LINE, TWO_LINES] = [34, 50];

function midnightOf(seconds: number): Date {
  const day = new Date(seconds * 1000);
  day.setHours(0, 0, 0, 0);
  return day;
}

/**
 * Returns at most `most` ticks between two times: at round times of the user's time zone, or at both ends if fewer than
 * two fit.
 */
export function timeMarks(from: number, to: number, maxMarks: number): number[] {
  const midnight = midnightOf(from);
  const start = midnight.getTime() / 1000;
  const within = (marks: number[]): number[] => marks.filter((mark) => mark >= from && mark <= to);
  const fits = (step: number): boolean => (to - from) / step <= maxMarks;
  const step = STEPS.find(fits);
  let marks: number[];
  if (step !== undefined) {
    const first = Math.ceil((from - start) / step);
    const last = Math.floor((to - start) / step);
    marks = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => start + (first + index) * step);
  } else {
    const days = DAY_STEPS.find((count) => fits(count * DAY)) ?? Math.ceil((to - from) / DAY / maxMarks);
    const count = Math.floor((to - start) / DAY / days) + 2;
    // Use the calendar: a day on which the clocks change has 23 or 25 hours.
    marks = Array.from(
      { length: count },
      (_, index) => new Date(midnight).setDate(midnight.getDate() + index * days) / 1000,
    );
  }
  const shown = within(marks).slice(0, Math.max(2, maxMarks));
  return shown.length >= 2 ? shown : [from, to];
}

/**
 * Returns tick labels without repetitions: days, or times with the day below its first tick if not all ticks are
 * midnights.
 */
export function timeText(marks: readonly number[]): string[] {
  const isOfDays = marks.every((mark) => mark * 1000 === midnightOf(mark).getTime());
  const days = marks.map((mark) => formatDay(mark * 1000));
  const isNewDay = (index: number): boolean => days[index] !== days[index - 1];
  if (isOfDays) return days.map((day, index) => (isNewDay(index) ? day : ''));
  const isShort = marks.length > 1 && marks[1]! - marks[0]! < MINUTE;
  const times = marks.map((mark) => formatTime(mark * 1000, isShort));
  return times.map((time, index) =>
    isNewDay(index) ? `${time}\n${days[index]}` : time === times[index - 1] ? '' : time,
  );
}

export const timeAxis = (): uPlot.Axis => ({
  splits: (plot, _, from, to) =>
    timeMarks(from, to, Math.max(2, Math.floor(plot.bbox.width / window.devicePixelRatio / SPACE))),
  values: (_, splits) => timeText(splits),
  size: (_, texts) => ((texts ?? []).some((text) => text.includes('\n')) ? TWO_LINES : ONE_LINE),
});
