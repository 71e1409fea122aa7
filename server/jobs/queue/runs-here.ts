import type { RunSignals } from './run-signals.ts';

/** Ends remembered: a call begins to wait for a run a moment after its start, when it may have ended. */
const REMEMBERED = 1_000;

/** The runs that workers of this process carry out, and those that they ended last: known without asking the database. */
export function createRunsHere(
  tell: (runId: number) => void,
): Pick<RunSignals, 'begun' | 'ended' | 'left' | 'known' | 'atWork'> {
  const here = new Set<number>();
  const ended = new Set<number>();
  return {
    begun: (runId) => void here.add(runId),
    ended: (runId) => {
      const [oldest] = ended;
      if (oldest !== undefined && ended.size >= REMEMBERED) ended.delete(oldest);
      ended.add(runId);
      tell(runId);
    },
    left: (runId) => void here.delete(runId),
    atWork: () => here.size,
    known: (runId) => (ended.has(runId) ? 'ended' : here.has(runId) ? 'here' : undefined),
  };
}
