import { Menu } from '@blueprintjs/core';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';

const ITEMS = '[role="menuitem"]:not([aria-disabled="true"])';

/**
 * A menu with standard keyboard behavior: it takes the focus, arrow keys move within it, and a letter jumps to the next
 * entry that starts with it.
 */
export function KeyMenu({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>(ITEMS)?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
    const target = items[nextIndex(event.key, items.indexOf(document.activeElement as HTMLElement), items)];
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <Menu ulRef={list} onKeyDown={onKeyDown}>
      {children}
    </Menu>
  );
}

function nextIndex(key: string, at: number, items: readonly HTMLElement[]): number {
  const last = items.length - 1;
  if (key === 'ArrowDown') return at === last ? 0 : at + 1;
  if (key === 'ArrowUp') return at <= 0 ? last : at - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key.length !== 1 || key === ' ') return -1;
  const begins = (item: HTMLElement): boolean => item.textContent.toLowerCase().startsWith(key.toLowerCase());
  const after = items.findIndex((item, index) => index > at && begins(item));
  return after === -1 ? items.findIndex(begins) : after;
}
