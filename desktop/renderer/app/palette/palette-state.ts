/** What is open over the page: the list of places, the keyboard shortcuts, the help, or nothing. */
import { create } from 'zustand';

export type PaletteView = 'places' | 'keys' | 'help' | null;

export const usePalette = create<{ view: PaletteView; opened: readonly PaletteView[] }>(() => ({
  view: null,
  opened: [],
}));

/**
 * The element that had the focus before. Blueprint cannot determine it, because the opened element already has the
 * focus by then.
 */
let focusedBefore: Element | null = null;

function open(view: PaletteView): void {
  focusedBefore = document.activeElement;
  usePalette.setState(({ opened }) => ({ view, opened: opened.includes(view) ? opened : [...opened, view] }));
}

export const openPalette = (): void => open('places');
export const openKeys = (): void => open('keys');
export const openHelp = (): void => open('help');

/** Restores the focus, unless it was moved elsewhere in the meantime. */
export function closePalette(): void {
  const before = focusedBefore;
  leavePalette();
  setTimeout(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.closest('.rs-palette, .rs-help, .rs-keys') != null;
    if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
}

/** Closes for navigation to another page, which moves the focus to its heading. */
export const leavePalette = (): void => usePalette.setState({ view: null });
