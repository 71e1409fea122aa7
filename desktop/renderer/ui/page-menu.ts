/** The entries of the menu beside the title of the page that is shown, for the command palette. */
import type { MenuEntry } from './TitleMenu.tsx';

let menu: readonly MenuEntry[] = [];

export function setPageMenu(entries: readonly MenuEntry[]): void {
  menu = entries;
}

export const pageMenu = (): readonly MenuEntry[] => menu;
