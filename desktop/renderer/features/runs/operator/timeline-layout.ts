/** Places the runs of a day as bars. Without React, so that it can be tested. */
import type { TimelineRow, TimelineRun } from '#shared/contract/run-timeline.ts';
import type { ScheduledItem } from '#shared/contract/schedule-overview.ts';
import { outcomeGroup, type OutcomeGroup } from './outcome-group.ts';

export interface Bar {
  runs: TimelineRun[];
  outcome: OutcomeGroup;
  /** Shares of the day, from 0 to 1. */
  from: number;
  to: number;
}

export interface PlacedRow {
  key: string;
  name: string;
  /** Tracks above each other: bars of one track do not overlap. */
  tracks: Bar[][];
  /** Scheduled starts as shares of the day. */
  upcoming: { share: number; time: string }[];
}

export interface Day {
  begin: number;
  end: number;
}

/** Minimum width of a bar as a share of the day: about three minutes, and one pixel on a phone. */
const MIN_SHARE = 0.002;
/** More tracks would make a row too tall. Further overlapping bars share the last track. */
const TRACKS_MAX = 4;

const shareOf = (time: number, { begin, end }: Day): number => Math.min(1, Math.max(0, (time - begin) / (end - begin)));

function barOf(run: TimelineRun, day: Day, now: number): Bar {
  const begin = Date.parse(run.StartTime ?? run.QueueTime);
  const end = run.EndTime === null ? Math.max(now, begin) : Date.parse(run.EndTime);
  const from = Math.min(shareOf(begin, day), 1 - MIN_SHARE);
  return { runs: [run], outcome: outcomeGroup(run.Status), from, to: Math.max(shareOf(end, day), from + MIN_SHARE) };
}

/** Joins bars of the same outcome that would be drawn on top of each other. The bars are sorted by their begin. */
function joined(bars: readonly Bar[]): Bar[] {
  const result: Bar[] = [];
  for (const bar of bars) {
    const last = result.findLast(({ outcome }) => outcome === bar.outcome);
    if (last && bar.from - last.from < MIN_SHARE && bar.to - last.to < MIN_SHARE) {
      last.runs.push(...bar.runs);
      last.to = Math.max(last.to, bar.to);
    } else result.push({ ...bar, runs: [...bar.runs] });
  }
  return result;
}

function tracksOf(bars: readonly Bar[]): Bar[][] {
  const tracks: Bar[][] = [];
  for (const bar of bars) {
    const free = tracks.find((track) => track.at(-1)!.to <= bar.from);
    if (free) free.push(bar);
    else if (tracks.length < TRACKS_MAX) tracks.push([bar]);
    else tracks.at(-1)!.push(bar);
  }
  return tracks;
}

/** Returns one row per activity, and per checklist that a schedule will start, by name. */
export function placeRows(
  rows: readonly TimelineRow[],
  schedules: readonly ScheduledItem[],
  day: Day,
  now: number,
): PlacedRow[] {
  const placed = new Map<string, PlacedRow>();
  for (const { ActivityId, Name, Runs } of rows) {
    const bars = Runs.map((run) => barOf(run, day, now)).sort((a, b) => a.from - b.from);
    const key = `Activity ${ActivityId}`;
    placed.set(key, { key, name: Name, tracks: tracksOf(joined(bars)), upcoming: [] });
  }
  for (const { Kind, Id, Name, NextTimes } of schedules) {
    const times = NextTimes.filter(
      (time) => Date.parse(time) >= Math.max(day.begin, now) && Date.parse(time) < day.end,
    );
    if (times.length === 0) continue;
    const key = `${Kind} ${Id}`;
    const row = placed.get(key) ?? { key, name: Name, tracks: [], upcoming: [] };
    row.upcoming.push(...times.map((time) => ({ share: shareOf(Date.parse(time), day), time })));
    placed.set(key, row);
  }
  return [...placed.values()].sort((a, b) => a.name.localeCompare(b.name));
}
