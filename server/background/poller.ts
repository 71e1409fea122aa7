import { outsideSpans } from '#server/base/tracing.ts';

/** Milliseconds until the next poll, if they differ from the interval. An object, so that a count is not taken for them. */
export interface NextPoll {
  waitMs: number;
}

export interface PollerOptions {
  /**
   * Polls once.
   * @param signal aborted by stop(), so that a long poll ends early
   */
  poll: (signal: AbortSignal) => Promise<NextPoll | void>;
  /** Milliseconds from the end of a poll to the beginning of the next one; null to poll only on request. */
  intervalMs: number | null;
  /** Milliseconds from a request to its poll, which serves all requests within this time; 0 if absent. */
  requestDelayMs?: number;
  /** Work probe called before a poll that nobody requested: false to skip it. */
  hasPendingWork?: () => Promise<boolean>;
  /** Called when a poll or its work probe has failed. */
  onError: (error: unknown) => NextPoll | void;
}

/**
 * Poller: repeats a function at an interval, and sooner when this is requested; one poll at a time. A failed poll is
 * reported, and the next one makes up for it.
 */
export interface Poller {
  /** Starts the interval. The first poll is one interval later; call request() as well to poll immediately. */
  start(): void;
  /** Stops the interval until the next start(). Requests still cause polls. */
  pause(): void;
  /** Polls now, also if the poller is not started. Requests made during a poll share one more poll after it. */
  request(): void;
  /** Resolves when no poll is in flight. */
  settled(): Promise<void>;
  /** Starts no further polls, whatever is called later, and resolves when the current one has ended. */
  stop(): Promise<void>;
}

export function createPoller(options: PollerOptions): Poller {
  return new RepeatedPoll(options);
}

class RepeatedPoll implements Poller {
  readonly #options: PollerOptions;
  readonly #stopping = new AbortController();
  #isStarted = false;
  /** A poll was requested since the last one began. */
  #isRequested = false;
  #isPolling = false;
  #polling = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#scheduleNext(this.#options.intervalMs);
  }

  pause(): void {
    this.#isStarted = false;
    if (!this.#isRequested) this.#clearTimer();
  }

  request(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    this.#scheduleNext(this.#options.intervalMs);
  }

  async settled(): Promise<void> {
    while (this.#isPolling) await this.#polling;
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the server stops'));
    this.#clearTimer();
    await this.#polling;
  }

  /** @param wait milliseconds until the next poll if nobody requests one */
  #scheduleNext(wait: number | null): void {
    if (this.#isPolling || this.#stopping.signal.aborted) return;
    const { requestDelayMs = 0 } = this.#options;
    this.#clearTimer();
    if (this.#isRequested && requestDelayMs === 0) this.#begin();
    else if (this.#isRequested) this.#beginIn(requestDelayMs);
    else if (this.#isStarted && wait !== null) this.#beginIn(wait);
  }

  #beginIn(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#begin(), milliseconds);
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    this.#isPolling = true;
    // A poll serves many callers, so it must not belong to the trace span of the one that requested it.
    this.#polling = outsideSpans(() => this.#pollAndSchedule());
  }

  async #pollAndSchedule(): Promise<void> {
    const next = await this.#pollOnce();
    this.#isPolling = false;
    this.#scheduleNext(next?.waitMs ?? this.#options.intervalMs);
  }

  /** Never rejects. */
  async #pollOnce(): Promise<NextPoll | void> {
    const { poll, hasPendingWork, onError } = this.#options;
    const isRequested = this.#isRequested;
    this.#isRequested = false;
    try {
      if (!isRequested && hasPendingWork && !(await hasPendingWork())) return undefined;
      if (this.#stopping.signal.aborted) return undefined;
      return await poll(this.#stopping.signal);
    } catch (error) {
      return onError(error);
    }
  }
}
