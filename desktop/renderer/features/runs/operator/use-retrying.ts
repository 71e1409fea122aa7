import { useEffect, useRef, useState } from 'react';
import { retryRuns, type RetriedRun } from '#shared/contract/run-failures.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { refreshRuns } from './use-run-changes.ts';

/** Few per call, so that progress is visible and a stop takes effect soon. */
const RUNS_PER_CALL = 5;

export interface Retrying {
  isBusy: boolean;
  done: readonly RetriedRun[];
  /** Why the last call failed; null if it did not. */
  error: string | null;
  /** Retries those of the runs that are not done. The server starts none of them twice. */
  start: (ids: readonly number[]) => Promise<void>;
  stop: () => void;
}

export function useRetrying(): Retrying {
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<readonly RetriedRun[]>([]);
  const [error, setError] = useState<string | null>(null);
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const start = async (ids: readonly number[]): Promise<void> => {
    isStopped.current = false;
    setBusy(true);
    setError(null);
    const known = new Set(done.map(({ Id }) => Id));
    const left = ids.filter((id) => !known.has(id));
    try {
      while (left.length > 0 && !isStopped.current) {
        const results = await call(retryRuns, { body: { Ids: left.splice(0, RUNS_PER_CALL) } });
        setDone((before) => [...before, ...results]);
      }
    } catch (failed) {
      setError(toFailure(failed).message);
    } finally {
      setBusy(false);
      refreshRuns();
      refreshActivities();
    }
  };
  const stop = (): void => {
    isStopped.current = true;
  };
  return { isBusy, done, error, start, stop };
}
