/**
 * Caches all activities with their last runs in memory. Each read first compares a stamp with the database, with a very
 * cheap query, and then reads only what is new. A caller therefore sees everything that was committed before the call.
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
import { createSingleFlight } from '#server/background/single-flight.ts';

export interface ListState {
  /** In list order. */
  rows: readonly ListRow[];
  /** Changes whenever a row changes. */
  revision: number;
  /** Changes whenever an activity or its position changes. */
  activities: number;
  /** Id of the newest run when the stamp was read. */
  newestRun: number;
  arrivals: Arrivals;
}

/** Runs of all users that appeared since the whole list was read. */
export interface Arrivals {
  /** A new array whenever a run was added. */
  runs: readonly LastRunRow[];
  /** A new object whenever `runs` was reset and no longer starts with the earlier runs. */
  since: object;
}

export interface ListSnapshot {
  /** Returns the state as of a moment after the call. */
  current(): Promise<ListState>;
}

/**
 * Run ids are assigned before the commit, so a lower id may become visible after a higher one. After this long, all
 * runs below an id are assumed visible. Later commits are only found when the whole list is read again.
 */
const SETTLED_MS = 10_000;
/** Likewise, a run is assumed visible once this many higher ids exist. */
export const MAX_UNSETTLED_RUNS = 500;
/** After this long, the whole list is read again: some changes, such as a user's name, do not alter the stamp. */
export const MAX_CACHE_AGE_MS = 60_000;
/**
 * Maximum number of collected arrivals. Beyond it the collection is reset, and each person's own runs are read again.
 */
const MAX_ARRIVALS = 2_000;
/** With more pending runs than this, reading the whole list costs no more. */
export const MAX_PENDING_RUNS = 500;

interface CacheEntry {
  state: ListState;
  stamp: ListStamp;
  readAt: number;
  /** The state contains all runs up to this id. */
  settledRun: number;
  /** Number of runs above `settledRun` that the state contains. */
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
      cached && startedAt - cached.readAt <= MAX_CACHE_AGE_MS && cached.stamp.activities === stamp.activities;
    cached =
      cached && usable && pending.length <= MAX_PENDING_RUNS
        ? await readNew(cached, stamp, { pending, settledRun, at: startedAt })
        : await readAll(stamp, cached ? settledRun : Math.max(0, stamp.newestRun - MAX_UNSETTLED_RUNS), startedAt);
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
    // A run above the settled one may have been committed since, with an id below the newest.
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

  return { current: createSingleFlight(refresh) };
}

function withArrivals({ runs, since }: Arrivals, found: readonly LastRunRow[]): Arrivals {
  if (runs.length + found.length > MAX_ARRIVALS) return { runs: [], since: {} };
  return { runs: [...runs, ...found], since };
}

/** Returns the id up to which the state contains all runs. */
function settledBy({ stamp, settledRun, newestRunSince }: CacheEntry, at: number): number {
  if (at - newestRunSince > SETTLED_MS) return stamp.newestRun;
  return Math.max(settledRun, stamp.newestRun - MAX_UNSETTLED_RUNS);
}

/** Returns the same array if nothing changed. */
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
