/**
 * What a plugin's page and the portal may say to each other by postMessage; docs/plugin-pages.md explains it to those who write such
 * pages. The page runs in an origin without a name, so its messages are known by their window alone.
 */

/** From the page. */
export type PluginRequest =
  | { type: 'runsheet.hello' }
  | { type: 'runsheet.activity' }
  | { type: 'runsheet.title'; title: string }
  | { type: 'runsheet.height'; height: number }
  | { type: 'runsheet.open'; path: string }
  | { type: 'runsheet.message'; text: string };

/** To the page: whom it is shown to, and how. Nothing by which calls could be made. */
export interface PluginWelcome {
  type: 'runsheet.welcome';
  version: 1;
  theme: 'light' | 'dark';
  user: { UserName: string; FirstName: string; LastName: string };
}

const LONGEST_TEXT = 300;
const LONGEST_PATH = 1000;
export const LEAST_HEIGHT = 100;
export const MOST_HEIGHT = 20_000;

/** A message of the page, checked; null for anything else that a window may send. Texts and heights are cut to what is shown. */
export function readPluginRequest(data: unknown): PluginRequest | null {
  if (typeof data !== 'object' || data === null || !('type' in data)) return null;
  const { type, ...rest } = data as Record<string, unknown>;
  switch (type) {
    case 'runsheet.hello':
    case 'runsheet.activity':
      return { type };
    case 'runsheet.title':
      return withText(rest['title'], (title) => ({ type, title }));
    case 'runsheet.message':
      return withText(rest['text'], (text) => ({ type, text }));
    case 'runsheet.height':
      return withHeight(rest['height']);
    case 'runsheet.open':
      return withPath(rest['path']);
    default:
      return null;
  }
}

function withText<T>(value: unknown, make: (text: string) => T): T | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().slice(0, LONGEST_TEXT);
  return text === '' ? null : make(text);
}

function withHeight(value: unknown): PluginRequest | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return { type: 'runsheet.height', height: Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Math.ceil(value))) };
}

function withPath(value: unknown): PluginRequest | null {
  return typeof value === 'string' && value.length <= LONGEST_PATH ? { type: 'runsheet.open', path: value } : null;
}
