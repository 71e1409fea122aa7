import type { ConnectionState } from './connection.ts';
import type { Notice } from './messages.ts';
import type { OutboxEntry, Queued, QueuedStart } from './outbox.ts';
import type { UploadDoor } from './uploads.ts';

/**
 * Everything the renderer may ask of the place it runs in. In a browser that is web-bridge.ts; a desktop window brings its
 * own. The renderer knows no other door: no window.localStorage, no navigation by hand, no notifications beside this.
 */
export interface DesktopBridge {
  /** 'web' in a browser; a desktop window names its operating system. */
  readonly platform: 'web' | 'windows' | 'macos' | 'linux';
  /** The path below which the portal lives, with a slash at both ends: '/' or '/portal/'. */
  readonly basePath: string;
  /** What whoever signs in here is to know of this place; '' for nothing. */
  notice(): string;
  /** Whether passwords can be encrypted here: browsers offer WebCrypto on https and on localhost only. */
  readonly isSecure: boolean;
  /** What every window of this person shares and what survives a restart: token, theme. */
  readonly shared: TextStore;
  /** What belongs to this window and ends with it: where to go after sign-in, unfolded sections. */
  readonly window: TextStore;
  /** What was typed into forms and not sent yet, encrypted: as long as the window or, in a desktop window, as long as it is wanted. */
  readonly drafts: TextStore;
  readonly connection: ConnectionDoor;
  readonly outbox: OutboxDoor;
  /** Null in a browser, which sends forms with files itself. */
  readonly uploads: UploadDoor | null;
  /** Null where no file can be dragged out of the page. */
  readonly fileDrag: FileDrag | null;
  /** Called when another window changed something in `shared`; returns how to stop listening. */
  onSharedChange(listener: (key: string) => void): () => void;
  /** Only one window at a time runs `work` under a name; where windows cannot be told apart it simply runs. */
  exclusively(name: string, work: () => Promise<void>): Promise<void>;
  /**
   * Where the page loads something of the server: a call, a file, a picture. Good for this page alone: never to be shown or copied.
   * @param path of a call below the base path, as 'api/settings'; without a fragment
   */
  addressOf(path: string): string;
  /** An address of the portal for others, as it is shown, copied and handed on. @param path below the base path; may have a query and a fragment */
  sharedAddress(path: string): string;
  /** Let the browser fetch a file; the address is relative to the base path. */
  download(path: string): void;
  /** Leave the page for an address of the portal, as a full load. Relative to the base path. */
  restartAt(path: string): void;
  /**
   * Leave the page for an address outside the portal, such as a sign-in provider's, that will lead back to it. http and https only.
   * A desktop window does not go there itself: it has the person sign in in the system's browser, and comes back with the session.
   * @param path of the portal at which to go on then
   */
  leaveFor(url: string, path?: string): void;
  /** Leave the page, with nothing of it in the history, for a program that listens on this computer: http://127.0.0.1:PORT/… alone. */
  handOver(url: string): void;
  /** Close the window, where it may be closed by its page. */
  closeWindow(): void;
  /** Give the page another query without loading it, so that a secret in the old one does not stay in the history. */
  rewriteAddress(search: string): void;
  /** What the page speaks from now on, for what is around it: menus and messages of the system. */
  speak(language: 'en' | 'de'): void;
  /** Open an address outside the portal in a new window that gets no hold on this one. */
  openExternal(url: string): void;
  /** Put text on the clipboard; false where that is not allowed. */
  copyText(text: string): Promise<boolean>;
  /** Called with each message that the system did not show, as where it has no service for that; returns how to stop listening. */
  onNotice(listener: (notice: Notice) => void): () => void;
}

/** Small texts by key. Never throws: where storage is refused (private windows, full disks) it forgets. */
export interface TextStore {
  get(key: string): string | null;
  /** Null removes. */
  set(key: string, value: string | null): void;
}

/** Whether the server can be worked with. */
export interface ConnectionDoor {
  /** Whether what needs the server is disabled while it is away. A browser tries all the same. */
  readonly disables: boolean;
  state: () => ConnectionState;
  /** Whether the server is away and what was opened before may be read: then no session ends by time, as only the server could say more. */
  isReadable: () => boolean;
  /** Called after each change; returns how to stop listening. */
  onChange: (listener: () => void) => () => void;
  /** A call of the page was answered by the server, or was lost on its way. A desktop window sees that for itself. */
  noticed: (isReached: boolean) => void;
  /** Looks for the server now. */
  look: () => void;
}

/** Files of the portal that are dragged to other programs. */
export interface FileDrag {
  /** Fetches the file; answers an id for it, null where there is none. @param path of the call, relative to the base path */
  fetch(path: string): Promise<string | null>;
  /** While the button of the mouse is held. */
  begin(id: string): void;
}

/** Starts that wait on this computer for their server. */
export interface OutboxDoor {
  /** False where nothing is kept, as in a browser: then nothing else of this is called. */
  readonly isOffered: boolean;
  /** False where this computer has no keychain that would protect what waits. */
  canQueue: () => boolean;
  list: () => Promise<OutboxEntry[]>;
  add: (start: QueuedStart) => Promise<Queued>;
  /** The person has decided that it is to be started. */
  startNow: (id: string) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  /** Holds it back while the person changes it in its form; false where it is being sent, or was started, already. */
  edit: (id: string) => Promise<boolean>;
  /** What its form is filled in with; null where it is gone. */
  formOf: (id: string) => Promise<string | null>;
  /** Called with all of them after each change; returns how to stop listening. */
  onChange: (listener: (entries: OutboxEntry[]) => void) => () => void;
}
