/** One person's event stream: what it watches, what it has sent, and its connection to the client. */
import { PassThrough, type Readable } from 'node:stream';

export interface LiveCaller {
  UserId: number;
  /** The credentials that the stream was opened with. They are checked again before anything is sent. */
  token: string;
  address: string;
}

/** Ids of activity runs, of checklist runs, and of activities whose versions are watched. */
export interface Watched {
  runs: readonly number[];
  chains: readonly number[];
  activities: readonly number[];
  /** True to be notified of changes of any run. */
  all: boolean;
}

/** A client is disconnected when this much unread data is buffered for it. It then reconnects and starts over. */
const WAITING_MAX_BYTES = 1024 * 1024;
/** Milliseconds after which a disconnected client should reconnect by default. */
const RETRY = 3000;

export class LiveStream {
  readonly caller: LiveCaller;
  /** Watched runs with the last mark sent; null before the first. */
  readonly runs: Map<number, string | null>;
  /** Watched checklist runs with the last mark sent; null before the first. */
  readonly chains: Map<number, string | null>;
  /** Watched activities with the last mark sent; null before the first. */
  readonly activities: Map<number, string | null>;
  /** The last notifications sent. */
  notices = '';
  noticesDue = true;
  /** True if a run of the person has ended since the last "ended" event. */
  endsDue = false;
  /** True if changes of any run are published. */
  readonly watchesAll: boolean;
  /** Runs that have changed since the last "runs" event; only if it watches all. */
  readonly changedRuns = new Set<number>();
  readonly #out = new PassThrough();

  constructor(caller: LiveCaller, watched: Watched, onClosed: () => void) {
    this.caller = caller;
    this.watchesAll = watched.all;
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
    // JSON.stringify output contains no line breaks.
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends a heartbeat, as a comment line that clients ignore. */
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
