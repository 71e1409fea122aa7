import { useSyncExternalStore } from 'react';

const print = window.matchMedia('print');

function onChange(listener: () => void): () => void {
  print.addEventListener('change', listener);
  return () => print.removeEventListener('change', listener);
}

/** Whether the page is being put on paper: there is no scrolling and no opening there, so that everything has to be shown. */
export const usePrinting = (): boolean => useSyncExternalStore(onChange, () => print.matches);
