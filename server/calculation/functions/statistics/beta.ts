/**
 * The incomplete beta function and the densities of the binomial family. Sources: NIST DLMF 8.17.22; C. Loader (2000),
 * as in gamma.ts.
 */
import { deviance, logGamma, stirlingError } from './gamma.ts';

const MAX_TERMS = 1_000_000;

/**
 * Returns n over x · p^x · q^(n-x) for real x from 0 to n. `q` is 1 - p; it is a parameter because the difference would
 * be inexact for p near 1.
 */
export function binomialTerm(x: number, n: number, p: number, q: number): number {
  if (p === 0) return x === 0 ? 1 : 0;
  if (q === 0) return x === n ? 1 : 0;
  if (x < 0 || x > n) return 0;
  if (x === 0) return p < 0.1 ? Math.exp(-deviance(n, n * q) - n * p) : Math.exp(n * Math.log1p(-p));
  if (x === n) return q < 0.1 ? Math.exp(-deviance(n, n * p) - n * q) : Math.exp(n * Math.log1p(-q));
  // This is x - n·p, without the loss of precision of the plain difference for large n.
  const gap = x * q - (n - x) * p;
  const misses = deviance(x, n * p, gap) + deviance(n - x, n * q, -gap);
  const error = stirlingError(n) - stirlingError(x) - stirlingError(n - x) - misses;
  return Math.exp(error) * Math.sqrt(n / (2 * Math.PI * x * (n - x)));
}

/** Returns x^a · y^b / B(a, b), where y is 1 - x. */
function betaTerm(x: number, y: number, a: number, b: number): number {
  if (a < 1e-10 || b < 1e-10) {
    return Math.exp(a * Math.log(x) + b * Math.log(y) + logGamma(a + b) - logGamma(a) - logGamma(b));
  }
  return ((a * b) / (a + b)) * binomialTerm(a, a + b, x, y);
}

export const betaDensity = (x: number, y: number, a: number, b: number): number => betaTerm(x, y, a, b) / (x * y);

/** Returns the lower and upper regularized incomplete beta function of x (y is 1 - x), both between 0 and 1. */
export function incompleteBeta(x: number, y: number, a: number, b: number): { lower: number; upper: number } {
  if (x <= 0) return { lower: 0, upper: 1 };
  if (y <= 0) return { lower: 1, upper: 0 };
  if (x * (a + b + 2) > a + 1) {
    const { lower, upper } = incompleteBeta(y, x, b, a);
    return { lower: upper, upper: lower };
  }
  const part = Math.min(1, betaTerm(x, y, a, b) * betaFraction(x, y, a, b));
  return { lower: part, upper: 1 - part };
}

/**
 * The continued fraction of DiDonato and Morris (1992, 'Significant Digit Computation of the Incomplete Beta Function
 * Ratios', equation 9). It takes x and y separately, which retains the digits of y for x near 1.
 */
function betaFraction(x: number, y: number, a: number, b: number): number {
  const first = 1 + (a > b ? (a + b) * y - b : a - (a + b) * x);
  let [numerator, denominator] = [0, 1];
  let [nextNumerator, nextDenominator] = [1, first / (1 + 1 / a)];
  let result = nextNumerator / nextDenominator;
  for (let n = 1; n < MAX_TERMS; n += 1) {
    const s = a + 2 * n - 1;
    const before = 1 + (n - 1) / a;
    const weight = n * (b - n) * x;
    const alpha = before * (before + b / a) * (a / s) ** 2 * weight * x;
    const share = (1 + n / a) / (1 + 1 / a + (2 * n) / a);
    const beta = n + weight / s + share * (first + n * (1 + y));
    const upper = alpha * numerator + beta * nextNumerator;
    const lower = alpha * denominator + beta * nextDenominator;
    const next = upper / lower;
    if (Math.abs(next - result) <= 1.2e-16 * next) return next;
    result = next;
    [numerator, denominator] = [nextNumerator / lower, nextDenominator / lower];
    [nextNumerator, nextDenominator] = [next, 1];
  }
  return Number.NaN;
}
