import type { Log } from '#server/base/log.ts';

/** The started parts of a server, with how to stop each. */
export interface RunningParts {
  /** @param limit maximum number of milliseconds for stopping this part */
  add(name: string, stop: () => Promise<unknown>, limit?: number): void;
  /**
   * Stops all parts, the last started first. If a part fails to stop, or not in time, this is logged and the others are
   * still stopped: the parts started first, above all the database, always get their time.
   */
  stopAll(): Promise<void>;
}

interface Part {
  name: string;
  stop(): Promise<unknown>;
  limit: number;
}

const PART_LIMIT_MS = 3_000;
/** For all parts together. */
const TOTAL_LIMIT_MS = 14_000;
/** Minimum time reserved for each remaining part, whatever the parts before it have used. */
const MIN_PART_MS = 500;

export function createRunningParts(log: Log, { totalLimit = TOTAL_LIMIT_MS } = {}): RunningParts {
  const parts: Part[] = [];
  return {
    add: (name, stop, limit = PART_LIMIT_MS) => void parts.push({ name, stop, limit }),
    stopAll: async () => {
      const deadline = performance.now() + totalLimit;
      for (let part = parts.pop(); part; part = parts.pop()) {
        const left = deadline - performance.now() - parts.length * MIN_PART_MS;
        await stopPart(part, Math.max(MIN_PART_MS, Math.min(part.limit, left)), log);
      }
    },
  };
}

async function stopPart(stopped: Part, limit: number, log: Log): Promise<void> {
  const part = stopped.name;
  const since = performance.now();
  const ended = stopped.stop().then(
    () => log.debug({ part, ms: Math.round(performance.now() - since) }, 'stopped'),
    (err: unknown) => log.error({ err, part }, 'a part failed to stop'),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.error({ part, ms: limit }, 'a part did not stop in time');
      resolve();
    }, limit);
  });
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
