import { createContext, use, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import type { ObjectAddress } from './object-address.ts';

export interface ClaimedObject extends ObjectAddress {
  /** Shown until the list of objects is there, and for objects that it does not contain. */
  name: string;
}

/** Called by a page with the object that it is about, and its address. */
export const ClaimObjectContext = createContext<(object: ClaimedObject, path: string) => void>(() => undefined);

/**
 * Names the object of a page whose address does not contain it, such as a run, for the header above the page.
 * @param object undefined until the page knows it
 */
export function usePageObject(object: ClaimedObject | undefined): void {
  const claim = use(ClaimObjectContext);
  const { pathname } = useLocation();
  const { kind, id, name } = object ?? {};
  useEffect(() => {
    if (kind !== undefined && id !== undefined && name !== undefined) claim({ kind, id, name }, pathname);
  }, [claim, pathname, kind, id, name]);
}
