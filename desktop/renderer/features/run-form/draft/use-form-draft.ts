import { useEffect, useState } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { onSessionEnd } from '#renderer/app/session.ts';
import { draftCipher } from '#renderer/app/draft-cipher.ts';
import { createDraftSaver } from '#renderer/app/draft-saver.ts';
import { discardDraft, isEncryptedDraft, openDraft, rememberDraft, storeDraft } from './form-draft.ts';
import type { RunFormState, RunFormStore } from '#renderer/features/run-form/run-form-store.ts';

const SAVE_AFTER = 200;

/**
 * Stores the typed values as a draft, shortly after the last keystroke and when the page or session ends. Returns true
 * if a reload would lose the draft, because it could not be stored.
 */
export function useFormDraft(store: RunFormStore, key: string, userName: string): boolean {
  const [isUnsafe, setUnsafe] = useState(false);
  useEffect(() => {
    const saver = createDraftSaver(async () => {
      if (store.getState().isDone) return;
      setUnsafe(!(await storeDraft(bridge.drafts, key, await draftCipher(userName))));
    }, SAVE_AFTER);
    // Fetch the key now: after the session has ended, the server no longer provides it.
    void draftCipher(userName);
    const onHide = (): void => void saver.flush();
    const unsubscribe = store.subscribe((state, before) => {
      if (state.forms === before.forms || state.isDone) return;
      rememberDraft(key, state.activity.Inputs, changedForms(state));
      saver.changed();
    });
    const stopListening = onSessionEnd((end) => (end === 'logout' ? discardDraft(bridge.drafts, key) : saver.flush()));
    window.addEventListener('pagehide', onHide);
    return () => {
      unsubscribe();
      stopListening();
      window.removeEventListener('pagehide', onHide);
      void saver.flush();
    };
  }, [store, key, userName]);
  return isUnsafe;
}

/**
 * Returns true when the draft can be loaded. A draft from before a reload or sign-in is first decrypted with the user's
 * key.
 */
export function useOpenedDraft(key: string, userName: string): boolean {
  const [opened, setOpened] = useState(() => (isEncryptedDraft(bridge.drafts, key) ? '' : key));
  useEffect(() => {
    if (opened === key) return undefined;
    let isGone = false;
    const open = async (): Promise<void> => {
      await openDraft(bridge.drafts, key, await draftCipher(userName));
      if (!isGone) setOpened(key);
    };
    void open();
    return () => {
      isGone = true;
    };
  }, [key, userName, opened]);
  return opened === key;
}

function changedForms({ forms, changed }: RunFormState): RunFormState['forms'] {
  return Object.fromEntries(Object.entries(forms).filter(([id]) => changed.has(Number(id))));
}
