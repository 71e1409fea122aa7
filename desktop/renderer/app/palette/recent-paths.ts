/**
 * The user's most recent places, shown first in the palette. Only addresses of pages and objects are stored, no names
 * or values.
 */
import { bridge } from '#renderer/api/bridge.ts';
import { isLasting, objectPath } from './object-path.ts';

const MAX_RECENT = 30;
const keyOf = (userName: string): string => `palette.recent.${userName.toLowerCase()}`;

/** Newest first. */
export function recentPaths(userName: string): string[] {
  const stored = bridge.shared.get(keyOf(userName));
  if (stored === null) return [];
  try {
    const paths: unknown = JSON.parse(stored);
    return Array.isArray(paths) ? paths.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** @param path path of an opened page */
export function noteRecent(userName: string, path: string): void {
  if (!isLasting(path)) return;
  const visited = objectPath(path);
  const paths = [visited, ...recentPaths(userName).filter((other) => other !== visited)].slice(0, MAX_RECENT);
  bridge.shared.set(keyOf(userName), JSON.stringify(paths));
}
