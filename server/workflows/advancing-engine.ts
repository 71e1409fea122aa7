/**
 * Advances workflows or Start steps: immediately if something ended in this process, and by polling for ends that this
 * process did not see.
 */
import type { Log } from '#server/base/log.ts';
import { createKeyedSingleFlight } from '#server/background/keyed-single-flight.ts';
import { createPoller } from '#server/background/poller.ts';
import type { WorkProbe } from '#server/db/work-probes.ts';

export interface AdvancingEngine {
  /** Advances it as far as possible. */
  advance(id: number): Promise<void>;
  /** Polls once: advances everything pending. */
  sweep(): Promise<void>;
  /**
   * Subscribes to ends in this process, and polls for ends that nobody processed because the server died before the
   * next step could begin. Returns a function that stops it.
   * @param sweepMs milliseconds between two polls; null to disable polling
   * @param hasPendingWork work probe called before each poll
   */
  start(sweepMs: number | null, hasPendingWork?: WorkProbe): () => Promise<void>;
}

export interface AdvancingParts {
  /** Returns true if rows are in progress, so that more ends will follow. */
  advance: (id: number) => Promise<boolean>;
  /** Lists at most `limit` pending ids after `after`, in ascending order. */
  listPending: (after: number, limit: number) => Promise<number[]>;
  /** Called before each poll. */
  prepare?: (signal?: AbortSignal) => Promise<void>;
  /** Subscribes to the ids that may continue because something ended in this process. */
  onEnded: (listener: (id: number) => void) => () => void;
  log: Log;
  /** Log entry if advancing failed: the field that holds the id, and the message. */
  failure: { field: string; text: string };
  sweepFailure: string;
}

const PAGE = 100;
/**
 * Minimum pause between two advances if rows are in progress. Rows that end within it are handled together: thousands
 * of short rows would otherwise leave no time for other work.
 */
const ROWS_REST_MS = 10;
/**
 * The pause is at least this many times as long as the advance before it. A workflow with many rows thus uses at most a
 * third of the time, and pauses longer if the database is slow.
 */
const REST_TIMES = 2;
const MAX_REST_MS = 500;

const restAfter = (tookMs: number): number => Math.min(MAX_REST_MS, Math.max(ROWS_REST_MS, REST_TIMES * tookMs));

export function createAdvancingEngine(parts: AdvancingParts): AdvancingEngine {
  const { log, failure } = parts;
  const calls = createKeyedSingleFlight(async (id) => {
    const startedAt = performance.now();
    return (await parts.advance(id)) ? restAfter(performance.now() - startedAt) : 0;
  });
  const tryToAdvance = (id: number): Promise<void> =>
    calls.request(id).catch((err: unknown) => {
      log.warn({ err, [failure.field]: id }, failure.text);
    });

  async function sweep(signal?: AbortSignal): Promise<void> {
    await parts.prepare?.(signal);
    for (let after: number | undefined = 0; after !== undefined;) {
      const ids: number[] = await parts.listPending(after, PAGE);
      for (const id of ids) {
        if (signal?.aborted) return;
        await tryToAdvance(id);
      }
      after = ids.length < PAGE ? undefined : ids.at(-1);
    }
  }

  return {
    advance: (id) => calls.request(id),
    sweep,
    start: (sweepMs, hasPendingWork) => {
      const poller = createPoller({
        poll: sweep,
        intervalMs: sweepMs,
        hasPendingWork,
        onError: (err) => log.warn({ err }, parts.sweepFailure),
      });
      poller.start();
      const unsubscribe = parts.onEnded((id) => void tryToAdvance(id));
      return async () => {
        unsubscribe();
        await Promise.all([calls.stop(), poller.stop()]);
      };
    },
  };
}
