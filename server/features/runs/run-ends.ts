/**
 * Calls that wait until runs have ended. This process's workers and the signals of other processes report ends. A poll
 * every second covers lost signals.
 */
import { createPoller, type Poller } from '#server/background/poller.ts';
import type { Database } from '#server/db/database.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { Log } from '#server/base/log.ts';
import { listEnded } from './runs-repository.ts';

const POLL_INTERVAL_MS = 1000;
const RUNS_PER_QUERY = 1000;
const WAITING = 1000;
const WAITING_PER_USER = 100;

export interface RunEnds {
  /**
   * Returns whether the run ended within `seconds`; false also if the server stops or `gone` aborts. Returns undefined
   * immediately if too many calls are waiting: 1,000, or 100 of the same user. The caller must check who may see the
   * run.
   */
  wait(
    userId: number,
    runId: number,
    seconds: number,
    gone: AbortSignal,
    how?: HowToWait,
  ): Promise<boolean | undefined>;
  /** Ends all waiting calls. */
  close(): void;
}

export interface HowToWait {
  /** True if the run was started a moment ago, so that no query is needed to find out whether it has ended. */
  isNew?: boolean;
}

interface Waiting {
  userId: number;
  runId: number;
  end(hasEnded: boolean): void;
}

export interface RunEndsDeps {
  database: Pick<Database, 'knex'>;
  signals: Pick<RunSignals, 'onChanged' | 'onEnded' | 'known'>;
  log: Log;
}

export function createRunEnds(deps: RunEndsDeps): RunEnds {
  return new Ends(deps);
}

class Ends implements RunEnds {
  readonly #deps: RunEndsDeps;
  readonly #waiting = new Set<Waiting>();
  /** Runs to query; if there are none, the next poll queries all awaited runs. */
  readonly #due = new Set<number>();
  /** When all awaited runs were last queried, or the first call began to wait, on the clock of performance.now(). */
  #allQueriedAt = 0;
  readonly #unsubscribe: () => void;
  readonly #poller: Poller;
  #closed = false;

  constructor(deps: RunEndsDeps) {
    this.#deps = deps;
    this.#poller = createPoller({
      poll: () => this.#poll(),
      intervalMs: POLL_INTERVAL_MS,
      onError: (err) => {
        this.#due.clear();
        deps.log.debug({ err }, 'whether runs have ended could not be read; it is tried again');
      },
    });
    const ends = [
      deps.signals.onEnded((runId) => this.#end(runId)),
      deps.signals.onChanged((runIds) => {
        if (this.#waiting.size > 0) this.#requestPoll(runIds.filter((runId) => deps.signals.known(runId) !== 'here'));
      }),
    ];
    this.#unsubscribe = () => ends.forEach((end) => end());
  }

  wait(
    userId: number,
    runId: number,
    seconds: number,
    gone: AbortSignal,
    { isNew = false }: HowToWait = {},
  ): Promise<boolean | undefined> {
    const ofUser = [...this.#waiting].filter((one) => one.userId === userId).length;
    if (this.#waiting.size >= WAITING || ofUser >= WAITING_PER_USER) return Promise.resolve(undefined);
    if (this.#closed || gone.aborted) return Promise.resolve(false);
    const known = this.#deps.signals.known(runId);
    if (known === 'ended') return Promise.resolve(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (): void => one.end(false);
    const clock = setTimeout(leave, seconds * 1000);
    const one: Waiting = {
      userId,
      runId,
      end: (hasEnded) => {
        clearTimeout(clock);
        gone.removeEventListener('abort', leave);
        this.#remove(one);
        resolve(hasEnded);
      },
    };
    gone.addEventListener('abort', leave, { once: true });
    if (this.#waiting.size === 0) this.#allQueriedAt = performance.now();
    this.#waiting.add(one);
    this.#poller.start();
    // The run may have ended before the call began to wait.
    if (known !== 'here' && !isNew) this.#requestPoll([runId]);
    return promise;
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    void this.#poller.stop();
    for (const one of this.#waiting) one.end(false);
  }

  #end(runId: number): void {
    for (const one of this.#waiting) if (one.runId === runId) one.end(true);
  }

  #remove(one: Waiting): void {
    this.#waiting.delete(one);
    if (this.#waiting.size === 0) this.#poller.pause();
  }

  #requestPoll(runIds: readonly number[]): void {
    if (runIds.length === 0) return;
    for (const id of runIds) this.#due.add(id);
    this.#poller.request();
  }

  /** Queries runs together, however many calls wait. */
  async #poll(): Promise<void> {
    const ids = this.#takeDue();
    if (ids.length === 0) return;
    const ended = new Set(await listEnded(this.#deps.database.knex, ids));
    for (const one of this.#waiting) if (ended.has(one.runId)) one.end(true);
    if (this.#due.size > 0) this.#poller.request();
  }

  #takeDue(): number[] {
    const awaited = new Set([...this.#waiting].map(({ runId }) => runId));
    const now = performance.now();
    // Each requested poll postpones the next one that nobody requests, so a busy server would never query all runs.
    const isAll = this.#due.size === 0 || now - this.#allQueriedAt >= POLL_INTERVAL_MS;
    if (isAll) this.#allQueriedAt = now;
    const due = isAll ? [...awaited] : [...this.#due].filter((id) => awaited.has(id));
    this.#due.clear();
    for (const id of due.slice(RUNS_PER_QUERY)) this.#due.add(id);
    return due.slice(0, RUNS_PER_QUERY);
  }
}
