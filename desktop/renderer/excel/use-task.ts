import { useRef, useState } from 'react';
import { messageOf } from './failures.ts';

export interface Task {
  isBusy: boolean;
  /** What failed; '' if nothing did. */
  problem: string;
  setProblem(text: string): void;
  /**
   * Runs one action at a time and returns whether it succeeded. `onError` can handle an error itself by returning true.
   */
  run(work: () => Promise<void>, onError?: (error: unknown) => boolean): Promise<boolean>;
}

/** State of an asynchronous action that may fail. */
export function useTask(): Task {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isRunning = useRef(false);
  const run = async (work: () => Promise<void>, onError?: (error: unknown) => boolean): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setProblem('');
    try {
      await work();
      return true;
    } catch (error) {
      if (!onError?.(error)) setProblem(messageOf(error));
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, setProblem, run };
}
