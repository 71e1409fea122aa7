/**
 * Content of the palette: with a query, all matches, best first; without one, recent places, actions of the page, and
 * pages.
 */
import type { JSX } from 'react';
import { t } from '#renderer/language/translate.ts';
import { rankByWords } from './palette-match.ts';

export interface PaletteItem {
  /** Unique key. */
  key: string;
  text: string;
  /** Type of the item, shown on the right. */
  label: string;
  icon?: JSX.Element;
  /** Path of a portal page. */
  to?: string;
  /** For a runnable activity, checklist or workflow: path of its form. */
  runPath?: string;
  act?: () => void;
  /** Identifies it among the recent places. */
  path?: string;
}

export interface PaletteGroup {
  title: string;
  items: PaletteItem[];
}

export interface PaletteSources {
  actions: readonly PaletteItem[];
  pages: readonly PaletteItem[];
  things: readonly PaletteItem[];
  /** Items that the server found for the query. */
  found: readonly PaletteItem[];
  recent: readonly string[];
}

const SHOWN = 50;
const RECENT_SHOWN = 6;

export function paletteGroups(query: string, sources: PaletteSources): PaletteGroup[] {
  const { actions, pages, things, found, recent } = sources;
  const recentItems = inOrderOf(recent, [...pages, ...things]);
  if (query.trim() === '') {
    return [
      { title: t('Recent'), items: recentItems.slice(0, RECENT_SHOWN) },
      { title: t('On this page'), items: [...actions] },
      { title: t('Pages'), items: [...pages] },
    ].filter(({ items }) => items.length > 0);
  }
  // Among equally good matches, recently visited places come first.
  const all = new Set([...recentItems, ...pages, ...things, ...actions]);
  const items = [...found, ...rankByWords(query, [...all], ({ text }) => text)].slice(0, SHOWN);
  return items.length > 0 ? [{ title: t('Found'), items }] : [];
}

function inOrderOf(recent: readonly string[], items: readonly PaletteItem[]): PaletteItem[] {
  const byPath = new Map(items.map((item) => [item.path, item]));
  return recent.flatMap((path) => byPath.get(path) ?? []);
}
