import { formatCellValue } from '#shared/codecs/format-value.ts';
import type { OutputSeries } from '#shared/contract/output-series.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';

const LENGTHS: readonly [seconds: number, one: string, many: string][] = [
  [86_400, 'day', 'days'],
  [3600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
];

function periodText(seconds: number): string {
  const [length, one, many] = LENGTHS.find(([length]) => seconds % length === 0) ?? LENGTHS.at(-1)!;
  const count = seconds / length;
  return count === 1 ? one : `${count} ${many}`;
}

/** What the plot shows, in words. */
export function seriesText({ Points, Runs, Info, PeriodSeconds }: OutputSeries): string {
  const [first, last] = [Points[0], Points.at(-1)];
  if (!first || !last) return '';
  const text = (value: number): string => formatCellValue(value, Info.Formats[0], Info.CellUsages[0]);
  const least = Points.reduce((lowest, { Least }) => Math.min(lowest, Least), Infinity);
  const most = Points.reduce((highest, { Most }) => Math.max(highest, Most), -Infinity);
  const runs = t('{runs, plural, one {1 run} other {# runs}}', { runs: Runs });
  const what =
    PeriodSeconds === null
      ? `${runs}, the last came to ${text(last.Value)}`
      : `${runs}: the mean of each ${periodText(PeriodSeconds)}, dotted the least and the greatest`;
  return t('From {time} to {time2}. {what}. Lowest {least}, highest {most}.', {
    time: formatDayTime(first.Time),
    time2: formatDayTime(last.Time),
    what,
    least: text(least),
    most: text(most),
  });
}
