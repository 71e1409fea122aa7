import { expect, it } from 'vitest';
import type { HistorySummary } from '#shared/contract/run-history.ts';
import { isoDayOf, summaryText } from './summary-plot.ts';

const period = (Time: string, Failed: number) => ({
  Time,
  Succeeded: 600,
  Warned: 0,
  Failed,
  Cancelled: 0,
  P50: 40,
  P95: 90,
});
const summary: HistorySummary = {
  Runs: 1203,
  IsPartial: false,
  PeriodSeconds: 86_400,
  P50: 40,
  P95: 900,
  Longest: { Id: 7, Duration: 61_000 },
  Periods: [period('2026-03-05T12:00:00.000Z', 3), period('2026-03-06T12:00:00.000Z', 0)],
};

it('a summary is described in words', () => {
  expect(summaryText(summary)).toMatch(
    /^1,203 ended runs from .* to .*: 1,200 succeeded, 3 failed\. Half of them took 40 ms or less, 95% took 900 ms or less, the longest took 1 min 1 s\.$/,
  );
  const waited = { ...period('2026-03-05T12:00:00.000Z', 0), Succeeded: 0, Cancelled: 2, P50: null, P95: null };
  expect(summaryText({ ...summary, Runs: 2, P50: null, P95: null, Longest: null, Periods: [waited] })).toMatch(
    /^2 ended runs from .* to .*: 2 cancelled\.$/,
  );
  expect(summaryText({ ...summary, Runs: 10_000, IsPartial: true })).toContain(
    'There are more runs; only the newest 10,000 are counted.',
  );
  expect(summaryText({ ...summary, Periods: [] })).toBe('No run has ended yet.');
});

it('a period is searched for by its day here', () => {
  expect(isoDayOf(new Date(2026, 0, 9, 23, 59).getTime())).toBe('2026-01-09');
});
