import { createContext } from 'react';

export interface PageObject {
  /** Name of the activity, checklist or table view that the page is about; '' if it is about none, or not known yet. */
  name: string;
  /** Place for the title of the page; undefined if the title stands above the page itself. */
  slot: HTMLElement | undefined;
}

/** Tells a page about the header above it. */
export const PageObjectContext = createContext<PageObject>({ name: '', slot: undefined });
