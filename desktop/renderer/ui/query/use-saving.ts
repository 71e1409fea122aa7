import { useState } from 'react';
import { otherEditOf, toFailure } from '#renderer/api/app-failure.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';

export interface SavingState {
  isSaving: boolean;
  /** True after saving: the page may be left. */
  isDone: boolean;
  failure: string | null;
  /** The server's messages for single fields. */
  modelState: Readonly<Record<string, readonly string[]>>;
}

const NOTHING_YET: SavingState = { isSaving: false, isDone: false, failure: null, modelState: {} };

export function withoutFields(state: SavingState, fields: readonly string[]): SavingState {
  const remaining = Object.entries(state.modelState).filter(([field]) => !fields.includes(field));
  if (remaining.length === Object.keys(state.modelState).length) return state;
  return {
    ...state,
    modelState: Object.fromEntries(remaining),
    failure: remaining.length === 0 ? null : state.failure,
  };
}

/** Returns the headline above a form's errors: the server's message, unless it is shown at the fields. */
export const headlineOf = ({ failure, modelState }: Pick<SavingState, 'failure' | 'modelState'>): string | null =>
  Object.keys(modelState).length > 0 ? null : failure;

/** Runs the save operation of a form and holds its state. */
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
      // EditConflict shows the change of another person.
      setState(otherEditOf(error) ? NOTHING_YET : { ...NOTHING_YET, failure, modelState });
    }
  };
  /** Drops the server's messages for changed fields. After the last message is gone, the headline disappears too. */
  const forget = (fields: readonly string[]): void => setState((before) => withoutFields(before, fields));
  return { ...state, run, forget };
}
