import type { Log } from '#server/base/log.ts';

export interface RepeatedLook {
  /** Polls soon; requests within a short time share a poll. */
  soon(): void;
  stop(): Promise<void>;
}

const SOON_MS = 300;

/** Polls repeatedly, one poll at a time. The next poll makes up for a failed one. */
export function lookRepeatedly(
  look: () => Promise<unknown>,
  { intervalMs, log, what }: { intervalMs: number; log: Log; what: string },
): RepeatedLook {
  let working: Promise<unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    working ??= look()
      .catch((err: unknown) => log.warn({ err }, `${what}; tried again`))
      .finally(() => (working = undefined));
  };
  run();
  const interval = setInterval(run, intervalMs);
  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        run();
      }, SOON_MS);
    },
    stop: async () => {
      clearInterval(interval);
      clearTimeout(timer);
      await working;
    },
  };
}
