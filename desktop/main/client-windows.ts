/** Windows as the client knows them: what shows them is behind this port. */
import type { Found, PageEvents } from '#bridge/messages.ts';
import type { AccountPortal } from './account-portal.ts';

export interface ClientWindow {
  /** The account whose windows this is one of; null for that of servers. */
  portal: AccountPortal | null;
  load(url: string): void;
  focus(): void;
  close(): void;
  /** Tells its page something. */
  tell<N extends keyof PageEvents>(name: N, content: PageEvents[N]): void;
  /** Whether the person has this page of the portal before them. @param path without what may follow it */
  isShowing(path: string): boolean;
  /** Goes on with a drag that its page has begun. @param path of a file */
  drag(path: string): void;
  /** Of the bar that finds text; other windows have none. */
  finder?: Finder;
}

/** Finds text in the page of another window. */
export interface Finder {
  find(text: string, isForward: boolean): Promise<Found>;
  close(): void;
}

export interface Windows {
  list: () => ClientWindow[];
  /** A window of the account, or of none, at an address. */
  open(portal: AccountPortal | null, url: string): ClientWindow;
}
