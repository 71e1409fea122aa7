import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { showError } from '#renderer/ui/toaster.tsx';

/** Does one thing at a time and tells what went wrong; answers what is being done. `act` answers whether it was done. */
export function useAct(onDone: () => Promise<unknown>): {
  busy: string | null;
  act: (name: string, work: () => Promise<void>) => Promise<boolean>;
} {
  const [busy, setBusy] = useState<string | null>(null);
  const act = async (name: string, work: () => Promise<void>): Promise<boolean> => {
    if (busy !== null) return false;
    setBusy(name);
    try {
      await work();
      return true;
    } catch (error) {
      showError(toFailure(error).message);
      return false;
    } finally {
      await onDone();
      setBusy(null);
    }
  };
  return { busy, act };
}
