/**
 * Starts that wait for their server, one after the other. Each is one run, whatever is sent twice: its UniqueId stays with it. Nothing is
 * called started before the server said so, what was refused is not tried again by itself, and what has waited long asks first.
 */
import { randomBytes } from 'node:crypto';
import { Value } from 'typebox/value';
import type { OutboxEntry, Queued, QueuedStart } from '#bridge/outbox.ts';
import { StartBody } from '#shared/contract/runs.ts';
import { sendStart, type Outcome, type SendCall } from './outbox-sending.ts';
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
  /** Sends what waits, as far as it may; resolves once nothing more can be done now. Never rejects. */
  work(): Promise<void>;
  stop(): void;
}

export const HOUR = 60 * 60_000;
export const OLD = 24 * HOUR;
/** Clocks are set by so much in good faith. */
const CLOCK_TOLERANCE = 5 * 60_000;
/** Where the server is there and could not do it. */
const AGAIN = 30_000;
const NOTE_TIME = 60_000;

const WHY = {
  old: 'It has waited for more than an hour. Start it now?',
  expired: 'It has waited for more than a day. It is not started any more unless you start it.',
  clock: 'The clock of this computer was changed while it waited. Start it now?',
  signedOut: 'It goes on once you have signed in again.',
};

export function createOutbox(deps: OutboxDeps): Outbox {
  return new AccountOutbox(deps);
}

class AccountOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  #working: Promise<void> | null = null;
  #asksAgain = false;
  #sending: string | null = null;
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
    const [start, person, now] = [parse(Start), userName()?.toLowerCase(), clock.now()];
    if (!start?.UniqueId || person === undefined) return { Problem: 'This start cannot be kept' };
    try {
      const all = await store.entries();
      // A page that heard no answer asks once more.
      if (all.some((entry) => entry.start.UniqueId === start.UniqueId)) return { Problem: '' };
      if (all.filter(isOpen).length >= store.bounds.entries) return { Problem: 'Too many starts wait already' };
      const entry = { ...newEntry(start, { ActivityName, Form, userName: person, now }), MayHaveStarted: WasSent };
      await store.write(entry);
    } catch (error) {
      this.#deps.log('a start could not be kept', error);
      return { Problem: `It could not be kept on this computer: ${(error as Error).message}` };
    }
    await this.#changed();
    void this.work();
    return { Problem: '' };
  }

  async startNow(id: string): Promise<void> {
    const entry = await this.#find(id);
    if (!entry || entry.State === 'started' || this.#sending === id) return;
    const now = this.#deps.clock.now();
    await this.#write({ ...entry, State: 'waiting', Why: '', wanted: now, seen: now });
    await this.#changed();
    void this.work();
  }

  async remove(id: string): Promise<void> {
    const entry = this.#sending === id ? null : await this.#find(id);
    if (!entry) return;
    await this.#deps.store.remove(id);
    await this.#deps.store.release(entry).catch(() => undefined);
    await this.#changed();
  }

  async formOf(id: string): Promise<string | null> {
    return (await this.#find(id))?.form ?? null;
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
      // Read again: it may have been taken out while another was sent.
      const entry = await this.#find(Id);
      if (!entry || !isWaiting(entry)) continue;
      const held = heldBack(entry, this.#deps.clock.now());
      if (held) await this.#settle({ ...entry, ...held });
      else if (!this.#deps.isOnline() || this.#isStopped) continue;
      else if (!(await this.#send(entry))) return;
    }
  }

  /** Whether the next one may be tried. */
  async #send(entry: StoredEntry): Promise<boolean> {
    const { store, send, clock } = this.#deps;
    let current: StoredEntry = { ...entry, State: 'sending', Why: '' };
    this.#sending = entry.Id;
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
    }
  }

  async #settle(entry: StoredEntry, outcome?: Outcome): Promise<void> {
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
    const waiting = (await this.#entries().catch(() => [])).filter(isWaiting);
    const now = this.#deps.clock.now();
    for (const entry of waiting) if (!heldBack(entry, now)) await this.#write(entry).catch(() => undefined);
    if (waiting.length > 0) await this.work();
    else this.#plan();
  }
}

/** What the next one would meet with, too. */
const STOPS = new Set<Outcome['kind']>(['away', 'signedOut', 'closed']);

/** One that was being sent when the program ended is sent once more: by its UniqueId it is the same run. */
const isWaiting = ({ State }: StoredEntry): boolean => State === 'waiting' || State === 'sending';

/** What keeps it from being started without being asked for; null where nothing does. */
function heldBack({ wanted, seen }: StoredEntry, now: number): Pick<StoredEntry, 'State' | 'Why'> | null {
  if (now < seen - CLOCK_TOLERANCE) return { State: 'needsYou', Why: WHY.clock };
  if (now - wanted > OLD) return { State: 'expired', Why: WHY.expired };
  return now - wanted > HOUR ? { State: 'needsYou', Why: WHY.old } : null;
}

/** @param before as it was before it was sent */
function afterwards(outcome: Outcome, before: StoredEntry): Partial<StoredEntry> {
  switch (outcome.kind) {
    case 'started':
      return { State: 'started', Why: '', RunId: outcome.runId, MayHaveStarted: false, NewestVersion: null };
    case 'away':
      return { State: 'waiting', Why: '' };
    case 'signedOut':
      return { State: 'waiting', Why: WHY.signedOut };
    case 'closed':
      return { State: 'waiting', Why: outcome.why, MayHaveStarted: before.MayHaveStarted };
    case 'outdated':
      return {
        State: 'needsYou',
        Why: `The activity has version ${outcome.newest} by now.`,
        NewestVersion: outcome.newest,
        MayHaveStarted: false,
      };
    case 'refused':
      return { State: 'needsYou', Why: outcome.why, ...(outcome.isSure ? { MayHaveStarted: false } : {}) };
  }
}

function newEntry(
  start: StartBody,
  { ActivityName, Form, userName, now }: { ActivityName: string; Form: string; userName: string; now: number },
): StoredEntry {
  return {
    Id: randomBytes(8).toString('hex'),
    ActivityId: start.ActivityId,
    ActivityName,
    ActivityVersion: start.ActivityVersion,
    QueueTime: new Date(now).toISOString(),
    State: 'waiting',
    Why: '',
    RunId: null,
    NewestVersion: null,
    FileNames: start.Inputs.flatMap(({ FileName }) => FileName ?? []),
    MayHaveStarted: false,
    userName,
    start,
    form: Form,
    wanted: now,
    seen: now,
    uploads: {},
  };
}

function parse(text: string): StartBody | null {
  try {
    const start: unknown = JSON.parse(text);
    return Value.Check(StartBody, start) ? start : null;
  } catch {
    return null;
  }
}

function shown(entry: StoredEntry): OutboxEntry {
  const {
    userName: _user,
    start: _start,
    form: _form,
    wanted: _wanted,
    seen: _seen,
    uploads: _uploads,
    ...rest
  } = entry;
  return rest;
}

/** How many wait, or wait for the person. */
export const countOpen = (entries: readonly OutboxEntry[]): number => entries.filter(isOpen).length;
