/**
 * The postMessage protocol between a plugin's page and the portal; docs/plugin-pages.md documents it for authors. The
 * page has an opaque origin, so the portal identifies its messages only by their window.
 */

/** Sent by the page. */
export type PluginRequest =
  | { type: 'runsheet.hello' }
  | { type: 'runsheet.activity' }
  | { type: 'runsheet.title'; title: string }
  | { type: 'runsheet.height'; height: number }
  | { type: 'runsheet.open'; path: string }
  | { type: 'runsheet.message'; text: string };

/** Sent to the page: the user and the theme, but nothing that would allow API calls. */
export interface PluginWelcome {
  type: 'runsheet.welcome';
  version: 1;
  theme: 'light' | 'dark';
  user: { UserName: string; FirstName: string; LastName: string };
}

const MAX_TEXT_LENGTH = 300;
const MAX_PATH_LENGTH = 1000;
const MIN_HEIGHT = 100;
export const MAX_HEIGHT = 20_000;

/**
 * Validates a message of the page; returns null for any other message. Texts and heights are cut to what can be shown.
 */
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
  const text = value.trim().slice(0, MAX_TEXT_LENGTH);
  return text === '' ? null : make(text);
}

function withHeight(value: unknown): PluginRequest | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return { type: 'runsheet.height', height: Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(value))) };
}

function withPath(value: unknown): PluginRequest | null {
  return typeof value === 'string' && value.length <= MAX_PATH_LENGTH ? { type: 'runsheet.open', path: value } : null;
}
