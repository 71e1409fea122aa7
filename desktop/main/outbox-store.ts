/** Stores waiting starts and copies of their files, each encrypted in a separate file. */
import { randomBytes } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { OutboxEntry } from '#bridge/outbox.ts';
import { StartBody } from '#shared/contract/runs.ts';
import { packAnswer, unpackAnswer } from './answer-store.ts';
import { say } from './language.ts';
import type { Blobs, Clock, Secrets } from './ports.ts';
import { openVault, type Vault } from './vault.ts';

export const StoredEntry = Type.Object({
  ...OutboxEntry.properties,
  /** In lower case. Only sessions of this user send the start. */
  userName: Type.String(),
  start: StartBody,
  form: Type.String(),
  /** When the user last confirmed the start, in milliseconds since 1970. */
  wanted: Type.Number(),
  /** The latest time observed while the entry waited. */
  seen: Type.Number(),
  /** Server ids of uploaded files, by the ids of their local copies. */
  uploads: Type.Record(Type.String(), Type.Object({ fileId: Type.String(), at: Type.Number() })),
});
export type StoredEntry = Static<typeof StoredEntry>;

export interface SpooledFile {
  name: string;
  content: Uint8Array;
}

export interface OutboxStore {
  bounds: OutboxBounds;
  /** Rejects, like all other functions, if the keychain does not provide the key; no data is lost in that case. */
  entries(): Promise<StoredEntry[]>;
  write(entry: StoredEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** Copies a file and returns the id by which forms refer to it. Rejects if there is no room for it. */
  spool(file: SpooledFile): Promise<string>;
  /** Returns null if the copy no longer exists. */
  spooled(id: string): Promise<SpooledFile | null>;
  /** Deletes the files of an entry that no other entry needs. */
  release(entry: StoredEntry): Promise<void>;
  /**
   * Deletes files that no entry has needed for a while, and all but the newest started entries. Returns the number of
   * entries that cannot be read because their key differs from the one in the keychain. Those are retained for a while
   * in case that key returns.
   */
  sweep(): Promise<number>;
  /** Deletes the key and all stored data. */
  erase(): Promise<void>;
}

export interface OutboxStoreDeps {
  blobs: Blobs;
  secrets: Secrets;
  /** Name of the key in the keychain. */
  keyName: string;
  clock: Clock;
  bounds?: OutboxBounds;
}

export interface OutboxBounds {
  /** Maximum total size of all files. */
  bytes: number;
  /** Maximum number of entries that have not been started. */
  entries: number;
  /** Maximum number of started entries that are still shown. */
  started: number;
}

/** Bounds per account. */
const OUTBOX_BOUNDS: OutboxBounds = { bytes: 1024 * 1024 * 1024, entries: 200, started: 100 };
/** Retention of unneeded files in milliseconds: a form whose file was chosen may stay open for a while. */
const UNNEEDED_AFTER = 7 * 24 * 60 * 60_000;
export const SPOOL_ID = /^spool-[0-9a-f]{32}$/;
const ENTRY = /^entry-([0-9a-f]{16})$/;

export function createOutboxStore({
  blobs,
  secrets,
  keyName,
  clock,
  bounds = OUTBOX_BOUNDS,
}: OutboxStoreDeps): OutboxStore {
  const { vault, forget } = createCachedVault(secrets, keyName);
  const nameOf = (id: string): string => `entry-${id}`;
  const read = async (name: string): Promise<Uint8Array | null> => {
    const [key, encrypted] = [await vault(), await blobs.read(name)];
    return encrypted && key.decrypt(name, encrypted);
  };
  const write = async (name: string, content: Uint8Array): Promise<void> =>
    blobs.write(name, (await vault()).encrypt(name, content));
  const entries = async (): Promise<StoredEntry[]> => {
    const names = (await blobs.list()).map(({ name }) => name).filter((name) => ENTRY.test(name));
    if (names.length === 0) return [];
    const found = await Promise.all(names.map(async (name) => parse(await read(name))));
    return found.filter((entry) => entry !== null).toSorted((a, b) => a.QueueTime.localeCompare(b.QueueTime));
  };
  return {
    bounds,
    entries,
    write: (entry) => write(nameOf(entry.Id), Buffer.from(JSON.stringify(entry))),
    remove: (id) => blobs.remove(nameOf(id)),
    spool: async ({ name, content }) => {
      const used = (await blobs.list()).reduce((sum, { size }) => sum + size, 0);
      if (used + content.length > bounds.bytes) throw new Error(say('There is no space left for waiting files'));
      const id = `spool-${randomBytes(16).toString('hex')}`;
      await write(id, packAnswer({ at: clock.now(), headers: { name }, body: content }));
      return id;
    },
    spooled: async (id) => {
      const content = SPOOL_ID.test(id) ? await read(id) : null;
      const file = content && unpackAnswer(content);
      return file && { name: file.headers['name'] ?? '', content: file.body };
    },
    release: async (entry) => {
      const others = (await entries()).filter(({ Id, ...other }) => Id !== entry.Id && isOpen(other));
      const needed = new Set(others.flatMap(({ start }) => spoolIdsOf(start)));
      for (const id of spoolIdsOf(entry.start)) if (!needed.has(id)) await blobs.remove(id);
    },
    sweep: async () => {
      for (const old of oldestStarted(await entries(), bounds)) await blobs.remove(nameOf(old.Id));
      return removeUnneeded({ blobs, clock, read, open: (await entries()).filter(isOpen) });
    },
    erase: async () => {
      forget();
      await secrets.remove(keyName).catch(() => undefined);
      await blobs.removeAll();
    },
  };
}

/** Opens the vault on first use; if the keychain is locked, the next use tries again. */
function createCachedVault(secrets: Secrets, keyName: string): { vault: () => Promise<Vault>; forget: () => void } {
  let opened: Promise<Vault> | null = null;
  const forget = (): void => void (opened = null);
  const vault = (): Promise<Vault> => {
    opened ??= openVault(secrets, keyName).catch((error: unknown) => {
      forget();
      throw error;
    });
    return opened;
  };
  return { vault, forget };
}

/** Returns the started entries beyond the newest ones to retain. */
const oldestStarted = (all: StoredEntry[], { started }: OutboxBounds): StoredEntry[] =>
  all.filter((entry) => !isOpen(entry)).slice(0, -started);

interface Unneeded {
  blobs: Blobs;
  clock: Clock;
  read: (name: string) => Promise<Uint8Array | null>;
  open: StoredEntry[];
}

/** Returns the number of entries that cannot be read. */
async function removeUnneeded({ blobs, clock, read, open }: Unneeded): Promise<number> {
  const needed = new Set(open.flatMap((entry) => spoolIdsOf(entry.start)));
  let unreadable = 0;
  for (const { name, written } of await blobs.list()) {
    const isOld = clock.now() - written > UNNEEDED_AFTER;
    const isUnreadable = ENTRY.test(name) && (await read(name)) === null;
    if (isUnreadable) unreadable += 1;
    if (isOld && (isUnreadable || (SPOOL_ID.test(name) && !needed.has(name)))) await blobs.remove(name);
  }
  return unreadable;
}

/** Returns whether the entry can still be started. */
export const isOpen = ({ State }: Pick<StoredEntry, 'State'>): boolean => State !== 'started';

const spoolIdsOf = ({ Inputs }: StartBody): string[] =>
  Inputs.flatMap(({ FileId }) => (FileId != null && SPOOL_ID.test(FileId) ? [FileId] : []));

function parse(content: Uint8Array | null): StoredEntry | null {
  try {
    const entry: unknown = JSON.parse(Buffer.from(content ?? []).toString());
    return Value.Check(StoredEntry, entry) ? entry : null;
  } catch {
    return null;
  }
}
