import { useEffect, useState } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { onSessionEnd } from '#renderer/app/session.ts';
import { discardDraft, rememberDraft, storeDraft } from './form-draft.ts';
import type { RunFormState, RunFormStore } from './run-form-store.ts';

const SAVE_AFTER = 400;

/**
 * Keeps what is typed, a moment after the last letter and whenever the page goes. Answers whether a reload would lose
 * it, because it is larger than the window's store.
 */
export function useFormDraft(store: RunFormStore, key: string): boolean {
  const [isUnsafe, setUnsafe] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const save = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (store.getState().isDone) return;
      setUnsafe(!storeDraft(bridge.window, key));
    };
    const flush = (): void => {
      if (timer !== null) save();
    };
    const unsubscribe = store.subscribe((state, before) => {
      if (state.forms === before.forms || state.isDone) return;
      rememberDraft(key, state.activity.Inputs, changedForms(state));
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(save, SAVE_AFTER);
    });
    const stopListening = onSessionEnd((end) => (end === 'logout' ? discardDraft(bridge.window, key) : flush()));
    window.addEventListener('pagehide', flush);
    return () => {
      unsubscribe();
      stopListening();
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [store, key]);
  return isUnsafe;
}

function changedForms({ forms, changed }: RunFormState): RunFormState['forms'] {
  return Object.fromEntries(Object.entries(forms).filter(([id]) => changed.has(Number(id))));
}
