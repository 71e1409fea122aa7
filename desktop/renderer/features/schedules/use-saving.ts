import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';

interface SavingState {
  isSaving: boolean;
  /** It was saved: the page may be left. */
  isDone: boolean;
  failure: string | null;
}

/** Carries out what a form was sent for, and says how it went. */
export function useSaving() {
  const [state, setState] = useState<SavingState>({ isSaving: false, isDone: false, failure: null });
  const run = async (saved: string, save: () => Promise<void>): Promise<void> => {
    setState({ isSaving: true, isDone: false, failure: null });
    try {
      await save();
      showSuccess(saved);
      setState({ isSaving: false, isDone: true, failure: null });
    } catch (error) {
      setState({ isSaving: false, isDone: false, failure: toFailure(error).message });
    }
  };
  return { ...state, run };
}
