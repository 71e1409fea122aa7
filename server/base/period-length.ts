const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Period lengths, in seconds, that a plot can have. */
const LENGTHS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY];
/** A plot with more points than this is not readable. */
const MAX_PERIODS = 60;

/** Returns the shortest period length, in seconds, with which the span has few enough periods. */
export function periodLength(spanSeconds: number, maxPeriods = MAX_PERIODS): number {
  const fitting = LENGTHS.find((length) => spanSeconds / length <= maxPeriods);
  return fitting ?? Math.ceil(spanSeconds / maxPeriods / DAY) * DAY;
}
