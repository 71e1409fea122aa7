/** What lies over the page: the list of places, the keys of the page, its help, or nothing. */
import { create } from 'zustand';

export type PaletteView = 'places' | 'keys' | 'help' | null;

export const usePalette = create<{ view: PaletteView; opened: readonly PaletteView[] }>(() => ({
  view: null,
  opened: [],
}));

/** What had the focus before. Blueprint looks for it when what opens has it already. */
let focusedBefore: Element | null = null;

function open(view: PaletteView): void {
  focusedBefore = document.activeElement;
  usePalette.setState(({ opened }) => ({ view, opened: opened.includes(view) ? opened : [...opened, view] }));
}

export const openPalette = (): void => open('places');
export const openKeys = (): void => open('keys');
export const openHelp = (): void => open('help');

/** The focus goes back, unless somebody has put it elsewhere meanwhile. */
export function closePalette(): void {
  const before = focusedBefore;
  leavePalette();
  setTimeout(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.closest('.rs-palette, .rs-help, .rs-keys') != null;
    if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
}

/** For another page, which takes the focus to its heading. */
export const leavePalette = (): void => usePalette.setState({ view: null });
