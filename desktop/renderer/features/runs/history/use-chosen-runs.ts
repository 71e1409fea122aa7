import { useCallback, useState } from 'react';
import type { HistoryRun } from '#shared/contract/run-history.ts';

/** The ids of the runs that are ticked in a list, and what ticks or unticks one. */
export function useChosenRuns() {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set());
  const choose = useCallback(({ Id }: Pick<HistoryRun, 'Id'>): void => {
    setChosen((present) => {
      const next = new Set(present);
      if (!next.delete(Id)) next.add(Id);
      return next;
    });
  }, []);
  return { chosen, setChosen, choose };
}
