import type { RunAnswer } from './run-answer.ts';

/**
 * Number of recent ends to remember. A call begins to wait for a run only after starting it, when the run may already
 * have ended.
 */
const REMEMBERED = 1_000;

/** The runs that workers of this process execute, and the runs they ended last, known without a database query. */
export interface LocalRunEvents {
  /** A worker of this process has started the run. */
  started(runId: number): void;
  /** It has written the run's end. */
  ended(runId: number, answer?: RunAnswer): void;
  /** It has nothing more to do with the run. */
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

export function createLocalRunEvents(publishEnd: (runId: number) => void): LocalRunEvents {
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
