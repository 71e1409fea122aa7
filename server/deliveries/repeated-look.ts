import type { Log } from '#server/base/log.ts';

export interface RepeatedLook {
  /** Looks soon: what comes within a moment is looked at together. */
  soon(): void;
  stop(): Promise<void>;
}

const SOON_MS = 300;

/** Looks again and again, one look at a time. One that failed is made up for by the next. */
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
