/** Finds the value at which a distribution reaches a probability. */

export interface Tails {
  lower: number;
  upper: number;
}

const MAX_STEPS = 400;

/**
 * Finds the positive x whose lower tail is `lower` (and upper tail `upper`, 1 - lower; the smaller of the two must be
 * exact). Uses Newton steps on the logarithms of x and of the smaller tail, within the interval found so far. Returns
 * null if there is no such x.
 */
export function invertPositive(
  tails: (x: number) => Tails,
  density: (x: number) => number,
  wanted: Tails,
  start: number,
): number | null {
  const isLower = wanted.lower <= wanted.upper;
  const target = Math.log(isLower ? wanted.lower : wanted.upper);
  let low = 0;
  let high = Infinity;
  let x = start > 0 && Number.isFinite(start) ? start : 1;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const found = tails(x);
    const part = isLower ? found.lower : found.upper;
    if (Number.isNaN(part)) return null;
    const excess = part === 0 ? -Infinity : Math.log(part) - target;
    if (excess === 0) return x;
    if (excess > 0 === isLower) high = Math.min(high, x);
    else low = Math.max(low, x);
    const slope = ((isLower ? 1 : -1) * density(x) * x) / part;
    const next = inside(x * Math.exp(-excess / slope), low, high);
    if (Math.abs(next - x) <= 2.3e-16 * x || high - low <= 2.3e-16 * low) return next;
    x = next;
    if (x < 1e-307 || x > 1e307) return null;
  }
  return x;
}

function inside(next: number, low: number, high: number): number {
  if (next > low && next < high) return next;
  if (high === Infinity) return low * 4;
  return low === 0 ? high / 16 : Math.sqrt(low * high);
}

/**
 * Like `invertPositive`, for x and y = 1 - x between 0 and 1. It finds the smaller of the two, which keeps the other
 * exact.
 */
export function invertUnit(
  tails: (x: number, y: number) => Tails,
  density: (x: number, y: number) => number,
  wanted: Tails,
): { x: number; y: number } | null {
  const half = tails(0.5, 0.5);
  const isSmall = wanted.lower <= half.lower;
  // The smaller of x and y is t / (1 + t) with t from 0 to 1; no step can therefore leave the interval.
  const at = (t: number): { small: number; large: number } => ({ small: t / (1 + t), large: 1 / (1 + t) });
  const found = invertPositive(
    (t) => {
      const { small, large } = at(t);
      const parts = isSmall ? tails(small, large) : tails(large, small);
      return isSmall ? parts : { lower: parts.upper, upper: parts.lower };
    },
    (t) => {
      const { small, large } = at(t);
      return (isSmall ? density(small, large) : density(large, small)) * large * large;
    },
    isSmall ? wanted : { lower: wanted.upper, upper: wanted.lower },
    0.5,
  );
  if (found === null) return null;
  const { small, large } = at(found);
  return isSmall ? { x: small, y: large } : { x: large, y: small };
}
