import type { OutputSeries } from '#shared/contract/output-series.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

function periodText(seconds: number): string {
  if (seconds % DAY === 0) return t('{count, plural, one {day} other {# days}}', { count: seconds / DAY });
  if (seconds % HOUR === 0) return t('{count, plural, one {hour} other {# hours}}', { count: seconds / HOUR });
  return t('{count, plural, one {minute} other {# minutes}}', { count: seconds / MINUTE });
}

/** Describes the plot in words. */
export function seriesText({ Points, Runs, Info, PeriodSeconds }: OutputSeries): string {
  const [first, last] = [Points[0], Points.at(-1)];
  if (!first || !last) return '';
  const text = (value: number): string => shownValue(value, Info.Formats[0], Info.CellUsages[0]);
  const min = Points.reduce((lowest, { Least }) => Math.min(lowest, Least), Infinity);
  const max = Points.reduce((highest, { Most }) => Math.max(highest, Most), -Infinity);
  const runs = t('{runs, plural, one {1 run} other {# runs}}', { runs: Runs });
  const what =
    PeriodSeconds === null
      ? t('{runs}, latest value {value}', { runs, value: text(last.Value) })
      : t('{runs}: mean per {period}; dotted: lowest and highest', {
          runs,
          period: periodText(PeriodSeconds),
        });
  return t('From {time} to {time2}. {what}. Lowest {least}, highest {most}.', {
    time: formatDayTime(first.Time),
    time2: formatDayTime(last.Time),
    what,
    least: text(min),
    most: text(max),
  });
}
