/** When a given room is used up, at the rate of the last days: a straight line, and nothing more. */

const DAY_MS = 86_400_000;
/** Whoever says more of the future than this makes it up. Days. */
export const FORESEEN_DAYS = 3650;

export type Forecast =
  | { kind: 'unknown' }
  | { kind: 'never' }
  | { kind: 'far' }
  | { kind: 'on'; days: number; time: number };

/**
 * @param room bytes that may still be stored
 * @param perDay bytes; null where too little is known
 * @param now milliseconds since 1970
 */
export function forecastOf(room: number, perDay: number | null, now: number): Forecast {
  if (perDay === null || !Number.isFinite(room) || room < 0) return { kind: 'unknown' };
  if (perDay <= 0) return { kind: 'never' };
  const days = room / perDay;
  return days > FORESEEN_DAYS ? { kind: 'far' } : { kind: 'on', days: Math.floor(days), time: now + days * DAY_MS };
}
