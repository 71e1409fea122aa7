import { useEffect, useRef } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { draftCipher } from './draft-cipher.ts';
import { onSessionEnd, useSession } from './session.ts';

/**
 * Stores unsaved input encrypted when the session ends automatically. Restores it when the same user opens the same
 * form in this window again. Run forms store more: every change, and across reloads.
 * @param value null if there is nothing to lose
 */
export function useSessionDraft<T>(name: string, value: T | null, restore: (value: T) => void): void {
  const userName = useSession((state) => state.session?.userName ?? '');
  const key = `aside.${userName.toLowerCase()}.${name}`;
  const latest = useRef({ value, restore });
  useEffect(() => {
    latest.current = { value, restore };
  });
  const isUnsaved = value !== null;
  useEffect(() => {
    // The key is fetched early, because it is unavailable once the session has ended.
    if (isUnsaved) void draftCipher(userName);
  }, [isUnsaved, userName]);
  useEffect(() => {
    let isGone = false;
    const open = async (): Promise<void> => {
      const encrypted = bridge.window.get(key);
      const json = encrypted === null ? null : await (await draftCipher(userName))?.decrypt(encrypted, key);
      if (isGone || !json) return;
      bridge.window.set(key, null);
      latest.current.restore(JSON.parse(json) as T);
      // Shown only once, even if several forms are on the page.
      showMessage(t('What you entered earlier is back. It is not saved yet.'), 'put-aside');
    };
    const saveDraft = async (): Promise<void> => {
      const { value: unsaved } = latest.current;
      const cipher = unsaved === null ? null : await draftCipher(userName);
      if (cipher) bridge.window.set(key, await cipher.encrypt(JSON.stringify(unsaved), key));
    };
    void open();
    const stop = onSessionEnd((end) => (end === 'logout' ? undefined : saveDraft()));
    return () => {
      isGone = true;
      stop();
    };
  }, [key, userName]);
}
