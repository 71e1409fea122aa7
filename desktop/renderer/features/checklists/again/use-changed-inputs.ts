import { useEffect, useState } from 'react';
import type { Input } from '#shared/contract/parameters.ts';
import type { Forms } from '#renderer/features/run-form/form-inputs.ts';
import type { RunFormStore } from '#renderer/features/run-form/run-form-store.ts';
import { changedInputs } from './changed-inputs.ts';

/** Pause after the last keystroke, in milliseconds. */
const PAUSE_MS = 300;

/** Reports the names of the changed inputs of a form when the person pauses, and null while they are typing. */
export function useChangedInputs(
  store: RunFormStore,
  inputs: readonly Input[],
  earlier: Forms,
  onChange: (names: string[] | null) => void,
): void {
  const [forms, setForms] = useState(() => store.getState().forms);
  useEffect(
    () =>
      store.subscribe((state) => {
        setForms(state.forms);
      }),
    [store],
  );
  useEffect(() => {
    const report = (): void => onChange(changedInputs(inputs, earlier, forms));
    onChange(null);
    const timer = setTimeout(report, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [forms, inputs, earlier, onChange]);
}
