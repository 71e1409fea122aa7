/** Lets chains go on: at once where a step ended in this process, and after a while where nobody heard of it. */
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { attendToDue } from '#server/jobs/approvals/due-approvals.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { advanceChain, type AdvanceContext } from './advance-chain.ts';
import type { ChainContext } from './chain-context.ts';
import { createPlanReader } from './chain-plans.ts';
import { oneAtATime } from './one-at-a-time.ts';

export interface ChainEngine {
  /** Lets the chain go on as far as it can. */
  advance(checklistRunId: number): Promise<void>;
  /** One look at all that is pending. */
  sweep(): Promise<void>;
  /**
   * Hears of steps that end in this process, and looks now and then for what nobody heard of: steps whose server died before others could
   * follow. Answers how to stop it.
   * @param sweepMs between two looks; null for none
   */
  start(sweepMs: number | null): () => Promise<void>;
}

const PAGE = 100;

export function createChainEngine(deps: ChainContext): ChainEngine {
  const context: AdvanceContext = { ...deps, readPlan: createPlanReader() };
  const { database, signals, log } = deps;
  const chains = oneAtATime((id) => advanceChain(context, id));
  const tryToAdvance = (id: number): Promise<void> =>
    chains.ask(id).catch((err: unknown) => {
      log.warn({ err, checklistRun: id }, 'a checklist or workflow could not go on; it is tried again');
    });

  async function sweep(signal?: AbortSignal): Promise<void> {
    await attendToDue(deps, signal);
    for (let after: number | undefined = 0; after !== undefined;) {
      const ids: number[] = await pendingChains(database.knex, after);
      for (const id of ids) {
        if (signal?.aborted) return;
        await tryToAdvance(id);
      }
      after = ids.length < PAGE ? undefined : ids.at(-1);
    }
  }

  return {
    advance: (id) => chains.ask(id),
    sweep,
    start: (sweepMs) => {
      const stopping = new AbortController();
      let sweeping: Promise<void> | undefined;
      const round = (): void => {
        sweeping ??= sweep(stopping.signal)
          .catch((err: unknown) => log.warn({ err }, 'pending checklists and workflows could not be looked for'))
          .finally(() => (sweeping = undefined));
      };
      const deafen = signals.onStepEnded((id) => void tryToAdvance(id));
      const timer = sweepMs === null ? undefined : setInterval(round, sweepMs);
      return async () => {
        clearInterval(timer);
        deafen();
        stopping.abort();
        await Promise.all([chains.stop(), sweeping]);
      };
    },
  };
}

async function pendingChains(db: Db, after: number): Promise<number[]> {
  return whereStatus(db('ChecklistRuns'), PENDING_STATUSES)
    .where('Id', '>', after)
    .orderBy('Id')
    .limit(PAGE)
    .pluck('Id') as Promise<number[]>;
}
