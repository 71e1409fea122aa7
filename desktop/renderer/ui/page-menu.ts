/** The menu entries beside the current page's title, for the command palette. */
import type { MenuEntry } from './TitleMenu.tsx';

let menu: readonly MenuEntry[] = [];

export function setPageMenu(entries: readonly MenuEntry[]): void {
  menu = entries;
}

export const pageMenu = (): readonly MenuEntry[] => menu;
