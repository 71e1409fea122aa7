import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { useSession } from '../session.ts';
import { closePalette, openKeys, openPalette, usePalette } from './palette-state.ts';
import { noteRecent } from './recent-paths.ts';

const CommandPalette = lazyPart(async () => (await import('./CommandPalette.tsx')).CommandPalette);
const KeysDialog = lazyPart(async () => (await import('./KeysDialog.tsx')).KeysDialog);
const HelpPanel = lazyPart(async () => (await import('../help/HelpPanel.tsx')).HelpPanel);

/**
 * Ctrl+K (Command+K) opens the palette, and ? opens the keyboard shortcuts of the page. The code of each is fetched on
 * first use.
 */
export function CommandPaletteHost() {
  const { view, opened } = usePalette();
  useRecent();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.altKey || event.defaultPrevented) return;
      const isHeld = event.ctrlKey || event.metaKey;
      if (isHeld && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
      } else if (event.key === 'Escape' && usePalette.getState().view === 'help') {
        // Handled here because the help is beside the page, so either may have the focus.
        closePalette();
      } else if (!isHeld && event.key === '?' && !isTyping(event.target)) {
        event.preventDefault();
        openKeys();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      {opened.includes('places') && <CommandPalette view={view} onClose={closePalette} />}
      {opened.includes('keys') && <KeysDialog isOpen={view === 'keys'} onClose={closePalette} />}
      {opened.includes('help') && <HelpPanel isOpen={view === 'help'} onClose={closePalette} />}
    </>
  );
}

/** Returns whether a question mark would be typed as text; a grid starts editing with it. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable="true"], [role="grid"], [role="menu"]') !== null;

function useRecent(): void {
  const { pathname } = useLocation();
  const userName = useSession(({ session }) => session?.userName ?? '');
  useEffect(() => {
    if (userName !== '') noteRecent(userName, pathname);
  }, [pathname, userName]);
}
