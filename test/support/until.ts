import { setTimeout as pause } from 'node:timers/promises';
import { isOnSqlServer } from './test-set.ts';

/**
 * Adapts a time limit in milliseconds to the test database. Servers that speak SQL Server's protocol need some
 * milliseconds more per statement, and workers poll for runs there.
 */
export const onItsDatabase = (timeLimit: number): number => (isOnSqlServer ? 4 * timeLimit : timeLimit);

/**
 * On a quiet machine, conditions hold within a second. Other machines may be ten times as slow or run several suites at
 * once.
 */
const UNTIL_TIMEOUT_MS = isOnSqlServer ? 120_000 : 60_000;

/** Waits until a condition holds and returns its result; fails after the time limit. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  timeLimit = UNTIL_TIMEOUT_MS,
): Promise<T> {
  const end = performance.now() + timeLimit;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`waited ${timeLimit} ms in vain for: ${what}`);
    await pause(10);
  }
}

/** Waits until a run, or a workflow run, has its end time, and returns it. */
export const untilEnded = <T extends { EndTime: unknown }>(name: string, read: () => Promise<T>): Promise<T> =>
  until(`the end of ${name}`, async () => {
    const run = await read();
    return run.EndTime === null ? undefined : run;
  });

/**
 * How long a measure may stay unchanged. Long enough for a machine that starts several servers at once, short enough to
 * detect a standstill.
 */
export const STALL_TIMEOUT_MS = 120_000;

interface ProgressOptions {
  stallMs?: number;
  /** Milliseconds between two measurements. */
  pauseMs?: number;
}

/**
 * Waits until `isDone` accepts the result of `measure`, and returns it. Fails only if the measure has not changed for
 * `stallMs`. The total time is unlimited, because it depends on the machine and on chance.
 */
export async function untilProgress<T>(
  what: string,
  measure: () => T | Promise<T>,
  isDone: (measured: T) => boolean,
  { stallMs = STALL_TIMEOUT_MS, pauseMs = 20 }: ProgressOptions = {},
): Promise<T> {
  let last: string | undefined;
  let changedAt = performance.now();
  for (;;) {
    const measured = await measure();
    if (isDone(measured)) return measured;
    const printed = JSON.stringify(measured);
    if (printed !== last) {
      last = printed;
      changedAt = performance.now();
    } else if (performance.now() - changedAt > stallMs) {
      throw new Error(`waited for: ${what}; nothing has changed for ${stallMs} ms, the last value is ${printed}`);
    }
    await pause(pauseMs);
  }
}
