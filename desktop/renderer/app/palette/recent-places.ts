/**
 * The user's most recent places, shown first in the palette. Only addresses of pages and objects are stored, no names
 * or values.
 */
import { bridge } from '#renderer/api/bridge.ts';
import { isLasting, placeOf } from './place-of.ts';

const MAX_RECENT = 30;
const keyOf = (userName: string): string => `palette.recent.${userName.toLowerCase()}`;

/** Newest first. */
export function recentPlaces(userName: string): string[] {
  const stored = bridge.shared.get(keyOf(userName));
  if (stored === null) return [];
  try {
    const places: unknown = JSON.parse(stored);
    return Array.isArray(places) ? places.filter((place) => typeof place === 'string') : [];
  } catch {
    return [];
  }
}

/** @param path path of an opened page */
export function noteRecent(userName: string, path: string): void {
  if (!isLasting(path)) return;
  const place = placeOf(path);
  const places = [place, ...recentPlaces(userName).filter((other) => other !== place)].slice(0, MAX_RECENT);
  bridge.shared.set(keyOf(userName), JSON.stringify(places));
}
