import type { Log } from '#server/base/log.ts';

/** Parts of a server that have been started, and how each ends. */
export interface RunningParts {
  /** @param limit milliseconds the stop of this part may take */
  add(name: string, stop: () => Promise<unknown>, limit?: number): void;
  /**
   * Stops all, the last started first. A part that cannot be stopped, or not in time, is logged and does not keep the others
   * running: those that were started first, the database above all, always get their turn.
   */
  stopAll(): Promise<void>;
}

interface Part {
  name: string;
  stop(): Promise<unknown>;
  limit: number;
}

const PART_LIMIT_MS = 3_000;
/** All parts together. */
const TOTAL_LIMIT_MS = 14_000;
/** What each part that is still to come keeps of that, whatever those before it took. */
const LEAST_MS = 500;

export function createRunningParts(log: Log, { totalLimit = TOTAL_LIMIT_MS } = {}): RunningParts {
  const parts: Part[] = [];
  return {
    add: (name, stop, limit = PART_LIMIT_MS) => void parts.push({ name, stop, limit }),
    stopAll: async () => {
      const deadline = performance.now() + totalLimit;
      for (let part = parts.pop(); part; part = parts.pop()) {
        const left = deadline - performance.now() - parts.length * LEAST_MS;
        await stopPart(part, Math.max(LEAST_MS, Math.min(part.limit, left)), log);
      }
    },
  };
}

async function stopPart(stopped: Part, limit: number, log: Log): Promise<void> {
  const part = stopped.name;
  const since = performance.now();
  const ended = stopped.stop().then(
    () => log.debug({ part, ms: Math.round(performance.now() - since) }, 'stopped'),
    (err: unknown) => log.error({ err, part }, 'a part could not be stopped in good order'),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.error({ part, ms: limit }, 'a part did not stop in time and was left as it was');
      resolve();
    }, limit);
  });
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
