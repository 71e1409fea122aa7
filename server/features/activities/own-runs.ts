/**
 * The newest own runs of people who may not see all runs, kept in memory: each look reads only what may be new. What holds for the
 * list's snapshot holds here: whoever asks sees everything that was committed before.
 */
import type { Database } from '#server/db/database.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { listAllOwnNewest, listOwnNewest, type LastRunRow } from './activities-repository.ts';
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

interface Kept {
  state: OwnState;
  readAt: number;
  /** All runs up to this one are in the state. */
  settledRun: number;
}

export function createOwnRuns({ knex, dialect }: Database, now = () => performance.now()): OwnRuns {
  const kept = new Map<number, Kept>();
  let revision = 0;

  async function readAll(userId: number): Promise<OwnState> {
    const rows = await listAllOwnNewest(knex, dialect, userId);
    return { userId, runs: new Map(rows.map((row) => [row.ActivityId, row])), revision: ++revision };
  }

  async function readNew({ state, settledRun }: Kept, pending: readonly LastRunRow[], userId: number) {
    const ids = pending.map(({ LastRunId }) => LastRunId!);
    const found = await listOwnNewest(knex, userId, settledRun, ids);
    const fresh = found.filter((row) => isNews(row, state.runs.get(row.ActivityId)));
    if (fresh.length === 0) return state;
    const runs = new Map([...state.runs, ...fresh.map((row) => [row.ActivityId, row] as const)]);
    return { userId, runs, revision: ++revision };
  }

  return {
    isKept: (userId) => kept.has(userId),
    of: async (userId, newestRun) => {
      const startedAt = now();
      const before = kept.get(userId);
      const pending = [...(before?.state.runs.values() ?? [])].filter(({ Status }) => isPending(Status!));
      const usable = before && startedAt - before.readAt <= LONGEST_KEPT_MS && pending.length <= MOST_PENDING;
      const state = usable ? await readNew(before, pending, userId) : await readAll(userId);
      const settledRun = Math.max(usable ? before.settledRun : 0, newestRun - MOST_UNSETTLED);
      // Another call may have gone further meanwhile; what it misses it reads again.
      kept.delete(userId);
      kept.set(userId, { state, readAt: usable ? before.readAt : startedAt, settledRun });
      const [oldest] = kept.keys();
      if (kept.size > MOST_PEOPLE && oldest !== undefined) kept.delete(oldest);
      return state;
    },
  };
}

function isNews(run: LastRunRow, known: LastRunRow | undefined): boolean {
  if (!known) return true;
  return run.LastRunId! > known.LastRunId! || (run.LastRunId === known.LastRunId && run.Status !== known.Status);
}
