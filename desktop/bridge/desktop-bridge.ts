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
  readonly notice: string;
  /** Whether passwords can be encrypted here: browsers offer WebCrypto on https and on localhost only. */
  readonly isSecure: boolean;
  /** What every window of this person shares and what survives a restart: token, theme. */
  readonly shared: TextStore;
  /** What belongs to this window and ends with it: where to go after sign-in, unfolded sections. */
  readonly window: TextStore;
  /** Called when another window changed something in `shared`; returns how to stop listening. */
  onSharedChange(listener: (key: string) => void): () => void;
  /** Only one window at a time runs `work` under a name; where windows cannot be told apart it simply runs. */
  exclusively(name: string, work: () => Promise<void>): Promise<void>;
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
  /** Open an address outside the portal in a new window that gets no hold on this one. */
  openExternal(url: string): void;
  /** Put text on the clipboard; false where that is not allowed. */
  copyText(text: string): Promise<boolean>;
  /** A message of the system, if the person allows them; false where none was shown. */
  notify(title: string, body: string): Promise<boolean>;
}

/** Small texts by key. Never throws: where storage is refused (private windows, full disks) it forgets. */
export interface TextStore {
  get(key: string): string | null;
  /** Null removes. */
  set(key: string, value: string | null): void;
}
