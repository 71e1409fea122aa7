import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { useSession } from '../session.ts';
import { closePalette, openKeys, openPalette, usePalette } from './palette-state.ts';
import { noteRecent } from './recent-places.ts';

const CommandPalette = lazyPart(async () => (await import('./CommandPalette.tsx')).CommandPalette);
const KeysDialog = lazyPart(async () => (await import('./KeysDialog.tsx')).KeysDialog);
const HelpPanel = lazyPart(async () => (await import('../help/HelpPanel.tsx')).HelpPanel);

/** Ctrl+K (Command+K) opens the palette and ? the keys of the page; the code of each is fetched with its first use. */
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
        // The help lies beside the page, so that the focus may be in either.
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

/** A question mark that is typed is a question mark; a grid takes it as the beginning of a text. */
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
