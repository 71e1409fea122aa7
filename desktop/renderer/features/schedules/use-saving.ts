import { useState } from 'react';
import { toFailure } from '#renderer/api/app-failure.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';

export interface SavingState {
  isSaving: boolean;
  /** It was saved: the page may be left. */
  isDone: boolean;
  failure: string | null;
  /** What the server says of single fields. */
  modelState: Readonly<Record<string, readonly string[]>>;
}

const NOTHING_YET: SavingState = { isSaving: false, isDone: false, failure: null, modelState: {} };

export function withoutFields(state: SavingState, fields: readonly string[]): SavingState {
  const kept = Object.entries(state.modelState).filter(([field]) => !fields.includes(field));
  if (kept.length === Object.keys(state.modelState).length) return state;
  return { ...state, modelState: Object.fromEntries(kept), failure: kept.length === 0 ? null : state.failure };
}

/** The sentence over the errors of a form: what the server said, unless that stands at its fields. */
export const headlineOf = ({ failure, modelState }: Pick<SavingState, 'failure' | 'modelState'>): string | null =>
  Object.keys(modelState).length > 0 ? null : failure;

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
  /** What the server said of these fields no longer holds: they were changed. Once it says nothing of a field, its headline goes too. */
  const forget = (fields: readonly string[]): void => setState((before) => withoutFields(before, fields));
  return { ...state, run, forget };
}
