/**
 * The pages that an account's windows show. Each page has its own key, which its calls contain. When a page is left,
 * streams that only it could read are aborted. Chromium does not tell a protocol handler about this before a call is
 * answered.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface OpenPage {
  key: string;
  leave(): void;
}

export interface OpenPages {
  open: () => OpenPage;
  /** Signal that is aborted when the page with this key is left; null for an unknown key. */
  closeSignal(key: string): AbortSignal | null;
}

/**
 * Maximum number of remembered keys. Calls may arrive after their page was left, for example to save what was typed.
 */
const REMEMBERED = 1000;

export function createOpenPages(): OpenPages {
  const pages = new Map<string, AbortController>();
  return {
    open: () => {
      const key = randomBytes(32).toString('base64url');
      const page = new AbortController();
      pages.set(digest(key), page);
      for (const old of [...pages.keys()].slice(0, -REMEMBERED)) pages.delete(old);
      return { key, leave: () => page.abort() };
    },
    closeSignal: (key) => pages.get(digest(key))?.signal ?? null,
  };
}

/** Hashes keys before the lookup, so that its timing reveals nothing about them. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64');
