import { setTimeout as pause } from 'node:timers/promises';

/** Waits until a condition holds and answers what it answered; fails after the time limit. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  timeLimit = 15_000,
): Promise<T> {
  const end = performance.now() + timeLimit;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`waited ${timeLimit} ms in vain for: ${what}`);
    await pause(10);
  }
}
