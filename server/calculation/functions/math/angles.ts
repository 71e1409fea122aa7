/**
 * Sine, cosine and tangent with Excel's results near zeros and poles. Excel subtracts multiples of pi/2, rounded to 64
 * bits, from an angle: SIN(PI()) is 1.22514845490862E-16, while exact pi would give 1.2246…E-16. This makes no
 * difference elsewhere. Source: values saved by Excel.
 */
const HALF_PI = Math.PI / 2;
/** The part of pi/2 in the 64 bits that the 53 bits of a double lack: half of 565 units of 2^-62. */
const HALF_PI_REST = (565 / 2) * 2 ** -62;
/** Splits pi/2 in two parts that are short enough for exact products with a number of quarter turns. */
const HIGH = Math.fround(HALF_PI * 2 ** -3) * 2 ** 3;
const LOW = HALF_PI - HIGH;
/** The remainder of pi/2 affects angles closer to a multiple than this. */
const NEAR = 1e-4;

/**
 * Returns the multiple of pi/2 near an angle and the distance from it; null if there is no such multiple, or if the
 * angle is near 0.
 */
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
