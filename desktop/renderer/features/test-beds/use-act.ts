import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { showError } from '#renderer/ui/toaster.tsx';

/** Runs one action at a time and shows errors. Returns the action in progress; `act` resolves with true on success. */
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
