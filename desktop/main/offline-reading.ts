/**
 * Data that an account stores for reading without its server, and whether it may be read: for as long as the server
 * allows, by the user who opened it, until they sign out. The encryption key is in the keychain; without a keychain,
 * nothing is stored.
 */
import { createAnswerStore, type AnswerStore, type StoredAnswer } from './answer-store.ts';
import type { Blobs, Clock, Log, Secrets } from './ports.ts';
import { atContact, isOver, isReadable, readLease, writeLease, type ReadingLease } from './reading-lease.ts';
import { findVault, openVault, type Vault } from './vault.ts';

export interface OfflineReading {
  /** Returns whether stored data may be shown now. */
  isReadable(): boolean;
  get(key: string): Promise<StoredAnswer | null>;
  /** Stores a response if that is allowed. Never rejects, and does not have to be awaited. */
  put(key: string, answer: StoredAnswer): Promise<void>;
  /** Returns an opaque name for a key; null if nothing is stored. */
  nameOf(key: string): string | null;
  /**
   * A session was created or renewed: data opened by another user is erased. @param userName null if it is the same
   * user as before
   */
  signedIn(userName: string | null, session: SessionTimes): Promise<void>;
  /** Sets the number of days that the server allows. 0 erases everything. */
  allow(days: number): Promise<void>;
  /** The server has answered the user. */
  contact(): void;
  /**
   * The server no longer accepts the session. If the session has expired, stored data is locked until the same user
   * signs in again. If it ended before its time, it was revoked, and stored data is erased. @param serverNow
   * milliseconds since 1970, from the server's clock
   */
  refused(serverNow: number): Promise<void>;
  /** Deletes the key, and with it all stored data. */
  signedOut(): Promise<void>;
  /** Resolves when all pending writes are complete. */
  settled(): Promise<void>;
  stop(): void;
}

/** When a session expires. */
export interface SessionTimes {
  /** Milliseconds since 1970, from the server's clock. */
  expiry: number;
  /** Milliseconds of inactivity; 0 for no limit. */
  inactivityTimeout: number;
}

export interface OfflineReadingDeps {
  /** The account's folder of stored responses. */
  blobs: Blobs;
  secrets: Secrets;
  /** Name of the key in the keychain. */
  keyName: string;
  /** The user who signed in last, according to the account. */
  userName: string | null;
  clock: Clock;
  log: Log;
}

/** Interval in milliseconds for recording the time, to detect a clock that is set back. */
const NOTE_TIME = 60_000;

/** Within this time before its end, a session counts as expired. */
const GOOD_FAITH = 60_000;

interface Opened {
  vault: Vault;
  store: AnswerStore;
  lease: ReadingLease;
}

export async function loadOfflineReading(deps: OfflineReadingDeps): Promise<OfflineReading> {
  const reading = new AccountReading(deps, await openExisting(deps));
  await reading.begin();
  return reading;
}

class AccountReading implements OfflineReading {
  readonly #deps: OfflineReadingDeps;
  #opened: Opened | null;
  #userName: string | null;
  #session: SessionTimes | null = null;
  #writing: Promise<void> = Promise.resolve();
  #lastChange: Promise<void> = Promise.resolve();
  #written = 0;
  #stopNoting = (): void => undefined;

  constructor(deps: OfflineReadingDeps, opened: Opened | null) {
    this.#deps = deps;
    this.#opened = opened;
    this.#userName = deps.userName?.toLowerCase() ?? null;
  }

