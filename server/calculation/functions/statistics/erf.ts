/** The error function and the normal distribution to machine precision. Sources: NIST DLMF 7.6.2 and 7.9. */

const SQRT_PI = Math.sqrt(Math.PI);
const ENOUGH = 1e-17;
/** Below this value the series needs few terms and loses no digits; above it the continued fraction does. */
const SERIES_TO = 1.25;

/** Returns e^(-x²) and corrects the rounding error of x², which would affect the last three digits for large x. */
function expOfMinusSquare(x: number): number {
  const high = Math.fround(x);
  const low = x - high;
  return Math.exp(-high * high) * Math.exp(-low * (x + high));
}

/** 2/√π · e^(-x²) · Σ 2ⁿ x^(2n+1) / (2n+1)!!. All terms are positive. */
function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > ENOUGH * Math.abs(sum); n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / SQRT_PI) * expOfMinusSquare(x) * sum;
}

/** e^(-x²)/√π · 1/(x + ½/(x + 1/(x + 3⁄2/(x + …)))), evaluated from the innermost term. */
function erfcFraction(x: number): number {
  const depth = Math.ceil(20 + 160 / (x * x));
  let rest = x;
  for (let n = depth; n >= 1; n -= 1) rest = x + n / 2 / rest;
  return expOfMinusSquare(x) / (SQRT_PI * rest);
}

export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  return x < SERIES_TO ? erfSeries(x) : 1 - erfc(x);
}

export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x > 27.3) return 0;
  if (x < 0.5) return 1 - erfSeries(x);
  return x < SERIES_TO ? 1 - erfSeries(x) : erfcFraction(x);
}

/** Returns e^(-z²/2), as in `expOfMinusSquare`. */
function expOfMinusHalfSquare(z: number): number {
  const high = Math.fround(z);
  return Math.exp((-high * high) / 2) * Math.exp((-(z - high) * (z + high)) / 2);
}

export const normalDensity = (z: number): number => expOfMinusHalfSquare(z) / Math.sqrt(2 * Math.PI);

/** From this value on, the tail has its own continued fraction, because dividing z by √2 would lose digits. */
const TAIL_FROM = 2;

export function normalCumulative(z: number): number {
  if (z > -TAIL_FROM) return z > TAIL_FROM ? 1 - normalTail(z) : erfc(-z / Math.SQRT2) / 2;
  return normalTail(-z);
}

/** φ(z) / (z + 1/(z + 2/(z + …))). Source: Abramowitz and Stegun 26.2.14. */
function normalTail(z: number): number {
  if (z > 39) return 0;
  let rest = z;
  for (let n = Math.ceil(20 + 320 / (z * z)); n >= 1; n -= 1) rest = z + n / rest;
  return normalDensity(z) / rest;
}

/**
 * Returns the quantile of the standard normal distribution for `probability` (between 0 and 1, both exclusive). Refines
 * an initial guess by Halley's method.
 */
export function normalInverse(probability: number): number {
  if (probability === 0.5) return 0;
  if (probability > 0.5) return -lowerInverse(1 - probability);
  return lowerInverse(probability);
}

/**
 * For probabilities up to a half. The initial guess is Hastings' (Abramowitz and Stegun 26.2.23), accurate to three
 * digits.
 */
function lowerInverse(probability: number): number {
  const t = Math.sqrt(-2 * Math.log(probability));
  let z = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 4; step += 1) {
    // Near the median, use the distance from it, which retains the digits.
    const miss = probability > 0.25 ? 0.5 - probability - erf(-z / Math.SQRT2) / 2 : normalCumulative(z) - probability;
    const excess = miss / normalDensity(z);
    const next = z - excess / (1 + (excess * z) / 2);
    if (next === z) break;
    z = next;
  }
  return z;
}
