/**
 * All activities with their last runs, cached in memory. Each look compares with the database first, in a query that costs next to
 * nothing, and reads only what is new: whoever asks sees everything that was committed before.
 */
import type { Database } from '#server/db/database.ts';
import { isPending } from '#shared/contract/run-status.ts';
import {
  listActivityRows,
  listNewestRuns,
  readListStamp,
  type LastRunRow,
  type ListRow,
  type ListStamp,
} from './activities-repository.ts';
import { sharedLooks } from './shared-looks.ts';

export interface ListState {
  /** In the order of the list. */
  rows: readonly ListRow[];
  /** Another number whenever a row is another. */
  revision: number;
  /** Another number whenever an activity is another, or at another place. */
  activities: number;
  /** A newest run as it was at the look. */
  newestRun: number;
  arrivals: Arrivals;
}

/** Runs that came since the list was read as a whole, of whomever. */
export interface Arrivals {
  /** Another list whenever one came, or runs may have come that are not in it. */
  runs: readonly LastRunRow[];
  /** Another object whenever `runs` no longer begins as it did. */
  since: object;
}

export interface ListSnapshot {
  /** As of a moment after the call. */
  current(): Promise<ListState>;
}

/**
 * Numbers of runs are given before they are committed, so that a lower one may appear after a higher one. So long after its
 * number was given a run is there for certain; what is older still is found by reading everything anew.
 */
const SETTLED_MS = 10_000;
/** Nor is a run overtaken by so many others before it is committed. */
export const MOST_UNSETTLED = 500;
/** Names of people and the like change without a trace in the stamp. */
export const LONGEST_CACHED_MS = 60_000;
/** With more runs than this to go through, each person's own are read again. */
const MOST_ARRIVALS = 2_000;
/** With more runs than this under way, reading everything is no dearer. */
export const MOST_PENDING = 500;

interface CacheEntry {
  state: ListState;
  stamp: ListStamp;
  readAt: number;
  /** All runs up to this one are in the state. */
  settledRun: number;
  /** How many runs above that one are in the state. */
  unsettled: number;
  newestRunSince: number;
}

export function createListSnapshot({ knex, dialect }: Database, now = () => performance.now()): ListSnapshot {
  let cached: CacheEntry | undefined;
  let revision = 0;

  async function readAll(stamp: ListStamp, settledRun: number, readAt: number): Promise<CacheEntry> {
    revision += 1;
    const rows = await listActivityRows(knex, dialect);
    const arrivals = { runs: [], since: {} };
    const state = { rows, revision, activities: revision, newestRun: stamp.newestRun, arrivals };
    return { state, stamp, readAt, settledRun, unsettled: stamp.counts[1], newestRunSince: readAt };
  }

  async function refresh(): Promise<ListState> {
    const startedAt = now();
    const settledRun = cached ? settledBy(cached, startedAt) : Number.MAX_SAFE_INTEGER;
    const newest = cached?.stamp.newestRun ?? Number.MAX_SAFE_INTEGER;
    const stamp = await readListStamp(knex, [cached?.settledRun ?? settledRun, settledRun, newest]);
    const pending = cached?.state.rows.filter(({ Status }) => Status !== null && isPending(Status)) ?? [];
    const usable =
      cached && startedAt - cached.readAt <= LONGEST_CACHED_MS && cached.stamp.activities === stamp.activities;
    cached =
      cached && usable && pending.length <= MOST_PENDING
        ? await readNew(cached, stamp, { pending, settledRun, at: startedAt })
        : await readAll(stamp, cached ? settledRun : Math.max(0, stamp.newestRun - MOST_UNSETTLED), startedAt);
    return cached.state;
  }

  async function readNew(
    before: CacheEntry,
    stamp: ListStamp,
    { pending, settledRun, at }: { pending: ListRow[]; settledRun: number; at: number },
  ): Promise<CacheEntry> {
    const [unsettledNow, unsettled, newer] = stamp.counts;
    const newestRunSince = stamp.newestRun === before.stamp.newestRun ? before.newestRunSince : at;
    const after = { ...before, stamp, settledRun, unsettled, newestRunSince };
    // Of those that were not settled, some may have been committed since, with numbers below the newest.
    const isOvertaken = unsettledNow - newer !== before.unsettled;
    if (newer === 0 && !isOvertaken && pending.length === 0) return after;
    const runs = await listNewestRuns(
      knex,
      { after: isOvertaken ? before.settledRun : before.stamp.newestRun, upTo: stamp.newestRun },
      pending.map(({ LastRunId }) => LastRunId!),
    );
    const rows = withRuns(before.state.rows, runs);
    const arrivals = newer > 0 || isOvertaken ? withArrivals(before.state.arrivals, runs) : before.state.arrivals;
    if (rows === before.state.rows && arrivals === before.state.arrivals) return after;
    if (rows !== before.state.rows) revision += 1;
    return { ...after, state: { ...before.state, rows, revision, newestRun: stamp.newestRun, arrivals } };
  }

  return { current: sharedLooks(refresh) };
}

function withArrivals({ runs, since }: Arrivals, found: readonly LastRunRow[]): Arrivals {
  if (runs.length + found.length > MOST_ARRIVALS) return { runs: [], since: {} };
  return { runs: [...runs, ...found], since };
}

/** The run up to which all are in the state. */
function settledBy({ stamp, settledRun, newestRunSince }: CacheEntry, at: number): number {
  if (at - newestRunSince > SETTLED_MS) return stamp.newestRun;
  return Math.max(settledRun, stamp.newestRun - MOST_UNSETTLED);
}

/** The same list where nothing has changed. */
function withRuns(rows: readonly ListRow[], runs: readonly LastRunRow[]): readonly ListRow[] {
  const byActivity = new Map(runs.map((run) => [run.ActivityId, run]));
  let changed = false;
  const updated = rows.map((row) => {
    const run = byActivity.get(row.Id);
    if (!run || (run.LastRunId === row.LastRunId && run.Status === row.Status)) return row;
    if ((run.LastRunId ?? 0) < (row.LastRunId ?? 0)) return row;
    changed = true;
    const { ActivityId: _, UserId: __, ...lastRun } = run;
    return { ...row, ...lastRun };
  });
  return changed ? updated : rows;
}
