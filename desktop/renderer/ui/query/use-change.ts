import { useCallback, useState } from 'react';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { otherEditOf, toFailure, type AppFailure } from '#renderer/api/app-failure.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import type { ErrorSummaryProps } from '#renderer/ui/ErrorSummary.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import { offerUndo } from './offer-undo.ts';

/**
 * @param done message after the change; none by default
 * @param restore call that reverses the change, which the message then offers
 */
type Change = (work: () => Promise<unknown>, done?: string, restore?: () => Promise<unknown>) => Promise<boolean>;

/**
 * Makes a change by a call, then refetches the lists that it affects. It stays busy until the lists have arrived, so
 * that users cannot act on deleted items. A toast shows failures. `change` resolves with true if the change was made.
 */
export function useChange(touched: readonly Endpoint[]) {
  return useChanging(touched, showFailureToast);
}

const showFailureToast = (failure: AppFailure): void => showError(failure.message);

/** Like useChange, for forms: a failure is shown in the form. Spread `failure` on its ErrorSummary. */
export function useFormChange(touched: readonly Endpoint[]) {
  const [failure, setFailure] = useState<ErrorSummaryProps>(NOTHING_FAILED);
  const showFailureInForm = useCallback((failed: AppFailure): void => {
    // EditConflict shows the change of another person.
    if (otherEditOf(failed)) return;
    const { message, modelState } = failed;
    setFailure(({ attempt }) => ({ title: message, issues: issuesOf(message, modelState), attempt: attempt + 1 }));
  }, []);
  const { isBusy, change } = useChanging(touched, showFailureInForm);
  const changeAnew: Change = useCallback(
    (...made) => {
      setFailure(({ attempt }) => ({ ...NOTHING_FAILED, attempt }));
      return change(...made);
    },
    [change],
  );
  return { isBusy, change: changeAnew, failure };
}

const NOTHING_FAILED: ErrorSummaryProps = { title: null, issues: [], attempt: 0 };

/** Returns the messages of single fields that do not repeat the main message. */
const issuesOf = (message: string, modelState: AppFailure['modelState']) =>
  Object.values(modelState)
    .flat()
    .filter((text) => text !== message)
    .map((text) => ({ message: text }));

function useChanging(touched: readonly Endpoint[], onFailure: (failure: AppFailure) => void) {
  const [isBusy, setBusy] = useState(false);
  const change: Change = useCallback(
    async (work, done = '', restore) => {
      setBusy(true);
      const isDone = await make(work, onFailure);
      if (isDone && restore) offerUndo(done, restore, touched);
      else if (isDone) showSuccess(done);
      await Promise.all(touched.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })));
      setBusy(false);
      return isDone;
    },
    [touched, onFailure],
  );
  return { isBusy, change };
}

async function make(work: () => Promise<unknown>, onFailure: (failure: AppFailure) => void): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    onFailure(toFailure(error));
    return false;
  }
}
