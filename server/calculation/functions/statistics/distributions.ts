/** Student's t, chi-squared, F, beta and gamma distributions on plain numbers; callers validate the arguments. */
import { betaDensity, incompleteBeta } from './beta.ts';
import { deviance, gamma, incompleteGamma, poissonTerm, stirlingError } from './gamma.ts';
import { invertPositive, invertUnit, type Tails } from './invert.ts';
import { normalInverse } from './erf.ts';

/** Both tails, for a probability and its complement to 1. */
export const lowerTail = (probability: number): Tails => ({ lower: probability, upper: 1 - probability });
export const upperTail = (probability: number): Tails => ({ lower: 1 - probability, upper: probability });

export const gammaTails = (x: number, alpha: number, beta: number): Tails => incompleteGamma(alpha, x / beta);

export function gammaDensity(x: number, alpha: number, beta: number): number {
  if (x === 0) return alpha < 1 ? Infinity : alpha === 1 ? 1 / beta : 0;
  const scaled = x / beta;
  // For alpha below 1, Poisson's term of alpha - 1 would have a negative argument.
  return alpha < 1 ? (poissonTerm(alpha, scaled) * alpha) / x : poissonTerm(alpha - 1, scaled) / beta;
}

export function gammaInverse(wanted: Tails, alpha: number, beta: number): number | null {
  if (wanted.lower === 0) return 0;
  const found = invertPositive(
    (x) => gammaTails(x, alpha, 1),
    (x) => gammaDensity(x, alpha, 1),
    wanted,
    gammaGuess(wanted, alpha),
  );
  return found === null ? null : found * beta;
}

/** Uses Wilson and Hilferty's cube, or the first term of the series if the cube is small. */
function gammaGuess({ lower, upper }: Tails, alpha: number): number {
  const z = lower < 0.5 ? normalInverse(Math.max(lower, 1e-300)) : -normalInverse(Math.max(upper, 1e-300));
  const cube = alpha * (1 - 1 / (9 * alpha) + z / (3 * Math.sqrt(alpha))) ** 3;
  if (cube > 0.1 * alpha && alpha > 0.3) return cube;
  return (Math.max(lower, 1e-300) * gamma(Math.min(alpha, 100) + 1)) ** (1 / alpha);
}

export const betaTails = (x: number, y: number, alpha: number, beta: number): Tails =>
  incompleteBeta(x, y, alpha, beta);

export function betaInverse(wanted: Tails, alpha: number, beta: number): { x: number; y: number } | null {
  return invertUnit(
    (x, y) => incompleteBeta(x, y, alpha, beta),
    (x, y) => betaDensity(x, y, alpha, beta),
    wanted,
  );
}

/**
 * If x has an F distribution, d1·x / (d2 + d1·x) has a beta distribution with half the degrees of freedom as
 * parameters.
 */
export function fTails(x: number, d1: number, d2: number): Tails {
  const whole = d2 + d1 * x;
  return incompleteBeta((d1 * x) / whole, d2 / whole, d1 / 2, d2 / 2);
}

export function fDensity(x: number, d1: number, d2: number): number {
  if (x === 0) return d1 < 2 ? Infinity : d1 === 2 ? 1 : 0;
  const whole = d2 + d1 * x;
  return (betaDensity((d1 * x) / whole, d2 / whole, d1 / 2, d2 / 2) * d1 * d2) / (whole * whole);
}

export function fInverse(wanted: Tails, d1: number, d2: number): number | null {
  if (wanted.lower === 0) return 0;
  const found = betaInverse(wanted, d1 / 2, d2 / 2);
  return found && (found.x / found.y) * (d2 / d1);
}

/** Returns the probability of both tails beyond |t| together. */
export function studentTails(t: number, df: number): number {
  const whole = df + t * t;
  return incompleteBeta(df / whole, (t * t) / whole, df / 2, 0.5).lower;
}

export function studentUpper(t: number, df: number): number {
  if (t < 0) return 1 - studentTails(t, df) / 2;
  return studentTails(t, df) / 2;
}

/** Loader's form: the quotient of Γ((df+1)/2) and Γ(df/2) becomes a difference of small terms. */
export function studentDensity(t: number, df: number): number {
  const scale = stirlingError((df + 1) / 2) - stirlingError(df / 2) - deviance(df / 2, (df + 1) / 2);
  const half = Math.log1p((t * t) / df) / 2;
  return Math.exp(scale - df * half - half) / Math.sqrt(2 * Math.PI);
}

/** Returns the positive t beyond which both tails together have this `probability` (at most 1). */
export function studentInverse(probability: number, df: number): number | null {
  if (probability === 1) return 0;
  const found = betaInverse(lowerTail(probability), df / 2, 0.5);
  return found && Math.sqrt((df * found.y) / found.x);
}
