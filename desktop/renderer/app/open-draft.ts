import type { TextCipher } from './draft-cipher.ts';

/** Pause in milliseconds before the key is requested again. */
const RETRY_AFTER = 2000;

interface OpenDraftDeps {
  /** Returns null if there is no key now, for example because the server cannot be reached. */
  cipher: () => Promise<TextCipher | null>;
  signal: AbortSignal;
}

/**
 * Decrypts a stored draft; returns null if it cannot be decrypted. Waits until there is a key: a draft that cannot be
 * decrypted yet must not be taken for one that is gone, because the caller would then delete it.
 */
export async function openDraft(
  encrypted: string,
  key: string,
  { cipher, signal }: OpenDraftDeps,
): Promise<string | null> {
  while (!signal.aborted) {
    const found = await cipher();
    if (found) return found.decrypt(encrypted, key);
    await pause(RETRY_AFTER, signal);
  }
  return null;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
