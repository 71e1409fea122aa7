/** When what could not be delivered is tried again. */

const MINUTE = 60;
const HOUR = 3600;
/** Seconds after the first, second, … attempt; after later ones the last of them. */
const WAITS = [10, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR];
/** Part of a wait by which it may be longer, so that what failed together is not tried together for ever. */
const SPREAD = 0.1;
/** Three days: what could not be delivered by then is given up. */
export const GIVE_UP_SECONDS = 72 * HOUR;

/** @param attempts that were made */
export function waitAfter(attempts: number, random = Math.random()): number {
  const seconds = WAITS[Math.min(attempts, WAITS.length) - 1] ?? WAITS[0]!;
  return seconds * (1 + SPREAD * random);
}
