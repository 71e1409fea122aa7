import type { Log } from '#server/base/log.ts';

export interface Poller {
  /** Polls soon, or soon after the poll that is in flight; requests within a short time share a poll. */
  soon(): void;
  stop(): Promise<void>;
}

const SOON_MS = 300;

/** Polls repeatedly, one poll at a time. The next poll makes up for a failed one. */
export function createPoller(
  poll: () => Promise<unknown>,
  { intervalMs, log, what }: { intervalMs: number; log: Log; what: string },
): Poller {
  let working: Promise<unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** A poll was requested while one was in flight. */
  let isRequested = false;
  let isStopped = false;
  const run = (): void => {
    working ??= poll()
      .catch((err: unknown) => log.warn({ err }, `${what}; tried again`))
      .finally(() => {
        working = undefined;
        if (!isRequested) return;
        isRequested = false;
        soon();
      });
  };
  const soon = (): void => {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      if (working === undefined) run();
      else isRequested = true;
    }, SOON_MS);
  };
  run();
  const interval = setInterval(run, intervalMs);
  return {
    soon,
    stop: async () => {
      isStopped = true;
      clearInterval(interval);
      clearTimeout(timer);
      await working;
    },
  };
}
