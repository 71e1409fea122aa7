import { useCallback, useState } from 'react';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';

/**
 * Makes a change by a call; what it failed with is shown at the foot, and the lists it touches are fetched again. `change` answers
 * whether it was made.
 */
export function useChange(touched: readonly Endpoint[]) {
  const [isBusy, setBusy] = useState(false);
  const change = useCallback(
    async (work: () => Promise<unknown>, done = ''): Promise<boolean> => {
      setBusy(true);
      const isMade = await make(work, done);
      setBusy(false);
      await Promise.all(touched.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })));
      return isMade;
    },
    [touched],
  );
  return { isBusy, change };
}

async function make(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work();
    showSuccess(done);
    return true;
  } catch (error) {
    showError(toFailure(error).message);
    return false;
  }
}
