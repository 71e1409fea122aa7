/**
 * What the main process needs from the computer, each with a real implementation and one for tests. Only files named
 * `electron-*.ts` import Electron.
 */
import type { Readable } from 'node:stream';

/** The user's keychain. Every call may fail if there is none, if it is locked, or if nobody answers its prompt. */
export interface Secrets {
  /** Returns null if nothing is stored under the name. */
  get(name: string): Promise<string | null>;
  set(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/**
 * Makes calls to servers with the proxies and certificates of this computer; without cookies, and without following
 * redirects.
 */
export interface Net {
  fetch(url: string, init: NetInit): Promise<Response>;
}

/** Like Net, for callers that pass responses on while they arrive. */
export interface StreamingNet extends Net {
  stream(url: string, init: NetInit): Promise<StreamedAnswer>;
}

/** A response whose content is still arriving. */
export interface StreamedAnswer {
  status: number;
  statusText: string;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The unread content. */
  content: Readable;
}

export interface NetInit {
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array | string;
  signal?: AbortSignal;
  /** Called periodically with the number of bytes of the body sent, and the total. */
  onSent?: ((sent: number, total: number) => void) | undefined;
}

/** Small files of the program in its own folder. */
export interface Files {
  /** Returns null if there is no such file. */
  read(name: string): Promise<string | null>;
  /** Atomic: writes the whole file or nothing. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Files of a folder; names contain no separators. */
export interface Blobs {
  /** Returns null if there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** Atomic and durable: writes the whole file or nothing, and it survives once the call resolves. */
  write(name: string, content: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<{ name: string; size: number; written: number }[]>;
  removeAll(): Promise<void>;
}

export interface Shell {
  /** Opens a web address in the system browser. */
  openExternal(url: string): Promise<void>;
}

export interface SystemMessage {
  title: string;
  body: string;
  onClick: () => void;
  /** Path in the portal if the message is about one of its pages. */
  path?: string;
}

export interface Notifier {
  /** @param onMissing called if the system does not show the message, possibly later */
  show(message: SystemMessage, onMissing?: () => void): void;
}

export interface Power {
  /** Called after the computer wakes up; returns a function that unsubscribes. */
  onWake(listener: () => void): () => void;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `work` once after the given milliseconds; returns a function that cancels this. */
  after(milliseconds: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Logs problems of the main process for administrators. Never contains a token, a password or a path with one. */
export type Log = (text: string, error?: unknown) => void;
