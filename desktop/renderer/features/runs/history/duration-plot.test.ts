import { describe, expect, it } from 'vitest';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { HistoryRun } from '#shared/contract/run-history.ts';
import { durationPoints, durationSummary, durationText, OUTCOMES, shortSummary } from './duration-plot.ts';

const run = (
  Id: number,
  Status: RunStatus,
  seconds: number | null,
  StartTime: string | null = `2026-05-0${Id}T09:00:00Z`,
) =>
  ({
    Id,
    Status,
    QueueTime: `2026-05-0${Id}T09:00:00Z`,
    StartTime,
    EndTime: seconds === null ? null : new Date(Date.parse(`2026-05-0${Id}T09:00:00Z`) + seconds * 1000).toISOString(),
  }) as HistoryRun;

describe('the plot of a history', () => {
  it('has the runs that have ended, oldest first, and none that is pending', () => {
    const points = durationPoints([run(3, 'Started', null), run(2, 'Failed', 4), run(1, 'Succeeded', 2)]);
    expect(points.map(({ runId, duration, outcome }) => [runId, duration, outcome])).toEqual([
      [1, 2000, 'succeeded'],
      [2, 4000, 'failed'],
    ]);
  });
  it('measures from the start of a run, not from its time in the queue', () => {
    expect(durationPoints([run(1, 'Succeeded', 9, '2026-05-01T09:00:06Z')])[0]!.duration).toBe(3000);
  });
  it('knows no duration of runs that were cancelled in the queue, and leaves them out of the half', () => {
    const waited = (Id: number): HistoryRun => run(Id, 'Cancelled', 604, null);
    const points = durationPoints([run(1, 'Succeeded', 2), waited(2), waited(3), run(4, 'Started', null)]);
    expect(points.map(({ duration }) => duration)).toEqual([2000, null, null]);
    expect(shortSummary(points)).toBe(
      '3 ended runs: 1 succeeded, 2 cancelled. Half of them took 2.0 s or less, the longest 2.0 s. 2 runs never started: no duration.',
    );
    expect(durationSummary(points)).toContain('Half of them took 2.0 s or less; the longest took 2.0 s (1/May/2026');
    expect(shortSummary(points.slice(1, 2))).toBe('One ended run: 1 cancelled. One run never started: no duration.');
    expect(durationSummary(points.slice(1))).toMatch(/2 cancelled\. 2 runs never started: no duration\.$/);
    expect(durationText(waited(2))).toBe('');
  });
  it('distinguishes outcomes by shape', () => {
    const shapes = Object.values(OUTCOMES).map(({ shape }) => shape);
    expect(new Set(shapes).size).toBe(shapes.length);
  });
  it('is also described in words', () => {
    const text = durationSummary(
      durationPoints([run(1, 'Succeeded', 2), run(2, 'Abandoned', 8), run(3, 'Succeeded', 4)]),
    );
    expect(text).toContain('3 ended runs');
    expect(text).toContain('2 succeeded, 1 failed.');
    expect(text).toContain('Half of them took 4.0 s or less; the longest took 8.0 s (2/May/2026');
    expect(durationSummary([])).toBe('');
  });
  it('is described briefly where it is small', () => {
    const points = durationPoints([run(1, 'Succeeded', 2), run(2, 'Abandoned', 8), run(3, 'Succeeded', 4)]);
    expect(shortSummary(points)).toBe(
      '3 ended runs: 2 succeeded, 1 failed. Half of them took 4.0 s or less, the longest 8.0 s.',
    );
    expect(shortSummary(points.slice(0, 1))).toBe('1 ended run: 1 succeeded in 2.0 s.');
    expect(shortSummary([])).toBe('');
  });
});
