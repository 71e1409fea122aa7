import { useRef } from 'react';
import { runHistory } from '#shared/contract/run-history.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';

/** Returns a function that shows why a number changed: it compares the run with the previous successful run. */
export function useCompareWithPrevious({
  Id,
  ActivityId,
}: Pick<ActivityRun, 'Id' | 'ActivityId'>): () => Promise<void> {
  const isSearching = useRef(false);
  const navigate = useNavigateWhileHere();
  return async () => {
    if (isSearching.current) return;
    isSearching.current = true;
    try {
      const { Runs } = await call(runHistory, {
        body: { ActivityId, PrevRunId: Id, ApproxRows: 1, Statuses: ['Succeeded', 'SucceededWarn'] },
      });
      const [before] = Runs;
      if (before) await navigate(`/activities/runcompare/${before.Id}/${Id}?only=differences`);
      else showMessage(t('There is no earlier run that succeeded.'));
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      isSearching.current = false;
    }
  };
}
