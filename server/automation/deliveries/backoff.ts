/** When a failed delivery is retried. */

const MINUTE = 60;
const HOUR = 3600;
/** Seconds to wait after the first, second, … attempt; the last value also applies to all later ones. */
const RETRY_DELAYS_SECONDS = [10, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR];
/** Maximum fraction by which a wait is extended, so deliveries that failed together are not always retried together. */
const SPREAD = 0.1;
/** Three days: deliveries that still fail after this time are given up. */
export const GIVE_UP_SECONDS = 72 * HOUR;

/** @param attempts number of attempts so far */
export function waitAfter(attempts: number, random = Math.random()): number {
  const seconds = RETRY_DELAYS_SECONDS[Math.min(attempts, RETRY_DELAYS_SECONDS.length) - 1] ?? RETRY_DELAYS_SECONDS[0]!;
  return seconds * (1 + SPREAD * random);
}
