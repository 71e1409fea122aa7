import type { RunAnswer } from './run-answer.ts';

/** Ends remembered: a call begins to wait for a run a moment after its start, when it may have ended. */
const REMEMBERED = 1_000;

/** The runs that workers of this process carry out, and those that they ended last: known without asking the database. */
export interface RunsHere {
  /** A worker of this process has begun it; has written its end; has nothing more to do with it. */
  begun(runId: number): void;
  ended(runId: number, answer?: RunAnswer): void;
  left(runId: number): void;
  /** What this process knows of a run by itself: that it ended, or that its end will be told. */
  known(runId: number): 'here' | 'ended' | undefined;
  /** Of one that ended here a moment ago, where it was told with its end. Whether the caller may see it is for the caller to know. */
  answerOf(runId: number): RunAnswer | undefined;
  /** How many runs workers of this process have in hand. */
  atWork(): number;
}

export function createRunsHere(tell: (runId: number) => void): RunsHere {
  const here = new Set<number>();
  const ended = new Map<number, RunAnswer | undefined>();
  return {
    begun: (runId) => void here.add(runId),
    ended: (runId, answer) => {
      const [oldest] = ended.keys();
      if (oldest !== undefined && ended.size >= REMEMBERED) ended.delete(oldest);
      ended.set(runId, answer);
      tell(runId);
    },
    left: (runId) => void here.delete(runId),
    atWork: () => here.size,
    known: (runId) => (ended.has(runId) ? 'ended' : here.has(runId) ? 'here' : undefined),
    answerOf: (runId) => ended.get(runId),
  };
}
