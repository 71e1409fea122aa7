/** What goes on in steps: each at once where something ended in this process, and after a while where nobody heard of it. */
import type { Log } from '#server/base/log.ts';
import { ALWAYS, type MayBe } from '#server/db/lookout.ts';
import { oneAtATime } from './one-at-a-time.ts';

export interface AdvancingEngine {
  /** Lets it go on as far as it can. */
  advance(id: number): Promise<void>;
  /** One look at all that is pending. */
  sweep(): Promise<void>;
  /**
   * Hears of ends in this process, and looks now and then for what nobody heard of: what ended on a server that died before anything could
   * follow. Answers how to stop it.
   * @param sweepMs between two looks; null for none
   * @param mayPend asked before each look
   */
  start(sweepMs: number | null, mayPend?: MayBe): () => Promise<void>;
}

export interface AdvancingParts {
  /** Answers whether it has rows at work of which others follow. */
  advance: (id: number) => Promise<boolean>;
  /** So many at most of what is pending, in the order of their numbers. */
  listPending: (after: number, limit: number) => Promise<number[]>;
  /** Done before each look; nothing where absent. */
  prepare?: (signal?: AbortSignal) => Promise<void>;
  /** Of what may go on since something ended in this process. */
  onEnded: (listener: (id: number) => void) => () => void;
  log: Log;
  /** In the log: what could not go on, as the field by which it is named and the text. */
  failure: { field: string; text: string };
  sweepFailure: string;
}

const PAGE = 100;
/** Rows that end within so many milliseconds are followed together: thousands that take little would else leave nobody else any time. */
const ROWS_REST_MS = 10;
/** As often the time that following them took: a chain with many rows is at it a third of the time at most, and rests longer where the database is slow. */
const REST_TIMES = 2;
const LONGEST_REST_MS = 500;

const restAfter = (tookMs: number): number => Math.min(LONGEST_REST_MS, Math.max(ROWS_REST_MS, REST_TIMES * tookMs));

export function createAdvancingEngine(parts: AdvancingParts): AdvancingEngine {
  const { log, failure } = parts;
  const working = oneAtATime(async (id) => {
    const begun = performance.now();
    return (await parts.advance(id)) ? restAfter(performance.now() - begun) : 0;
  });
  const tryToAdvance = (id: number): Promise<void> =>
    working.ask(id).catch((err: unknown) => {
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
    advance: (id) => working.ask(id),
    sweep,
    start: (sweepMs, mayPend = ALWAYS) => {
      const stopping = new AbortController();
      let sweeping: Promise<void> | undefined;
      const lookAround = async (): Promise<void> => {
        if (await mayPend()) await sweep(stopping.signal);
      };
      const round = (): void => {
        sweeping ??= lookAround()
          .catch((err: unknown) => log.warn({ err }, parts.sweepFailure))
          .finally(() => (sweeping = undefined));
      };
      const deafen = parts.onEnded((id) => void tryToAdvance(id));
      const timer = sweepMs === null ? undefined : setInterval(round, sweepMs);
      return async () => {
        clearInterval(timer);
        deafen();
        stopping.abort();
        await Promise.all([working.stop(), sweeping]);
      };
    },
  };
}
