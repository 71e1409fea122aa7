/**
 * The newest own runs of people who may not see all runs, kept in memory: each look reads only what may be new. What holds for the
 * list's snapshot holds here: whoever asks sees everything that was committed before.
 */
import type { Database } from '#server/db/database.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { countOwnAbove, listAllOwnNewest, listOwnNewest, type LastRunRow } from './activities-repository.ts';
import { LONGEST_KEPT_MS, MOST_PENDING, MOST_UNSETTLED } from './list-snapshot.ts';

export interface OwnState {
  userId: number;
  /** By activity. */
  runs: ReadonlyMap<number, LastRunRow>;
  /** Another number whenever a run is another; of no other person. */
  revision: number;
}

export interface OwnRuns {
  /**
   * As of a moment after the call.
   * @param newestRun the newest run there was before the call
   */
  of(userId: number, newestRun: number): Promise<OwnState>;
  /** Whether a look at this person's runs reads only what is new. */
  isKept(userId: number): boolean;
}

/** People whose runs are kept; those who came last. */
const MOST_PEOPLE = 200;

/** Of runs: the next look reads all that are not settled. */
const UNKNOWN = -1;

interface Kept {
  state: OwnState;
  readAt: number;
  /** All runs up to this one are in the state. */
  settledRun: number;
  /** The newest of the person's runs that are in the state, or the last that is settled. */
  seenRun: number;
  /** How many of the person's runs there were from the one to the other. */
  unsettled: number;
}

export function createOwnRuns({ knex, dialect }: Database, now = () => performance.now()): OwnRuns {
  const kept = new Map<number, Kept>();
  let revision = 0;

  async function readAll(userId: number, newestRun: number, readAt: number): Promise<Kept> {
    const rows = await listAllOwnNewest(knex, dialect, userId);
    const state = { userId, runs: new Map(rows.map((row) => [row.ActivityId, row])), revision: ++revision };
    const settledRun = Math.max(0, newestRun - MOST_UNSETTLED);
    const seenRun = Math.max(settledRun, ...rows.map(({ LastRunId }) => LastRunId!));
    return { state, readAt, settledRun, seenRun, unsettled: UNKNOWN };
  }

  async function readNew(before: Kept, pending: readonly LastRunRow[], newestRun: number): Promise<Kept> {
    const { state, seenRun } = before;
    const { userId } = state;
    const settledRun = Math.max(before.settledRun, newestRun - MOST_UNSETTLED);
    const { counts, newest } = await countOwnAbove(knex, userId, [before.settledRun, settledRun, seenRun]);
    const [unsettledNow, unsettled, newer] = counts;
    // Of those that were not settled, some may have been committed since, with numbers below the newest seen.
    const isOvertaken = unsettledNow - newer !== before.unsettled;
    const after = { ...before, settledRun, unsettled, seenRun: Math.max(seenRun, newest, settledRun) };
    if (newer === 0 && !isOvertaken && pending.length === 0) return after;
    const runIds = pending.map(({ LastRunId }) => LastRunId!);
    const found = await listOwnNewest(knex, userId, isOvertaken ? before.settledRun : seenRun, runIds);
    return { ...after, state: withNews(state, found) };
  }

  function withNews(state: OwnState, found: readonly LastRunRow[]): OwnState {
    const fresh = found.filter((row) => isNews(row, state.runs.get(row.ActivityId)));
    if (fresh.length === 0) return state;
    const runs = new Map([...state.runs, ...fresh.map((row) => [row.ActivityId, row] as const)]);
    return { ...state, runs, revision: ++revision };
  }

  return {
    isKept: (userId) => kept.has(userId),
    of: async (userId, newestRun) => {
      const startedAt = now();
      const before = kept.get(userId);
      const pending = [...(before?.state.runs.values() ?? [])].filter(({ Status }) => isPending(Status!));
      const usable = before && startedAt - before.readAt <= LONGEST_KEPT_MS && pending.length <= MOST_PENDING;
      const after = usable ? await readNew(before, pending, newestRun) : await readAll(userId, newestRun, startedAt);
      // Another call may have gone further meanwhile; what it misses it reads again.
      kept.delete(userId);
      kept.set(userId, after);
      const [oldest] = kept.keys();
      if (kept.size > MOST_PEOPLE && oldest !== undefined) kept.delete(oldest);
      return after.state;
    },
  };
}

function isNews(run: LastRunRow, known: LastRunRow | undefined): boolean {
  if (!known) return true;
  return run.LastRunId! > known.LastRunId! || (run.LastRunId === known.LastRunId && run.Status !== known.Status);
}
