import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';

interface SavingState {
  isSaving: boolean;
  /** It was saved: the page may be left. */
  isDone: boolean;
  failure: string | null;
  /** What the server says of single fields. */
  modelState: Readonly<Record<string, readonly string[]>>;
}

const NOTHING_YET: SavingState = { isSaving: false, isDone: false, failure: null, modelState: {} };

/** Carries out what a form was sent for, and says how it went. */
export function useSaving() {
  const [state, setState] = useState(NOTHING_YET);
  const run = async (saved: string, save: () => Promise<void>): Promise<void> => {
    setState({ ...NOTHING_YET, isSaving: true });
    try {
      await save();
      showSuccess(saved);
      setState({ ...NOTHING_YET, isDone: true });
    } catch (error) {
      const { message: failure, modelState } = toFailure(error);
      setState({ ...NOTHING_YET, failure, modelState });
    }
  };
  return { ...state, run };
}
