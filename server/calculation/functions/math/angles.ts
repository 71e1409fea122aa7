/**
 * Sines and their kin as Excel has them near their zeros and poles. Excel takes multiples of half of pi, rounded to 64 bits, out of
 * an angle: SIN(PI()) is 1.22514845490862E-16, where with all digits of pi it would be 1.2246…E-16. Elsewhere that changes nothing.
 * Source: values saved by Excel.
 */
const HALF_PI = Math.PI / 2;
/** What the 64 bits have and the 53 of a double do not: half of 565 units of 2^-62. */
const HALF_PI_REST = (565 / 2) * 2 ** -62;
/** Half of pi in two parts, so short that their products with a number of quarter turns are exact. */
const HIGH = Math.fround(HALF_PI * 2 ** -3) * 2 ** 3;
const LOW = HALF_PI - HIGH;
/** Nearer to a multiple than this the rest of pi shows. */
const NEAR = 1e-4;

/** The multiple of half of pi an angle is near, and how far beyond it is; null where it is near none, or near 0. */
function nearQuarter(angle: number): { quarter: number; rest: number } | null {
  const turns = Math.round(angle / HALF_PI);
  if (turns === 0) return null;
  const rest = angle - turns * HIGH - turns * LOW - turns * HALF_PI_REST;
  return Math.abs(rest) < NEAR ? { quarter: ((turns % 4) + 4) % 4, rest } : null;
}

export function sine(angle: number): number {
  const near = nearQuarter(angle);
  if (!near || near.quarter % 2 === 1) return Math.sin(angle);
  return near.quarter === 0 ? Math.sin(near.rest) : -Math.sin(near.rest);
}

export function cosine(angle: number): number {
  const near = nearQuarter(angle);
  if (!near || near.quarter % 2 === 0) return Math.cos(angle);
  return near.quarter === 1 ? -Math.sin(near.rest) : Math.sin(near.rest);
}

export function tangent(angle: number): number {
  const near = nearQuarter(angle);
  if (!near) return Math.tan(angle);
  return near.quarter % 2 === 0 ? Math.tan(near.rest) : -1 / Math.tan(near.rest);
}
