import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

const listeners = new Set<() => void>();
let isPrinting = false;

/** The browser lays out the paper as soon as the event's listeners return, so React must have rendered by then. */
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

/** Whether the page is being printed. Nothing scrolls or unfolds on paper, so components render all they have. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
