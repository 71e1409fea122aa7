/**
 * Sends waiting starts to their server, one at a time. Each start is a single run even if it is sent twice, because it
 * retains its UniqueId. An entry counts as started only after the server confirmed it. Refused entries are not retried
 * automatically, and entries that have waited long ask the user first.
 */
import type { OutboxEntry, Queued, QueuedStart } from '#bridge/outbox.ts';
import { say } from './language.ts';
import { sendStart, type Outcome, type SendCall } from './outbox-sending.ts';
import { afterwards, forEditing, heldBack, isWaiting, newEntry, parseStart, shown } from './outbox-rules.ts';
import { isOpen, type OutboxStore, type StoredEntry } from './outbox-store.ts';
import type { Clock, Log } from './ports.ts';

export interface OutboxDeps {
  store: OutboxStore;
  clock: Clock;
  log: Log;
  send: SendCall;
  /** The signed-in user; null for nobody. */
  userName: () => string | null;
  /** Returns whether the server is reachable with a valid session. */
  isOnline: () => boolean;
  /** Called after each change. */
  onChange: (entries: OutboxEntry[]) => void;
  /** Called if the user should be notified: the entry was started, or waits for their decision. */
  onNotification: (entry: OutboxEntry) => void;
}

export interface Outbox {
  /** Entries of the signed-in user, oldest first. */
  list(): Promise<OutboxEntry[]>;
  add(start: QueuedStart): Promise<Queued>;
  /** Starts the entry immediately because the user confirmed it, whatever it waits for. */
  startNow(id: string): Promise<void>;
  /** Removes the entry, unless it is being sent. */
  remove(id: string): Promise<void>;
  /** The data to fill in its form again; null if the entry no longer exists. */
  formOf(id: string): Promise<string | null>;
  /** Holds the entry back while the user edits it; returns false if it is being sent or was already started. */
  holdForEditing(id: string): Promise<boolean>;
  /**
   * Removes all unstarted entries of the signed-in user, including one that is being sent if it does not get started.
   * Never rejects.
   */
  discard(): Promise<void>;
  /** Sends waiting entries as far as possible; resolves when nothing more can be done now. Never rejects. */
  work(): Promise<void>;
  stop(): void;
}

/** Retry interval in milliseconds while the server responds but does not accept starts. */
const AGAIN = 30_000;
const NOTE_TIME = 60_000;

export function createOutbox(deps: OutboxDeps): Outbox {
  return new AccountOutbox(deps);
}

class AccountOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  #lastChange: Promise<void> = Promise.resolve();
  #working: Promise<void> | null = null;
  #asksAgain = false;
  #sending: string | null = null;
  /** Entries to remove after their sending ends, unless they were started. */
  readonly #discarded = new Set<string>();
  #stopTimer = (): void => undefined;
  #isStopped = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  async list(): Promise<OutboxEntry[]> {
    return (await this.#entries()).map(shown);
  }

  async add({ ActivityName, Start, Form, WasSent }: QueuedStart): Promise<Queued> {
    const { store, clock, userName } = this.#deps;
    const [start, person, now] = [parseStart(Start), userName()?.toLowerCase(), clock.now()];
    if (!start?.UniqueId || person === undefined) return { Problem: say('This start cannot be stored') };
    const entry = { ...newEntry(start, { ActivityName, Form, userName: person, now }), MayHaveStarted: WasSent };
    try {
      const Problem = await this.#serialized(async () => {
        const all = await store.entries();
        // A page that received no response submits the start again.
        if (all.some((other) => other.start.UniqueId === start.UniqueId)) return '';
        if (all.filter(isOpen).length >= store.bounds.entries) return say('Too many starts are already waiting');
        await store.write(entry);
        return null;
      });
      if (Problem !== null) return { Problem };
    } catch (error) {
      this.#deps.log('a start could not be kept', error);
      return {
        Problem: say('It could not be stored on this computer: {reason}', { reason: (error as Error).message }),
      };
    }
    await this.#changed();
    void this.work();
    return { Problem: '' };
  }

  async startNow(id: string): Promise<void> {
    const isWanted = await this.#serialized(async () => {
      const entry = await this.#find(id);
      if (!entry || !isOpen(entry) || this.#sending === id) return false;
      const now = this.#deps.clock.now();
      await this.#write({ ...entry, State: 'waiting', Why: '', wanted: now, seen: now });
      return true;
    });
    if (!isWanted) return;
    await this.#changed();
    void this.work();
  }

  async remove(id: string): Promise<void> {
    await this.#serialized(async () => {
      const entry = await this.#find(id);
      if (entry && this.#sending !== id) await this.#takeOut(entry);
    });
    await this.#changed();
  }

  /**
   * Serializes changes, so that each sees the result of the previous one. A removed or held entry is therefore neither
   * sent nor written again.
   */
  #serialized<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#lastChange.then(change);
    this.#lastChange = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async #takeOut(entry: StoredEntry): Promise<void> {
    await this.#deps.store.remove(entry.Id);
    await this.#deps.store.release(entry).catch(() => undefined);
  }

  async formOf(id: string): Promise<string | null> {
    return (await this.#find(id))?.form ?? null;
  }

  async holdForEditing(id: string): Promise<boolean> {
    const isHeld = await this.#serialized(async () => {
      const entry = await this.#find(id);
      if (!entry || !isOpen(entry) || this.#sending === id) return false;
      if (isWaiting(entry)) await this.#write({ ...entry, ...forEditing() });
      return true;
    });
    await this.#changed();
    return isHeld;
  }

  async discard(): Promise<void> {
    try {
      await this.#serialized(async () => {
        for (const entry of (await this.#entries()).filter(isOpen)) {
          if (this.#sending === entry.Id) this.#discarded.add(entry.Id);
          else await this.#takeOut(entry);
        }
      });
    } catch (error) {
      this.#deps.log('what waits could not be deleted', error);
    }
    await this.#changed();
  }

  async work(): Promise<void> {
    this.#asksAgain = true;
    this.#working ??= this.#workOff().finally(() => (this.#working = null));
    return this.#working;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  async #workOff(): Promise<void> {
    try {
      while (this.#asksAgain && !this.#isStopped) {
        this.#asksAgain = false;
        await this.#sendAll();
      }
    } catch (error) {
      this.#deps.log('what waits could not be sent', error);
    }
    this.#plan();
  }

  async #sendAll(): Promise<void> {
    for (const { Id } of await this.#entries()) {
      const entry = await this.#serialized(() => this.#claim(Id));
      if (entry && !(await this.#send(entry))) return;
    }
  }

  /** Reserves an entry for sending, so that nothing else changes it; null if it must not be sent. */
  async #claim(id: string): Promise<StoredEntry | null> {
    // Read again, because it may have been removed while another entry was sent.
    const entry = await this.#find(id);
    if (!entry || !isWaiting(entry)) return null;
    const held = heldBack(entry, this.#deps.clock.now());
    if (held) await this.#settle({ ...entry, ...held });
    if (held || !this.#deps.isOnline() || this.#isStopped) return null;
    this.#sending = id;
    return entry;
  }

  /** Returns whether the next entry may be tried. */
  async #send(entry: StoredEntry): Promise<boolean> {
    const { store, send, clock } = this.#deps;
    let current: StoredEntry = { ...entry, State: 'sending', Why: '' };
    try {
      await this.#write(current);
      await this.#changed();
      const note = async (changes: Partial<StoredEntry>): Promise<void> => {
        current = { ...current, ...changes };
        await this.#write(current);
      };
      const outcome = await sendStart(current, { store, send, note, now: () => clock.now() });
      await this.#settle({ ...current, ...afterwards(outcome, entry) }, outcome);
      return !STOPS.has(outcome.kind);
    } finally {
      this.#sending = null;
      this.#discarded.delete(entry.Id);
    }
  }

  async #settle(entry: StoredEntry, outcome?: Outcome): Promise<void> {
    if (this.#discarded.delete(entry.Id) && isOpen(entry)) return this.#takeOut(entry);
    await this.#write(entry);
    await this.#changed();
    if (entry.State !== 'waiting') this.#deps.onNotification(shown(entry));
    if (outcome?.kind !== 'started') return;
    await this.#deps.store.release(entry).catch(() => undefined);
    await this.#deps.store.sweep().catch(() => undefined);
  }

  async #entries(): Promise<StoredEntry[]> {
    const person = this.#deps.userName()?.toLowerCase();
    if (person === undefined) return [];
    return (await this.#deps.store.entries()).filter(({ userName }) => userName === person);
  }

  async #find(id: string): Promise<StoredEntry | null> {
    return (await this.#entries()).find(({ Id }) => Id === id) ?? null;
  }

  #write(entry: StoredEntry): Promise<void> {
    return this.#deps.store.write({ ...entry, seen: Math.max(entry.seen, this.#deps.clock.now()) });
  }

  async #changed(): Promise<void> {
    this.#deps.onChange(await this.list().catch(() => []));
  }

  /** Polls again later while entries wait, and records the time to detect a clock that is set back. */
  #plan(): void {
    this.#stopTimer();
    if (this.#isStopped) return;
    this.#stopTimer = this.#deps.clock.after(this.#deps.isOnline() ? AGAIN : NOTE_TIME, () => void this.#pollAgain());
  }

  async #pollAgain(): Promise<void> {
    const count = await this.#serialized(() => this.#noteTime()).catch(() => 0);
    if (count > 0) await this.work();
    else this.#plan();
  }

  /** Returns the number of waiting entries. */
  async #noteTime(): Promise<number> {
    const waiting = (await this.#entries()).filter(({ Id, ...entry }) => isWaiting(entry) && Id !== this.#sending);
    const now = this.#deps.clock.now();
    for (const entry of waiting) if (!heldBack(entry, now)) await this.#write(entry).catch(() => undefined);
    return waiting.length;
  }
}

/** Outcomes that the next entry would have as well. */
const STOPS = new Set<Outcome['kind']>(['away', 'signedOut', 'closed']);
