/** Forecasts when a given amount of space is used up. It extrapolates the rate of the last days linearly. */

const DAY_MS = 86_400_000;
/** Maximum forecast in days; a longer one would be guesswork. */
const FORESEEN_DAYS = 3650;

export type Forecast =
  | { kind: 'unknown' }
  | { kind: 'never' }
  | { kind: 'far' }
  | { kind: 'on'; days: number; time: number };

/**
 * @param freeBytes bytes that can still be stored
 * @param perDay bytes per day; null if too little is known
 * @param now milliseconds since 1970
 */
export function forecastOf(freeBytes: number, perDay: number | null, now: number): Forecast {
  if (perDay === null || !Number.isFinite(freeBytes) || freeBytes < 0) return { kind: 'unknown' };
  if (perDay <= 0) return { kind: 'never' };
  const days = freeBytes / perDay;
  return days > FORESEEN_DAYS ? { kind: 'far' } : { kind: 'on', days: Math.floor(days), time: now + days * DAY_MS };
}
