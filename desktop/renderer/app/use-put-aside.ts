import { useEffect, useRef } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { draftCipher } from './draft-cipher.ts';
import { onSessionEnd, useSession } from './session.ts';

/**
 * Keeps what is not saved yet when the session ends by itself, encrypted, and gives it back once the same person opens the same form in this
 * window again. Forms that are run keep more: each letter, over reloads too.
 * @param value null where there is nothing to lose
 */
export function usePutAside<T>(name: string, value: T | null, restore: (value: T) => void): void {
  const userName = useSession((state) => state.session?.userName ?? '');
  const key = `aside.${userName.toLowerCase()}.${name}`;
  const latest = useRef({ value, restore });
  useEffect(() => {
    latest.current = { value, restore };
  });
  const isUnsaved = value !== null;
  useEffect(() => {
    // The key is asked for in time: at the end of a session nobody gives it any more.
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
      // Once, where several forms are on the page.
      showMessage(t('What you entered earlier is back. It is not saved yet.'), 'put-aside');
    };
    const putAside = async (): Promise<void> => {
      const { value: left } = latest.current;
      const cipher = left === null ? null : await draftCipher(userName);
      if (cipher) bridge.window.set(key, await cipher.encrypt(JSON.stringify(left), key));
    };
    void open();
    const stop = onSessionEnd((end) => (end === 'logout' ? undefined : putAside()));
    return () => {
      isGone = true;
      stop();
    };
  }, [key, userName]);
}
