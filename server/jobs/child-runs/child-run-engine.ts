/** Lets child runs begin: at once where something ended in this process, and after a while where nobody heard of it. */
import type { Db } from '#server/db/dialect/types.ts';
import { oneAtATime } from '#server/jobs/chains/one-at-a-time.ts';
import { advanceChildRuns, type ChildRunContext } from './advance-child-runs.ts';

export interface ChildRunEngine {
  /** Lets the rows that the run started go on as far as they can. */
  advance(parentRunId: number): Promise<void>;
  /** One look at all that is pending. */
  sweep(): Promise<void>;
  /**
   * Hears of ends in this process, and looks now and then for what nobody heard of. Answers how to stop it.
   * @param sweepMs between two looks; null for none
   */
  start(sweepMs: number | null): () => Promise<void>;
}

const PAGE = 100;

export function createChildRunEngine(context: ChildRunContext): ChildRunEngine {
  const { database, signals, log } = context;
  const parents = oneAtATime((id) => advanceChildRuns(context, id));
  const tryToAdvance = (id: number): Promise<void> =>
    parents.ask(id).catch((err: unknown) => {
      log.warn({ err, run: id }, 'the runs that a run started could not go on; it is tried again');
    });

  async function sweep(signal?: AbortSignal): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const ids: number[] = await pendingParents(database.knex, after);
      for (const id of ids) {
        if (signal?.aborted) return;
        await tryToAdvance(id);
      }
      after = ids.length < PAGE ? undefined : ids.at(-1);
    }
  }

  return {
    advance: (id) => parents.ask(id),
    sweep,
    start: (sweepMs) => {
      const stopping = new AbortController();
      let sweeping: Promise<void> | undefined;
      const round = (): void => {
        sweeping ??= sweep(stopping.signal)
          .catch((err: unknown) => log.warn({ err }, 'pending runs that others started could not be looked for'))
          .finally(() => (sweeping = undefined));
      };
      const deafen = signals.onChildEnded((id) => void tryToAdvance(id));
      const timer = sweepMs === null ? undefined : setInterval(round, sweepMs);
      return async () => {
        clearInterval(timer);
        deafen();
        stopping.abort();
        await Promise.all([parents.stop(), sweeping]);
      };
    },
  };
}

async function pendingParents(db: Db, after: number): Promise<number[]> {
  return db('RunStarts')
    .whereNull('EndTime')
    .where('ParentRunId', '>', after)
    .distinct()
    .orderBy('ParentRunId')
    .limit(PAGE)
    .pluck('ParentRunId') as Promise<number[]>;
}
