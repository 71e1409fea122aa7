/**
 * How people arrange the columns of a list: widths that they dragged, and frozen columns. Stored on this computer for
 * each person and list, like the density. Values of a list are never stored.
 */
import { createContext, useCallback, useState } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { layoutOf, readLayouts, withLayout, type ListLayout } from './stored-layouts.ts';

const PLAIN: ListLayout = { widths: {} };

/** Nobody, as on the page of visitors, has no stored layouts. */
let storageKey: string | null = null;

/** Must be called before the first list is drawn, and when the person changes. */
export function setListOwner(userName: string | null): void {
  storageKey = userName === null ? null : `lists.${userName.toLowerCase()}`;
}

/**
 * The object to which the tables of values on a page belong, such as 'activity.7': tables of other objects have other
 * columns. Null if their layouts are not stored.
 */
export const ListScopeContext = createContext<string | null>(null);

const stored = () => readLayouts(storageKey === null ? null : bridge.shared.get(storageKey));

export const readListLayout = (list: string | null): ListLayout =>
  list === null ? PLAIN : (layoutOf(stored(), list) ?? PLAIN);

export function storeListLayout(list: string | null, layout: ListLayout): void {
  if (list === null || storageKey === null) return;
  // Read again, because another window may have stored the layout of another list.
  bridge.shared.set(storageKey, JSON.stringify(withLayout(stored(), list, layout)));
}

/** Returns the layout of a list, and stores its changes. @param list null if it is not stored */
export function useListLayout(list: string | null): [ListLayout, (change: Partial<ListLayout>) => void] {
  const [shown, setShown] = useState(() => ({ list, layout: readListLayout(list) }));
  const current = shown.list === list ? shown : { list, layout: readListLayout(list) };
  if (current !== shown) setShown(current);
  const { layout } = current;
  const change = useCallback(
    (to: Partial<ListLayout>): void => {
      const next = { ...layout, ...to };
      setShown({ list, layout: next });
      storeListLayout(list, next);
    },
    [list, layout],
  );
  return [layout, change];
}
