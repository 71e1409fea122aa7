import { setTimeout as pause } from 'node:timers/promises';
import { isOnSqlServer } from './test-set.ts';

/**
 * A time limit in milliseconds, as it is on the database of the tests. A server that speaks SQL Server's protocol takes some milliseconds more a
 * statement, and workers there look for runs by themselves.
 */
export const onItsDatabase = (timeLimit: number): number => (isOnSqlServer ? 4 * timeLimit : timeLimit);

/** Conditions hold within a second on a quiet machine. Another machine may be ten times as slow, or run several suites at once. */
const UNTIL_TIMEOUT_MS = isOnSqlServer ? 120_000 : 60_000;

/** Waits until a condition holds and answers what it answered; fails after the time limit. */
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

/** How long a measure may stay the same. Long enough for a machine that starts several servers at once, short enough to notice a standstill. */
export const STALL_TIMEOUT_MS = 120_000;

interface ProgressOptions {
  stallMs?: number;
  /** Between two measurements. */
  pauseMs?: number;
}

/**
 * Waits until `isDone` accepts what `measure` returns, and returns that. Fails only if the measure has not changed for `stallMs`. The total time has no
 * limit, because it depends on the machine and on chance.
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
