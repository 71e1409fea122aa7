import { expect, test } from 'vitest';
import type { TimelineRun } from '#shared/contract/run-timeline.ts';
import type { ScheduledItem } from '#shared/contract/schedule-overview.ts';
import { placeRows } from './timeline-layout.ts';

const day = { begin: Date.UTC(2026, 2, 5), end: Date.UTC(2026, 2, 6) };
const at = (hour: number, minute = 0): string => new Date(Date.UTC(2026, 2, 5, hour, minute)).toISOString();
const now = Date.parse(at(12));
let id = 0;
const run = (from: string, to: string | null, Status: TimelineRun['Status'] = 'Succeeded'): TimelineRun => ({
  Id: (id += 1),
  Status,
  QueueTime: from,
  StartTime: from,
  EndTime: to,
});
const rowsOf = (...Runs: TimelineRun[]) =>
  placeRows([{ ActivityId: 1, Name: 'Prices', Schema: 'Finance', Runs }], [], day, now);

test('a run is a bar from its start to its end, and one in progress reaches until now', () => {
  const [row] = rowsOf(run(at(6), at(9)), run(at(9), null, 'Started'));
  expect(row?.tracks).toMatchObject([
    [
      { from: 0.25, to: 0.375, outcome: 'succeeded' },
      { from: 0.375, to: 0.5, outcome: 'pending' },
    ],
  ]);
});

test('runs at the same time are in separate tracks, and a run beyond the day ends with it', () => {
  const [row] = rowsOf(run(at(6), at(12)), run(at(7), new Date(day.end + 1e6).toISOString(), 'Failed'));
  expect(row?.tracks.map((track) => track.map(({ to }) => to))).toEqual([[0.5], [1]]);
});

test('a thousand short runs are few bars, but a failure among them keeps its own', () => {
  const short = Array.from({ length: 1_000 }, () => run(at(6), at(6)));
  const bars = rowsOf(...short, run(at(6), at(6), 'Failed'))[0]!.tracks.flat();
  expect(bars.map(({ outcome, runs }) => [outcome, runs.length])).toEqual([
    ['succeeded', 1_000],
    ['failed', 1],
  ]);
});

test('schedules to come are in the row of their activity, or in a separate row', () => {
  const item = (Kind: ScheduledItem['Kind'], Id: number, Name: string) =>
    ({ Kind, Id, Name, NextTimes: [at(11), at(18), new Date(day.end).toISOString()] }) as ScheduledItem;
  const rows = placeRows(
    [{ ActivityId: 1, Name: 'Prices', Schema: 'Finance', Runs: [run(at(1), at(2))] }],
    [item('Activity', 1, 'Prices'), item('Checklist', 1, 'Close')],
    day,
    now,
  );
  expect(rows.map(({ name, upcoming }) => [name, upcoming])).toEqual([
    ['Close', [{ share: 0.75, time: at(18) }]],
    ['Prices', [{ share: 0.75, time: at(18) }]],
  ]);
});
