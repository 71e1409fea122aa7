import { useSyncExternalStore } from 'react';
import { useRowHeight } from '#renderer/ui/density.ts';

/** Height in pixels of what is above and below the rows: menu, tabs, title, search and buttons. */
const AROUND_ROWS = 360;
const MIN_ROWS = 8;

function subscribe(onChange: () => void): () => void {
  window.addEventListener('resize', onChange);
  return () => window.removeEventListener('resize', onChange);
}

/** Returns how many rows of a grid fit into the window below the head of the page. */
export function useRowsInView(): number {
  const rowHeight = useRowHeight();
  const height = useSyncExternalStore(subscribe, () => window.innerHeight);
  return Math.max(MIN_ROWS, Math.floor((height - AROUND_ROWS) / rowHeight));
}
