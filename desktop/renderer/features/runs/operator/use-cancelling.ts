import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { t } from '#renderer/language/translate.ts';
import { showSuccess, showWarning } from '#renderer/ui/toaster.tsx';
import { refreshRuns } from './use-run-changes.ts';

interface Cancelling {
  isBusy: boolean;
  /** Makes the calls one after the other. A refusal does not prevent the others. */
  cancelAll: (calls: readonly (() => Promise<unknown>)[]) => Promise<void>;
}

/** Cancels several runs and says how many were cancelled, and why others were not. */
export function useCancelling(onDone: () => void): Cancelling {
  const [isBusy, setBusy] = useState(false);
  const cancelAll: Cancelling['cancelAll'] = async (calls) => {
    setBusy(true);
    const refusals: string[] = [];
    for (const cancel of calls) {
      try {
        await cancel();
      } catch (error) {
        refusals.push(toFailure(error).message);
      }
    }
    const count = calls.length - refusals.length;
    const done = t('{count, plural, one {1 run cancelled} other {# runs cancelled}}', { count });
    if (refusals.length === 0) showSuccess(done);
    else showWarning(`${done}. ${[...new Set(refusals)].join(' ')}`);
    setBusy(false);
    onDone();
    refreshRuns();
    refreshActivities();
  };
  return { isBusy, cancelAll };
}
