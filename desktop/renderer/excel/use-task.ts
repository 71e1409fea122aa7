import { useRef, useState } from 'react';
import { messageOf } from './failures.ts';

export interface Task {
  isBusy: boolean;
  /** What failed; '' where nothing did. */
  problem: string;
  setProblem(text: string): void;
  /** Does one thing at a time; answers whether it was done. `onError` may take an error for its own, by answering true. */
  run(work: () => Promise<void>, onError?: (error: unknown) => boolean): Promise<boolean>;
}

/** Something that is waited for, and may fail. */
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
