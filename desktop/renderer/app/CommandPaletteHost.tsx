import { useEffect } from 'react';
import { create } from 'zustand';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

const CommandPalette = lazyPart(async () => (await import('./CommandPalette.tsx')).CommandPalette);

const usePalette = create(() => ({ isOpen: false, wasOpened: false }));

export const openPalette = (): void => usePalette.setState({ isOpen: true, wasOpened: true });
export const closePalette = (): void => usePalette.setState({ isOpen: false });

/** Opens with Ctrl+K (Command+K); its code is fetched with the first use. */
export function CommandPaletteHost() {
  const { isOpen, wasOpened } = usePalette();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      openPalette();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (!wasOpened) return null;
  return <CommandPalette isOpen={isOpen} onClose={closePalette} />;
}
