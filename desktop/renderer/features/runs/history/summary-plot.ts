/** The summary of a history as text and as lines. */
import type { HistorySummary } from '#shared/contract/run-history.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDay, formatDuration } from '#renderer/ui/format-date.ts';

const ENDS = [
  ['Succeeded', t('succeeded')],
  ['Warned', t('succeeded with warnings')],
  ['Failed', t('failed')],
  ['Cancelled', t('cancelled')],
] as const;

/** Returns '1,204 ended runs from … to …: 1,200 succeeded, 4 failed. Half of them took …'. */
export function summaryText({ Runs, IsPartial, P50, P95, Longest, Periods }: HistorySummary): string {
  const [first, last] = [Periods[0], Periods.at(-1)];
  if (!first || !last) return t('No run has ended yet.');
  const ends = ENDS.map(([key, word]) => ({ word, sum: Periods.reduce((sum, period) => sum + period[key], 0) }))
    .filter(({ sum }) => sum > 0)
    .map(({ word, sum }) => `${numberText(sum)} ${word}`);
  return [
    t('{count} ended runs from {first} to {last}: {outcomes}.', {
      count: numberText(Runs),
      first: formatDay(first.Time),
      last: formatDay(last.Time),
      outcomes: ends.join(', '),
    }),
    ...(IsPartial ? [t('There are more runs; only the newest {count} are counted.', { count: numberText(Runs) })] : []),
    // Without durations, none of the runs started.
    ...(P50 === null || P95 === null || Longest === null
      ? []
      : [
          t('Half of them took {half} or less, 95% took {most} or less, the longest took {longest}.', {
            half: formatDuration(P50),
            most: formatDuration(P95),
            longest: formatDuration(Longest.Duration),
          }),
        ]),
  ].join(' ');
}

type Durations = (number | null)[];

/** Returns for each period: its start in seconds since 1970, p50, p95, and the number of failed runs. */
export const summaryLines = ({ Periods }: HistorySummary): [number[], Durations, Durations, number[]] => [
  Periods.map(({ Time }) => Date.parse(Time) / 1000),
  Periods.map(({ P50 }) => P50),
  Periods.map(({ P95 }) => P95),
  Periods.map(({ Failed }) => Failed),
];

/** Returns the local day of a time in milliseconds, as 'YYYY-MM-DD'. */
export function isoDayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
