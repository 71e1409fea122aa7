import { useCallback, useEffect, useRef } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { draftCipher } from './draft-cipher.ts';
import { createDraftSaver, type DraftSaver } from './draft-saver.ts';
import { openDraft } from './open-draft.ts';
import { onSessionEnd, useSession } from './session.ts';

/** Debounce in milliseconds of drafts that survive a reload. */
const SAVE_AFTER = 200;

interface SessionDraftOptions {
  /** True to store every change as well. The caller must pass the same `value` until it changes. */
  survivesReload?: boolean;
}

/**
 * Stores unsaved input encrypted when the session ends automatically, and restores it when the same user opens the same
 * form in this window again. Run forms store more, in a separate store.
 * @param value null if there is nothing to lose
 * @returns a function that discards what is stored, because the user leaves the form without saving
 */
export function useSessionDraft<T>(
  name: string,
  value: T | null,
  restore: (value: T) => void,
  { survivesReload = false }: SessionDraftOptions = {},
): () => void {
  const userName = useSession((state) => state.session?.userName ?? '');
  const key = `aside.${userName.toLowerCase()}.${name}`;
  const latest = useRef({ value, restore });
  const saver = useRef<DraftSaver | null>(null);
  const isDiscarded = useRef(false);
  useEffect(() => {
    latest.current = { value, restore };
  });
  const isUnsaved = value !== null;
  useEffect(() => {
    // The key is fetched early, because it is unavailable once the session has ended.
    if (isUnsaved) void draftCipher(userName);
  }, [isUnsaved, userName]);
  useEffect(() => {
    const read = (): T | null => (isDiscarded.current ? null : latest.current.value);
    const storing = createDraftSaver(() => storeDraft(key, userName, read), SAVE_AFTER);
    const ending = new AbortController();
    const open = async (): Promise<void> => {
      const { signal } = ending;
      const encrypted = bridge.window.get(key);
      const json =
        encrypted === null ? null : await openDraft(encrypted, key, { cipher: () => draftCipher(userName), signal });
      if (signal.aborted) return;
      saver.current = storing;
      if (json !== null) {
        // A draft that survives reloads stays stored until it is replaced, because the page may be reloaded at once.
        if (!survivesReload) bridge.window.set(key, null);
        latest.current.restore(JSON.parse(json) as T);
        // Shown only once, even if several forms are on the page.
        showMessage(t('What you entered earlier is back. It is not saved yet.'), 'put-aside');
      }
      if (survivesReload) storing.changed();
    };
    void open();
    const stop = onSessionEnd((end) => {
      if (end !== 'logout') return read() === null ? undefined : storeDraft(key, userName, read);
      isDiscarded.current = true;
      return bridge.window.set(key, null);
    });
    const onHide = (): void => void storing.flush();
    window.addEventListener('pagehide', onHide);
    return () => {
      ending.abort();
      saver.current = null;
      stop();
      window.removeEventListener('pagehide', onHide);
    };
  }, [key, userName, survivesReload]);
  useEffect(() => {
    if (survivesReload) saver.current?.changed();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs for each value, which the saver reads itself
  }, [survivesReload, value]);
  return useCallback(() => {
    isDiscarded.current = true;
    bridge.window.set(key, null);
  }, [key]);
}

async function storeDraft(key: string, userName: string, read: () => unknown): Promise<void> {
  const unsaved = read();
  if (unsaved === null) return bridge.window.set(key, null);
  const cipher = await draftCipher(userName);
  const encrypted = await cipher?.encrypt(JSON.stringify(unsaved), key);
  // If the input was changed while it was encrypted, a later call stores it.
  if (encrypted !== undefined && read() !== null) bridge.window.set(key, encrypted);
}
