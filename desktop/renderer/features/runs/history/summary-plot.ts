/** What the summary of a history says in words, and as lines. */
import type { HistorySummary } from '#shared/contract/run-history.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDay, formatDuration } from '#renderer/ui/format-date.ts';

const count = (number: number): string => number.toLocaleString('en');

const ENDS = [
  ['Succeeded', 'succeeded'],
  ['Warned', t('succeeded with warnings')],
  ['Failed', 'failed'],
  ['Cancelled', 'cancelled'],
] as const;

/** '1,204 ended runs from … to …: 1,200 succeeded, 4 failed. Half of them took …' */
export function summaryText({ Runs, P50, P95, Longest, Periods }: HistorySummary): string {
  const [first, last] = [Periods[0], Periods.at(-1)];
  if (!first || !last || P50 === null || P95 === null || Longest === null) return t('No run has ended.');
  const ends = ENDS.map(([key, word]) => ({ word, sum: Periods.reduce((sum, period) => sum + period[key], 0) }))
    .filter(({ sum }) => sum > 0)
    .map(({ word, sum }) => `${count(sum)} ${word}`);
  return [
    `${count(Runs)} ended runs from ${formatDay(first.Time)} to ${formatDay(last.Time)}: ${ends.join(', ')}.`,
    `Half of them took ${formatDuration(P50)} or less, 95 of 100 took ${formatDuration(P95)} or less,`,
    `the longest took ${formatDuration(Longest.Duration)}.`,
  ].join(' ');
}

/** Of each period: its beginning in seconds since 1970, p50, p95, and how many runs failed. */
export const summaryLines = ({ Periods }: HistorySummary): [number[], number[], number[], number[]] => [
  Periods.map(({ Time }) => Date.parse(Time) / 1000),
  Periods.map(({ P50 }) => P50),
  Periods.map(({ P95 }) => P95),
  Periods.map(({ Failed }) => Failed),
];

/** The day here of a moment in milliseconds, 'YYYY-MM-DD'. */
export function isoDayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
