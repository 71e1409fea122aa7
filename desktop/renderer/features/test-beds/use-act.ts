import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { showError } from '#renderer/ui/toaster.tsx';

/** Does one thing at a time and tells what went wrong; answers what is being done. */
export function useAct(onDone: () => void): {
  busy: string | null;
  act: (name: string, work: () => Promise<void>) => Promise<void>;
} {
  const [busy, setBusy] = useState<string | null>(null);
  const act = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    try {
      await work();
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(null);
      onDone();
    }
  };
  return { busy, act };
}
