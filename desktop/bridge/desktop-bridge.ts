import type { ConnectionState } from './connection.ts';
import type { Notice } from './messages.ts';
import type { OutboxEntry, Queued, QueuedStart } from './outbox.ts';
import type { UploadDoor } from './uploads.ts';

/**
 * Everything the renderer may request from its environment. In a browser, web-bridge.ts implements it; a desktop window
 * provides its own implementation. The renderer must not use anything else: no window.localStorage, no manual
 * navigation, no other notifications.
 */
export interface DesktopBridge {
  /** 'web' in a browser; the operating system in a desktop window. */
  readonly platform: 'web' | 'windows' | 'macos' | 'linux';
  /** The base path of the portal, with a slash at both ends: '/' or '/portal/'. */
  readonly basePath: string;
  /** A notice about this computer for users who sign in; '' for none. */
  notice(): string;
  /** True if passwords can be encrypted here: browsers offer WebCrypto only on https and on localhost. */
  readonly isSecure: boolean;
  /** Values shared by all windows of this user that survive a restart: token, theme. */
  readonly shared: TextStore;
  /** Values of this window that end with it: where to go after sign-in, expanded sections. */
  readonly window: TextStore;
  /**
   * Encrypted drafts of forms that were not sent yet. They last as long as the window or, in a desktop window, until
   * they are discarded.
   */
  readonly drafts: TextStore;
  readonly connection: ConnectionDoor;
  readonly outbox: OutboxDoor;
  /** Null in a browser, which sends forms with files directly. */
  readonly uploads: UploadDoor | null;
  /** Null if files cannot be dragged out of the page. */
  readonly fileDrag: FileDrag | null;
  /** Called when another window changed a value in `shared`; returns a function that unsubscribes. */
  onSharedChange(listener: (key: string) => void): () => void;
  /** Runs `work` in only one window at a time per name; without a lock API, it simply runs. */
  exclusively(name: string, work: () => Promise<void>): Promise<void>;
  /**
   * Returns the address from which this page loads something from the server: a call, a file, a picture. It is valid
   * only for this page and must never be displayed or copied.
   * @param path path of a call below the base path, such as 'api/settings', without a fragment
   */
  addressOf(path: string): string;
  /**
   * Returns an address of the portal that can be displayed, copied and shared. @param path path below the base path;
   * may have a query and a fragment
   */
  sharedAddress(path: string): string;
  /** Lets the browser download a file; the address is relative to the base path. */
  download(path: string): void;
  /** Navigates to an address of the portal with a full page load. Relative to the base path. */
  restartAt(path: string): void;
  /**
   * Leaves the page for an external http or https address that will redirect back to the portal, such as a sign-in
   * provider's. A desktop window does not navigate: it lets the user sign in through the system browser and then
   * continues with the session.
   * @param path path of the portal at which to continue afterwards
   */
  leaveFor(url: string, path?: string): void;
  /**
   * Leaves the page, without a history entry, for a program that listens on this computer: only http://127.0.0.1:PORT/…
   */
  leaveForProgram(url: string): void;
  /** Closes the window, if the browser lets its page close it. */
  closeWindow(): void;
  /**
   * Replaces the query of the page without reloading, so that a secret in the old query does not stay in the history.
   */
  rewriteAddress(search: string): void;
  /** Sets the language of menus and system messages around the page. */
  speak(language: 'en' | 'de'): void;
  /** Opens an address outside the portal in a new window without access to this one. */
  openExternal(url: string): void;
  /** Copies text to the clipboard; returns false if that is not allowed. */
  copyText(text: string): Promise<boolean>;
  /**
   * Called with each message that the system did not show, for example because it has no notification service; returns
   * a function that unsubscribes.
   */
  onNotice(listener: (notice: Notice) => void): () => void;
}

/**
 * Small texts by key. Never throws: if storage is refused (private windows, full disks), values are kept in memory
 * only.
 */
export interface TextStore {
  get(key: string): string | null;
  /** Null removes the entry. */
  set(key: string, value: string | null): void;
}

/** State of the connection to the server. */
export interface ConnectionDoor {
  /** True if features that need the server are disabled while it is unreachable. A browser leaves them enabled. */
  readonly disables: boolean;
  state: () => ConnectionState;
  /**
   * Returns whether the server is unreachable and stored data may be read. No session times out in this state, because
   * only the server could extend it.
   */
  isReadable: () => boolean;
  /** Called after each change; returns a function that unsubscribes. */
  onChange: (listener: () => void) => () => void;
  /**
   * Reports whether the server answered a call of the page, or the call got lost. A desktop window detects this without
   * the page.
   */
  noticed: (isReached: boolean) => void;
  /** Polls the server now. */
  poll: () => void;
}

/** Dragging files of the portal to other programs. */
export interface FileDrag {
  /**
   * Fetches the file and returns an id for it; null if there is none. @param path path of the call, relative to the
   * base path
   */
  fetch(path: string): Promise<string | null>;
  /** Must be called while the mouse button is pressed. */
  begin(id: string): void;
}

/** The outbox: starts that wait on this computer for their server. */
export interface OutboxDoor {
  /** False if there is no outbox, as in a browser; no other member is called then. */
  readonly isOffered: boolean;
  /** Returns false if this computer has no keychain to protect waiting starts. */
  canQueue: () => boolean;
  list: () => Promise<OutboxEntry[]>;
  add: (start: QueuedStart) => Promise<Queued>;
  /** Called when the user decides to start the entry. */
  startNow: (id: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  /**
   * Holds an entry back while the user edits it in its form; returns false if it is being sent or was already started.
   */
  edit: (id: string) => Promise<boolean>;
  /** Returns the data to fill in its form; null if the entry no longer exists. */
  formOf: (id: string) => Promise<string | null>;
  /** Called with all entries after each change; returns a function that unsubscribes. */
  onChange: (listener: (entries: OutboxEntry[]) => void) => () => void;
}