  async begin(): Promise<void> {
    const lease = this.#opened?.lease;
    if (lease && (isOver(lease, this.#now()) || lease.userName !== this.#userName)) await this.#erase();
    this.#noteTime();
  }

  isReadable(): boolean {
    return isReadable(this.#opened?.lease ?? null, this.#now());
  }

  async get(key: string): Promise<StoredAnswer | null> {
    return this.#opened && this.isReadable() ? this.#opened.store.get(key) : null;
  }

  async put(key: string, answer: StoredAnswer): Promise<void> {
    const { lease, store } = this.#opened ?? {};
    if (lease && store && lease.days > 0 && !lease.isLocked) await store.put(key, answer);
  }

  nameOf(key: string): string | null {
    return this.#opened?.vault.nameOf(key) ?? null;
  }

  signedIn(userName: string | null, session: SessionTimes): Promise<void> {
    return this.#serialized(() => this.#signIn(userName, session));
  }

  signedOut(): Promise<void> {
    return this.#serialized(() => {
      this.#userName = null;
      return this.#erase();
    });
  }

  allow(days: number): Promise<void> {
    return this.#serialized(() => this.#allow(days));
  }

  refused(serverNow: number): Promise<void> {
    return this.#serialized(() => this.#refuse(serverNow));
  }

  /** Serializes changes: a key that is being created must not outlive a sign-out. */
  #serialized(work: () => Promise<void>): Promise<void> {
    const done = this.#lastChange.then(work);
    this.#lastChange = done.catch(() => undefined);
    return done;
  }

  async #signIn(userName: string | null, session: SessionTimes): Promise<void> {
    this.#session = session;
    this.#userName = userName?.toLowerCase() ?? this.#userName;
    const lease = this.#opened?.lease;
    if (!lease) return;
    if (lease.userName !== this.#userName) await this.#erase();
    else await this.#change(atContact({ ...lease, isLocked: false }, this.#deps.clock));
  }

  async #allow(days: number): Promise<void> {
    if (days <= 0) return this.#opened ? this.#erase() : undefined;
    if (this.#userName === null) return undefined;
    this.#opened ??= await openNew(this.#deps, this.#userName);
    const lease = this.#opened?.lease;
    return lease && this.#change(atContact({ ...lease, days }, this.#deps.clock));
  }

  contact(): void {
    if (!this.#opened || this.#opened.lease.isLocked) return;
    this.#opened.lease = atContact(this.#opened.lease, this.#deps.clock);
    if (Math.abs(this.#now() - this.#written) > NOTE_TIME) void this.#save();
  }

  async #refuse(serverNow: number): Promise<void> {
    const [lease, session] = [this.#opened?.lease, this.#session];
    if (!lease) return;
    this.#session = null;
    // For a session of an earlier process, the expiry is unknown.
    const hasTime = session !== null && serverNow < session.expiry - GOOD_FAITH;
    const idle = this.#now() - lease.contact;
    const isAttended = session?.inactivityTimeout === 0 || idle < (session?.inactivityTimeout ?? 0) - GOOD_FAITH;
    if (hasTime && isAttended) await this.#erase();
    else await this.#change({ ...lease, isLocked: true });
  }

  async #erase(): Promise<void> {
    const { blobs, secrets, keyName, log } = this.#deps;
    const store = this.#opened?.store;
    this.#opened = null;
    // Deletes the key first: even if the rest fails, nobody can read the data any more.
    await secrets.remove(keyName).catch((error: unknown) => log('a key could not be deleted', error));
    await store?.settled();
    await this.#writing;
    await blobs.removeAll().catch((error: unknown) => log('what was kept could not be deleted', error));
  }

  async settled(): Promise<void> {
    await this.#opened?.store.settled();
    await this.#writing;
  }

  stop(): void {
    this.#stopNoting();
  }

  #now(): number {
    return this.#deps.clock.now();
  }

  /** Records the time periodically, to detect a clock that is set back. */
  #noteTime(): void {
    const lease = this.#opened?.lease;
    if (lease && this.#now() > lease.latest) void this.#change({ ...lease, latest: this.#now() });
    this.#stopNoting = this.#deps.clock.after(NOTE_TIME, () => this.#noteTime());
  }

  #change(lease: ReadingLease): Promise<void> {
    if (this.#opened) this.#opened.lease = lease;
    return this.#save();
  }

  #save(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return this.#writing;
    const { blobs, log } = this.#deps;
    this.#written = this.#now();
    this.#writing = this.#writing
      .then(() => (this.#opened === opened ? writeLease(blobs, opened.vault, opened.lease) : undefined))
      .catch((error: unknown) => log('how long may be read without the server could not be kept', error));
    return this.#writing;
  }
}

const emptyLease = (userName: string): ReadingLease => ({
  version: 1,
  userName,
  days: 0,
  contact: 0,
  latest: 0,
  isLocked: false,
});

/**
 * Returns null if nothing was stored, or if the keychain does not provide the key now; the data then remains, locked.
 */
async function openExisting(deps: OfflineReadingDeps): Promise<Opened | null> {
  try {
    const vault = await findVault(deps.secrets, deps.keyName);
    const lease = vault && (await readLease(deps.blobs, vault));
    return vault && lease ? { vault, lease, store: createAnswerStore(deps.blobs, vault, deps.log) } : null;
  } catch (error) {
    deps.log('what is kept to be read without the server cannot be opened', error);
    return null;
  }
}

/** Returns null if the keychain cannot store a key. */
async function openNew(deps: OfflineReadingDeps, userName: string): Promise<Opened | null> {
  try {
    const existing = await openExisting(deps);
    if (existing?.lease.userName === userName) return existing;
    // Data of another user, or data that cannot be decrypted, is deleted together with its key.
    await deps.secrets.remove(deps.keyName);
    await deps.blobs.removeAll();
    const vault = await openVault(deps.secrets, deps.keyName);
    return { vault, lease: emptyLease(userName), store: createAnswerStore(deps.blobs, vault, deps.log) };
  } catch (error) {
    deps.log('nothing is kept to be read without the server', error);
    return null;
  }
}
