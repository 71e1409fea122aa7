/**
 * The pages of an account that its windows show. Each has a key of its own, which its calls carry; once a page was left, what only it could
 * read is ended. No handler is told of that by Chromium as long as a call was not answered.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface OpenPage {
  key: string;
  leave(): void;
}

export interface OpenPages {
  open: () => OpenPage;
  /** Aborted once the page with this key was left; null for what is no key. */
  leftSignal(key: string): AbortSignal | null;
}

/** Calls of a page may arrive after it was left, such as those that save what was typed: keys last, up to so many. */
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
    leftSignal: (key) => pages.get(digest(key))?.signal ?? null,
  };
}

/** So that the time of a search tells nothing of the keys. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64');
