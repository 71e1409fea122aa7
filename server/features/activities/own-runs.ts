/**
 * The newest own runs of people who may not see all runs, cached in memory. The list's snapshot tells which runs have come since; only
 * what it does not tell is read: everything at the first look, and what has become of runs that were under way. What holds for the
 * snapshot holds here: whoever asks sees everything that was committed before.
 */
import type { Database } from '#server/db/database.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { countOwnAbove, listAllOwnNewest, listOwnNewest, type LastRunRow } from './activities-repository.ts';
import { LONGEST_CACHED_MS, MOST_PENDING, MOST_UNSETTLED, type Arrivals, type ListState } from './list-snapshot.ts';

export interface OwnState {
  userId: number;
  /** By activity. */
  runs: ReadonlyMap<number, LastRunRow>;
  /** Another number whenever a run is another; of no other person. */
  revision: number;
}

export interface OwnRuns {
  /** As of the list or a moment after it. */
  of(userId: number, list: Pick<ListState, 'newestRun' | 'arrivals'>): Promise<OwnState>;
}

type List = Parameters<OwnRuns['of']>[1];

/** People whose runs are cached; those who came last. */
const MOST_PEOPLE = 200;

/** Of runs: the next look reads all that are not settled. */
const UNKNOWN = -1;

interface CacheEntry {
  state: OwnState;
  readAt: number;
  /** All runs up to this one are in the state. */
  settledRun: number;
  /** The newest of the person's runs that are in the state, or the last that is settled. */
  seenRun: number;
  /** How many of the person's runs there were from the one to the other. */
  unsettled: number;
  /** Those that are in the state. */
  arrivals: Arrivals;
}

export function createOwnRuns({ knex, dialect }: Database, now = () => performance.now()): OwnRuns {
  const cached = new Map<number, CacheEntry>();
  let revision = 0;

  async function readAll(userId: number, { newestRun, arrivals }: List, readAt: number): Promise<CacheEntry> {
    const rows = await listAllOwnNewest(knex, dialect, userId);
    const state = { userId, runs: new Map(rows.map((row) => [row.ActivityId, row])), revision: ++revision };
    const settledRun = Math.max(0, newestRun - MOST_UNSETTLED);
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
    const settledRun = Math.max(before.settledRun, newestRun - MOST_UNSETTLED);
    const { counts, newest } = await countOwnAbove(knex, userId, [before.settledRun, settledRun, seenRun]);
    const [unsettledNow, unsettled, newer] = counts;
    // Of those that were not settled, some may have been committed since, with numbers below the newest seen.
    const isOvertaken = unsettledNow - newer !== before.unsettled;
    const after = { ...before, settledRun, unsettled, seenRun: Math.max(seenRun, newest, settledRun), arrivals };
    if (newer === 0 && !isOvertaken && pending.length === 0) return after;
    const runIds = pending.map(({ LastRunId }) => LastRunId!);
    const found = await listOwnNewest(knex, userId, isOvertaken ? before.settledRun : seenRun, runIds);
    return { ...after, state: withNews(state, found) };
  }

  /** Without a look at the database, where the list tells of all that came. */
  function adopt(before: CacheEntry, { arrivals }: List): CacheEntry {
    const { state, arrivals: known } = before;
    const own = arrivals.runs.slice(known.runs.length).filter(({ UserId }) => UserId === state.userId);
    // How many there are above the settled one is counted anew by the next look at the database.
    return { ...before, state: withNews(state, own), arrivals, unsettled: own.length > 0 ? UNKNOWN : before.unsettled };
  }

  function withNews(state: OwnState, found: readonly LastRunRow[]): OwnState {
    const news = found.filter((row) => isNews(row, state.runs.get(row.ActivityId)));
    if (news.length === 0) return state;
    // Of an activity that has several the newest stays.
    const fresh = news.toSorted((one, other) => one.LastRunId! - other.LastRunId!);
    const runs = new Map([...state.runs, ...fresh.map((row) => [row.ActivityId, row] as const)]);
    return { ...state, runs, revision: ++revision };
  }

  return {
    of: async (userId, list) => {
      const startedAt = now();
      const before = cached.get(userId);
      const pending = [...(before?.state.runs.values() ?? [])].filter(({ Status }) => isPending(Status!));
      const usable = before && startedAt - before.readAt <= LONGEST_CACHED_MS && pending.length <= MOST_PENDING;
      const isTold = usable && pending.length === 0 && before.arrivals.since === list.arrivals.since;
      const after = isTold
        ? adopt(before, list)
        : usable
          ? await readNew(before, pending, list)
          : await readAll(userId, list, startedAt);
      // Another call may have gone further meanwhile; what it misses it reads again.
      cached.delete(userId);
      cached.set(userId, after);
      const [oldest] = cached.keys();
      if (cached.size > MOST_PEOPLE && oldest !== undefined) cached.delete(oldest);
      return after.state;
    },
  };
}

function isNews(run: LastRunRow, known: LastRunRow | undefined): boolean {
  if (!known) return true;
  return run.LastRunId! > known.LastRunId! || (run.LastRunId === known.LastRunId && run.Status !== known.Status);
}
