/** What the palette shows: everything with a query, best first; without one the recent places, the page's own actions, and the pages. */
import type { JSX } from 'react';
import { t } from '#renderer/language/translate.ts';
import { rankByWords } from './palette-match.ts';

export interface PaletteItem {
  /** Unlike any other's. */
  key: string;
  text: string;
  /** What kind of thing it is, at the right. */
  label: string;
  icon?: JSX.Element;
  /** A page of the portal. */
  to?: string;
  /** Of an activity, checklist or workflow that one may run: its form. */
  runPath?: string;
  act?: () => void;
  /** By which it is found among the recent ones. */
  place?: string;
}

export interface PaletteGroup {
  title: string;
  items: PaletteItem[];
}

export interface PaletteSources {
  actions: readonly PaletteItem[];
  pages: readonly PaletteItem[];
  things: readonly PaletteItem[];
  /** What the server found for the query. */
  found: readonly PaletteItem[];
  recent: readonly string[];
}

const SHOWN = 50;
const RECENT_SHOWN = 6;

export function paletteGroups(query: string, sources: PaletteSources): PaletteGroup[] {
  const { actions, pages, things, found, recent } = sources;
  const places = inOrderOf(recent, [...pages, ...things]);
  if (query.trim() === '') {
    return [
      { title: t('Recent'), items: places.slice(0, RECENT_SHOWN) },
      { title: t('On this page'), items: [...actions] },
      { title: t('Pages'), items: [...pages] },
    ].filter(({ items }) => items.length > 0);
  }
  // Of things that match as well, those come first where the person was last.
  const all = new Set([...places, ...pages, ...things, ...actions]);
  const items = [...found, ...rankByWords(query, [...all], ({ text }) => text)].slice(0, SHOWN);
  return items.length > 0 ? [{ title: t('Found'), items }] : [];
}

function inOrderOf(recent: readonly string[], items: readonly PaletteItem[]): PaletteItem[] {
  const byPlace = new Map(items.map((item) => [item.place, item]));
  return recent.flatMap((place) => byPlace.get(place) ?? []);
}
