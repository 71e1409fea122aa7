import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

const listeners = new Set<() => void>();
let isPrinting = false;

/** Renders synchronously, because the browser lays out the page as soon as the event's listeners return. */
function setPrinting(value: boolean): void {
  isPrinting = value;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

window.addEventListener('beforeprint', () => setPrinting(true));
window.addEventListener('afterprint', () => setPrinting(false));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Returns whether the page is being printed. Components then render all content, because paper cannot scroll or expand.
 */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
