/** What main needs of the machine, each with a real implementation and one for tests. Electron is imported by files named `electron-*.ts` alone. */
import type { Readable } from 'node:stream';

/** The keychain of the person. Every call may fail where there is none, it is locked, or nobody answers its question. */
export interface Secrets {
  /** Null where nothing is kept under the name. */
  get(name: string): Promise<string | null>;
  set(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Calls of servers, with the proxies and certificates of this machine; no cookies, and redirects are not followed. */
export interface Net {
  fetch(url: string, init: NetInit): Promise<Response>;
}

/** The same, for who passes answers on while they come. */
export interface StreamingNet extends Net {
  stream(url: string, init: NetInit): Promise<StreamedAnswer>;
}

/** An answer whose content is still coming. */
export interface StreamedAnswer {
  status: number;
  statusText: string;
  /** By names with small letters. */
  headers: Readonly<Record<string, string>>;
  /** Of which nothing was read yet. */
  content: Readable;
}

export interface NetInit {
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array | string;
  signal?: AbortSignal;
  /** Called now and then with the bytes of the body that have been sent, and how many there are. */
  onSent?: ((sent: number, total: number) => void) | undefined;
}

/** Small files of the program, below its own folder. */
export interface Files {
  /** Null where there is none. */
  read(name: string): Promise<string | null>;
  /** Whole or not at all. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Files of a folder, by names without separators. */
export interface Blobs {
  /** Null where there is none. */
  read(name: string): Promise<Uint8Array | null>;
  /** Whole or not at all, and there to stay once it answers. */
  write(name: string, content: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<{ name: string; size: number; written: number }[]>;
  removeAll(): Promise<void>;
}

export interface Shell {
  /** Opens an address of the web in the system's browser. */
  openExternal(url: string): Promise<void>;
}

export interface SystemMessage {
  title: string;
  body: string;
  onClick: () => void;
  /** Of the portal, where the message is about one of its pages. */
  path?: string;
}

export interface Notifier {
  /** @param onMissing called where the system does not show it, which may turn out later */
  show(message: SystemMessage, onMissing?: () => void): void;
}

export interface Power {
  /** Called when the computer has slept; answers how to stop listening. */
  onWake(listener: () => void): () => void;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once after so many milliseconds; answers how to stop that. */
  after(milliseconds: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Where main tells what went wrong, for who looks after the machine. Never a token, a password or a path that holds one. */
export type Log = (text: string, error?: unknown) => void;
