/** One person's stream of events: what it tells of, what it has told, and its way to the client. */
import { PassThrough, type Readable } from 'node:stream';

export interface LiveCaller {
  UserId: number;
  /** What the stream was opened with: it is looked at again before anything is sent. */
  token: string;
  address: string;
}

/** Numbers of runs of activities, of runs of checklists, and of activities whose versions are told. */
export interface Watched {
  runs: readonly number[];
  chains: readonly number[];
  activities: readonly number[];
}

/** A client that does not read for so long that this much waits for it is cut off; it comes back and begins anew. */
const WAITING_MAX_BYTES = 1024 * 1024;
/** Milliseconds after which a client that was cut off should come back, where it has no better idea. */
const RETRY = 3000;

export class LiveStream {
  readonly caller: LiveCaller;
  /** Runs to tell of, with the mark last told; null before the first. */
  readonly runs: Map<number, string | null>;
  /** The same of runs of checklists. */
  readonly chains: Map<number, string | null>;
  /** The same of activities. */
  readonly activities: Map<number, string | null>;
  /** The notifications last told. */
  notices = '';
  noticesDue = true;
  /** A run of the person has ended since they were told so. */
  endsDue = false;
  readonly #out = new PassThrough();

  constructor(caller: LiveCaller, watched: Watched, onClosed: () => void) {
    this.caller = caller;
    this.runs = new Map(watched.runs.map((id) => [id, null]));
    this.chains = new Map(watched.chains.map((id) => [id, null]));
    this.activities = new Map(watched.activities.map((id) => [id, null]));
    this.#out.once('close', onClosed);
    this.#write(`retry: ${RETRY}\n\n`);
  }

  get content(): Readable {
    return this.#out;
  }

  get isOpen(): boolean {
    return !this.#out.writableEnded && !this.#out.destroyed;
  }

  send(event: string, data: unknown): void {
    // JSON has no line breaks of its own.
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Says that the stream is alive, in a line that clients pass over. */
  beat(): void {
    this.#write(':\n\n');
  }

  end(): void {
    this.#out.end();
  }

  #write(text: string): void {
    if (!this.isOpen) return;
    if (this.#out.writableLength + this.#out.readableLength > WAITING_MAX_BYTES) this.#out.destroy();
    else this.#out.write(text);
  }
}
