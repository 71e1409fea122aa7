import type { Log } from './log.ts';

/** Parts of a server that have been started, and how each ends. */
export interface RunningParts {
  add(name: string, stop: () => Promise<unknown>): void;
  /** Stops all, the last started first. A part that cannot be stopped is logged and does not keep the others running. */
  stopAll(): Promise<void>;
}

/** A part that takes longer is named in the log. */
const SLOW_MS = 5_000;

export function createRunningParts(log: Log): RunningParts {
  const parts: { name: string; stop(): Promise<unknown> }[] = [];
  return {
    add: (name, stop) => void parts.push({ name, stop }),
    stopAll: async () => {
      for (let part = parts.pop(); part; part = parts.pop()) {
        const { name } = part;
        const since = performance.now();
        const slow = setTimeout(() => log.warn({ part: name }, 'a part takes long to stop'), SLOW_MS);
        try {
          await part.stop();
          log.debug({ part: name, ms: Math.round(performance.now() - since) }, 'stopped');
        } catch (err) {
          log.error({ err, part: name }, 'a part could not be stopped in good order');
        } finally {
          clearTimeout(slow);
        }
      }
    },
  };
}
