/**
 * Caches the newest own runs of people who may not see all runs. The list's snapshot reports which runs appeared since.
 * Only the rest is read from the database: all runs on first use, and later the status of pending runs. Like the
 * snapshot, it shows a caller everything that was committed before the call.
 */
import type { Database } from '#server/db/database.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { countOwnAbove, listAllOwnNewest, listOwnNewest, type LastRunRow } from './activities-repository.ts';
import {
  MAX_CACHE_AGE_MS,
  MAX_PENDING_RUNS,
  MAX_UNSETTLED_RUNS,
  type Arrivals,
  type ListState,
} from './list-snapshot.ts';

export interface OwnState {
  userId: number;
  /** By activity id. */
  runs: ReadonlyMap<number, LastRunRow>;
  /** Changes whenever one of the user's runs changes. The states of two users never have the same number. */
  revision: number;
}

export interface OwnRuns {
  /** Returns the state as of the list, or of a moment after it. */
  of(userId: number, list: Pick<ListState, 'newestRun' | 'arrivals'>): Promise<OwnState>;
}

type List = Parameters<OwnRuns['of']>[1];

/** Maximum number of users whose runs are cached; the least recently used are evicted. */
const MAX_CACHED_USERS = 200;

/** Value of `unsettled` that makes the next database read fetch all runs above the settled one. */
const UNKNOWN = -1;

interface CacheEntry {
  state: OwnState;
  readAt: number;
  /** The state contains all runs up to this id. */
  settledRun: number;
  /** Id of the user's newest run in the state, or `settledRun` if that is higher. */
  seenRun: number;
  /** Number of the user's runs between `settledRun` and `seenRun`. */
  unsettled: number;
  /** The arrivals that the state contains. */
  arrivals: Arrivals;
}

export function createOwnRuns({ knex, dialect }: Database, now = () => performance.now()): OwnRuns {
  const cached = new Map<number, CacheEntry>();
  let revision = 0;

  async function readAll(userId: number, { newestRun, arrivals }: List, readAt: number): Promise<CacheEntry> {
    const rows = await listAllOwnNewest(knex, dialect, userId);
    const state = { userId, runs: new Map(rows.map((row) => [row.ActivityId, row])), revision: ++revision };
    const settledRun = Math.max(0, newestRun - MAX_UNSETTLED_RUNS);
    const seenRun = Math.max(settledRun, ...rows.map(({ LastRunId }) => LastRunId!));
    return { state, readAt, settledRun, seenRun, unsettled: UNKNOWN, arrivals };
  }

  async function readNew(
    before: CacheEntry,
    pending: readonly LastRunRow[],
    { newestRun, arrivals }: List,
  ): Promise<CacheEntry> {
    const { state, seenRun } = before;
    const { userId } = state;
    const settledRun = Math.max(before.settledRun, newestRun - MAX_UNSETTLED_RUNS);
    const { counts, newest } = await countOwnAbove(knex, userId, [before.settledRun, settledRun, seenRun]);
    const [unsettledNow, unsettled, newer] = counts;
    // A run above the settled one may have been committed since, with an id below the newest seen.
    const isOvertaken = unsettledNow - newer !== before.unsettled;
    const after = {
      ...before,
      settledRun,
      unsettled,
      seenRun: Math.max(seenRun, newest, settledRun),
      arrivals: longer(before.arrivals, arrivals),
    };
    if (newer === 0 && !isOvertaken && pending.length === 0) return after;
    const runIds = pending.map(({ LastRunId }) => LastRunId!);
    const found = await listOwnNewest(knex, userId, isOvertaken ? before.settledRun : seenRun, runIds);
    return { ...after, state: withNewRuns(state, found) };
  }

  function withNewRuns(state: OwnState, found: readonly LastRunRow[]): OwnState {
    const newRuns = found.filter((row) => isNewer(row, state.runs.get(row.ActivityId)));
    if (newRuns.length === 0) return state;
    // If an activity has several new runs, the newest one wins.
    const fresh = newRuns.toSorted((one, other) => one.LastRunId! - other.LastRunId!);
    const runs = new Map([...state.runs, ...fresh.map((row) => [row.ActivityId, row] as const)]);
    return { ...state, runs, revision: ++revision };
  }

  return {
    of: async (userId, list) => {
      const startedAt = now();
      const before = cached.get(userId);
      const pending = [...(before?.state.runs.values() ?? [])].filter(({ Status }) => isPending(Status!));
      const usable = before && startedAt - before.readAt <= MAX_CACHE_AGE_MS && pending.length <= MAX_PENDING_RUNS;
      const isCovered = usable && pending.length === 0 && before.arrivals.since === list.arrivals.since;
      const after = isCovered
        ? adopt(before, list, withNewRuns)
        : usable
          ? await readNew(before, pending, list)
          : await readAll(userId, list, startedAt);
      // A concurrent call may have stored a newer entry. Whatever this entry lacks is read again.
      cached.delete(userId);
      cached.set(userId, after);
      const [oldest] = cached.keys();
      if (cached.size > MAX_CACHED_USERS && oldest !== undefined) cached.delete(oldest);
      return after.state;
    },
  };
}

/**
 * Adds the arrivals to the state without a database query, for when the list reports all new runs. All runs of the
 * state have ended then, so an arrival that it already contains has the status of an earlier moment.
 */
function adopt(
  before: CacheEntry,
  { arrivals }: List,
  withRuns: (state: OwnState, found: readonly LastRunRow[]) => OwnState,
): CacheEntry {
  const { state, arrivals: known } = before;
  const own = arrivals.runs.slice(known.runs.length).filter(({ UserId }) => UserId === state.userId);
  const fresh = own.filter((run) => run.LastRunId! > (state.runs.get(run.ActivityId)?.LastRunId ?? 0));
  // The next database read counts the runs above the settled one again.
  return {
    ...before,
    state: withRuns(state, fresh),
    arrivals: longer(known, arrivals),
    unsettled: own.length > 0 ? UNKNOWN : before.unsettled,
  };
}

/** A slow call passes an older list than the one that the state already contains. */
function longer(known: Arrivals, passed: Arrivals): Arrivals {
  return known.since === passed.since && known.runs.length > passed.runs.length ? known : passed;
}

function isNewer(run: LastRunRow, known: LastRunRow | undefined): boolean {
  if (!known) return true;
  return run.LastRunId! > known.LastRunId! || (run.LastRunId === known.LastRunId && run.Status !== known.Status);
}
