import type { RunAnswer } from './run-answer.ts';

/**
 * Number of recent ends to remember. A call begins to wait for a run only after starting it, when the run may already
 * have ended.
 */
const REMEMBERED = 1_000;

/** The runs that workers of this process execute, and the runs they ended last, known without a database query. */
export interface RunsHere {
  /**
   * begun: a worker of this process has started the run. ended: it has written the run's end. left: it has nothing more
   * to do with the run.
   */
  started(runId: number): void;
  ended(runId: number, answer?: RunAnswer): void;
  finished(runId: number): void;
  /**
   * Returns what this process knows of a run: 'ended' if it ended here recently, 'here' if its end will be published
   * here.
   */
  known(runId: number): 'here' | 'ended' | undefined;
  /**
   * Returns the response for a run that ended here recently, if one was passed with its end. The caller must check
   * whether it may be seen.
   */
  answerOf(runId: number): RunAnswer | undefined;
  /** Number of runs that workers of this process hold. */
  atWork(): number;
}

export function createRunsHere(publishEnd: (runId: number) => void): RunsHere {
  const here = new Set<number>();
  const ended = new Map<number, RunAnswer | undefined>();
  return {
    started: (runId) => void here.add(runId),
    ended: (runId, answer) => {
      const [oldest] = ended.keys();
      if (oldest !== undefined && ended.size >= REMEMBERED) ended.delete(oldest);
      ended.set(runId, answer);
      publishEnd(runId);
    },
    finished: (runId) => void here.delete(runId),
    atWork: () => here.size,
    known: (runId) => (ended.has(runId) ? 'ended' : here.has(runId) ? 'here' : undefined),
    answerOf: (runId) => ended.get(runId),
  };
}
