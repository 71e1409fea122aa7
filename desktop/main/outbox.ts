/**
 * Starts that wait for their server, one after the other. Each is one run, whatever is sent twice: its UniqueId stays with it. Nothing is
 * called started before the server said so, what was refused is not tried again by itself, and what has waited long asks first.
 */
import type { OutboxEntry, Queued, QueuedStart } from '#bridge/outbox.ts';
import { sendStart, type Outcome, type SendCall } from './outbox-sending.ts';
import { afterwards, forEditing, heldBack, isWaiting, newEntry, parseStart, shown } from './outbox-rules.ts';
import { isOpen, type OutboxStore, type StoredEntry } from './outbox-store.ts';
import type { Clock, Log } from './ports.ts';

export interface OutboxDeps {
  store: OutboxStore;
  clock: Clock;
  log: Log;
  send: SendCall;
  /** Who is signed in; null for nobody. */
  userName: () => string | null;
  /** Whether the server can be worked with. */
  isOnline: () => boolean;
  /** Something has changed. */
  onChange: (entries: OutboxEntry[]) => void;
  /** The person should hear of it: it was started, or waits for them. */
  onNews: (entry: OutboxEntry) => void;
}

export interface Outbox {
  /** Those of who is signed in, the oldest first. */
  list(): Promise<OutboxEntry[]>;
  add(start: QueuedStart): Promise<Queued>;
  /** The person wants it started now, whatever it waits for. */
  startNow(id: string): Promise<void>;
  /** Takes it out. One that is being sent stays. */
  remove(id: string): Promise<void>;
  /** What the form needs to be filled in again; null where it is gone. */
  formOf(id: string): Promise<string | null>;
  /** Keeps it from being sent while the person changes it; false where it is being sent, or was started, already. */
  holdForEditing(id: string): Promise<boolean>;
  /** Takes out all that wait of who is signed in, and what is being sent now unless it is started. Never rejects. */
  discard(): Promise<void>;
  /** Sends what waits, as far as it may; resolves once nothing more can be done now. Never rejects. */
  work(): Promise<void>;
  stop(): void;
}

/** Where the server is there and could not do it. */
const AGAIN = 30_000;
const NOTE_TIME = 60_000;

export function createOutbox(deps: OutboxDeps): Outbox {
  return new AccountOutbox(deps);
}

class AccountOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  #turn: Promise<void> = Promise.resolve();
  #working: Promise<void> | null = null;
  #asksAgain = false;
  #sending: string | null = null;
  /** To be taken out once it has been sent, unless it was started. */
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
    if (!start?.UniqueId || person === undefined) return { Problem: 'This start cannot be kept' };
    const entry = { ...newEntry(start, { ActivityName, Form, userName: person, now }), MayHaveStarted: WasSent };
    try {
      const Problem = await this.#inTurn(async () => {
        const all = await store.entries();
        // A page that heard no answer asks once more.
        if (all.some((other) => other.start.UniqueId === start.UniqueId)) return '';
        if (all.filter(isOpen).length >= store.bounds.entries) return 'Too many starts wait already';
        await store.write(entry);
        return null;
      });
      if (Problem !== null) return { Problem };
    } catch (error) {
      this.#deps.log('a start could not be kept', error);
      return { Problem: `It could not be kept on this computer: ${(error as Error).message}` };
    }
    await this.#changed();
    void this.work();
    return { Problem: '' };
  }

  async startNow(id: string): Promise<void> {
    const isWanted = await this.#inTurn(async () => {
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
    await this.#inTurn(async () => {
      const entry = await this.#find(id);
      if (entry && this.#sending !== id) await this.#takeOut(entry);
    });
    await this.#changed();
  }

  /** One change at a time, each of what the one before has left: what is taken out or held is not sent, nor written again. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(change);
    this.#turn = done.then(
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
    const isHeld = await this.#inTurn(async () => {
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
      await this.#inTurn(async () => {
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
      const entry = await this.#inTurn(() => this.#claim(Id));
      if (entry && !(await this.#send(entry))) return;
    }
  }

  /** What may be sent now, which nothing else changes from here on; null where it may not be. */
  async #claim(id: string): Promise<StoredEntry | null> {
    // Read again: it may have been taken out while another was sent.
    const entry = await this.#find(id);
    if (!entry || !isWaiting(entry)) return null;
    const held = heldBack(entry, this.#deps.clock.now());
    if (held) await this.#settle({ ...entry, ...held });
    if (held || !this.#deps.isOnline() || this.#isStopped) return null;
    this.#sending = id;
    return entry;
  }

  /** Whether the next one may be tried. */
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
    if (entry.State !== 'waiting') this.#deps.onNews(shown(entry));
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

  /** Looks again in a while as long as something waits, and notes the time against a clock that is moved back. */
  #plan(): void {
    this.#stopTimer();
    if (this.#isStopped) return;
    this.#stopTimer = this.#deps.clock.after(this.#deps.isOnline() ? AGAIN : NOTE_TIME, () => void this.#lookAgain());
  }

  async #lookAgain(): Promise<void> {
    const count = await this.#inTurn(() => this.#noteTime()).catch(() => 0);
    if (count > 0) await this.work();
    else this.#plan();
  }

  /** Answers how many wait. */
  async #noteTime(): Promise<number> {
    const waiting = (await this.#entries()).filter(({ Id, ...entry }) => isWaiting(entry) && Id !== this.#sending);
    const now = this.#deps.clock.now();
    for (const entry of waiting) if (!heldBack(entry, now)) await this.#write(entry).catch(() => undefined);
    return waiting.length;
  }
}

/** What the next one would meet with, too. */
const STOPS = new Set<Outcome['kind']>(['away', 'signedOut', 'closed']);
