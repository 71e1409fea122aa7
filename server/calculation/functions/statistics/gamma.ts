/**
 * The gamma function and the incomplete gamma functions. Sources: NIST DLMF 5.7, 5.11 and 8; C. Loader, 'Fast and
 * Accurate Computation of Binomial Probabilities' (2000), for densities without cancellation.
 */

const HALF_LOG_2PI = 0.9189385332046728;
const EULER = 0.5772156649015329;
const ENOUGH = 1e-17;
const MAX_TERMS = 2_000_000;

/** ζ(k) - 1 for k from 2. */
const ZETA_LESS_1 = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
  0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645,
  0.0002460865533080483, 0.00012271334757848915, 6.124813505870483e-5, 3.058823630702049e-5, 1.528225940865187e-5,
  7.637197637899763e-6, 3.81729326499984e-6, 1.908212716553939e-6, 9.539620338727962e-7, 4.769329867878064e-7,
  2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
  7.45071178983543e-9, 3.725334024788457e-9, 1.862659723513049e-9,
];

/** Returns ln Γ(1 + z) for |z| up to a half, accurate near its zero. */
function logGammaNear1(z: number): number {
  let sum = 0;
  let power = z;
  for (let index = 0; index < ZETA_LESS_1.length; index += 1) {
    power *= -z;
    sum -= (ZETA_LESS_1[index]! * power) / (index + 2);
  }
  return -Math.log1p(z) + z * (1 - EULER) + sum;
}

/** Stirling's series: ln Γ(x) minus its leading terms, for x from 10. */
function stirlingTail(x: number): number {
  const y = 1 / (x * x);
  const terms =
    1 / 12 -
    y *
      (1 / 360 -
        y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * (691 / 360360 - y * (1 / 156 - y * (3617 / 122400)))))));
  return terms / x;
}

/** Returns ln Γ(x) for positive x. */
export function logGamma(x: number): number {
  if (x >= 10) return (x - 0.5) * Math.log(x) - x + HALF_LOG_2PI + stirlingTail(x);
  if (x < 0.5) return logGamma(x + 1) - Math.log(x);
  if (x <= 1.5) return logGammaNear1(x - 1);
  if (x <= 2.5) return logGammaNear1(x - 2) + Math.log1p(x - 2);
  let product = 1;
  let rest = x;
  while (rest > 2.5) {
    rest -= 1;
    product *= rest;
  }
  return logGamma(rest) + Math.log(product);
}

/** Returns sin(πx), accurate near integers. */
function sineOfPi(x: number): number {
  const whole = Math.round(x);
  return Math.sin(Math.PI * (x - whole)) * (whole % 2 === 0 ? 1 : -1);
}

/** Returns Γ(x); NaN at its poles (0, -1, …). */
export function gamma(x: number): number {
  if (Number.isInteger(x)) {
    if (x <= 0) return Number.NaN;
    let product = 1;
    for (let factor = 2; factor < x && Number.isFinite(product); factor += 1) product *= factor;
    return product;
  }
  if (x > 172) return Infinity;
  if (x < 0) return Math.PI / (sineOfPi(x) * gamma(1 - x));
  let product = 1;
  let rest = x;
  while (rest > 1.5) {
    rest -= 1;
    product *= rest;
  }
  return product * Math.exp(logGamma(rest));
}

/** Returns ln n! minus Stirling's leading terms, accurate also for small n: the error term of Loader's densities. */
export function stirlingError(n: number): number {
  if (n >= 10) return stirlingTail(n);
  if (n === 0) return 0;
  let result = 0;
  let x = n;
  for (; x < 10; x += 1) result += (x + 0.5) * Math.log1p(1 / x) - 1;
  return result + stirlingTail(x);
}

/**
 * Returns x ln(x/m) + m - x without cancellation for x near m. `gap` is x - m, for callers that know it more exactly
 * than the difference.
 */
export function deviance(x: number, m: number, gap = x - m): number {
  if (Math.abs(gap) >= 0.1 * (x + m)) return x === 0 ? m : x * Math.log(x / m) - gap;
  const v = gap / (x + m);
  let sum = gap * v;
  let term = 2 * x * v;
  for (let j = 1; j < 1000; j += 1) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

/** Returns e^(-m) m^x / Γ(x + 1): Poisson probabilities, also for real x. */
export function poissonTerm(x: number, m: number): number {
  if (m === 0) return x === 0 ? 1 : 0;
  if (x === 0) return Math.exp(-m);
  if (x < 1e-290) return Math.exp(-m + x * Math.log(m));
  if (Number.isInteger(x) && x <= 20 && m <= 30) return (Math.exp(-m) * m ** x) / gamma(x + 1);
  return Math.exp(-stirlingError(x) - deviance(x, m)) / Math.sqrt(2 * Math.PI * x);
}

/**
 * Returns the lower and upper regularized incomplete gamma function, both between 0 and 1; NaN if this would need too
 * many terms.
 */
export function incompleteGamma(a: number, x: number): { lower: number; upper: number } {
  if (x <= 0) return { lower: 0, upper: 1 };
  const isSeries = x < a + 1;
  const part = isSeries ? gammaSeries(a, x) : gammaFraction(a, x);
  return isSeries ? { lower: part, upper: 1 - part } : { lower: 1 - part, upper: part };
}

function gammaSeries(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; n < MAX_TERMS; n += 1) {
    term *= x / (a + n);
    sum += term;
    if (term < ENOUGH * sum) return Math.min(1, sum * poissonTerm(a, x));
  }
  return Number.NaN;
}

/** By Legendre's continued fraction (DLMF 8.9.2), as modified by Lentz. */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let result = d;
  for (let n = 1; n < MAX_TERMS; n += 1) {
    const factor = -n * (n - a);
    b += 2;
    d = 1 / (factor * d + b || 1e-300);
    c = b + factor / c || 1e-300;
    const change = c * d;
    result *= change;
    // x^a e^-x / Γ(a) is a·poissonTerm(a, x)
    if (Math.abs(change - 1) < 3e-16) return Math.min(1, result * a * poissonTerm(a, x));
  }
  return Number.NaN;
}
