/** The client's view of windows: a port that hides how they are shown. */
import type { Found, PageEvents } from '#bridge/messages.ts';
import type { AccountPortal } from './account-portal.ts';

export interface ClientWindow {
  /** The account that the window belongs to; null for a window of servers. */
  portal: AccountPortal | null;
  load(url: string): void;
  focus(): void;
  close(): void;
  /** Sends an event to its page. */
  publish<N extends keyof PageEvents>(name: N, content: PageEvents[N]): void;
  /**
   * Returns whether the user currently sees this page of the portal. @param path path without trailing slash, query and
   * fragment
   */
  isShowing(path: string): boolean;
  /** Continues a drag that its page has started. @param path path of a file */
  drag(path: string): void;
  /** Only for the search bar; other windows have none. */
  finder?: Finder;
}

/** Searches text in the page of another window. */
export interface Finder {
  find(text: string, isForward: boolean): Promise<Found>;
  close(): void;
}

export interface Windows {
  list: () => ClientWindow[];
  /** Opens a window of the account, or of none, at an address. */
  open(portal: AccountPortal | null, url: string): ClientWindow;
}
