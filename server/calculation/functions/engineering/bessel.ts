/**
 * Bessel functions by the same approximations as Excel, to reproduce its results, which are accurate to seven or eight
 * digits. I and K use Abramowitz and Stegun 9.8.1 to 9.8.8; J and Y use Hart's approximations (as in 'Numerical
 * Recipes', 6.5 and 6.6). BESSELJ(0, 0) is 1.00000000283141 in Excel.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { strict } from './strict-number.ts';

/** c0 + c1·x + c2·x² … */
function polynomial(x: number, coefficients: readonly number[]): number {
  let result = 0;
  for (let index = coefficients.length - 1; index >= 0; index -= 1) result = result * x + coefficients[index]!;
  return result;
}

const J0_TOP = [57568490574, -13362590354, 651619640.7, -11214424.18, 77392.33017, -184.9052456];
const J0_BOTTOM = [57568490411, 1029532985, 9494680.718, 59272.64853, 267.8532712, 1];
const J1_TOP = [72362614232, -7895059235, 242396853.1, -2972611.439, 15704.4826, -30.16036606];
const J1_BOTTOM = [144725228442, 2300535178, 18583304.74, 99447.43394, 376.9991397, 1];
const P0 = [1, -0.1098628627e-2, 0.2734510407e-4, -0.2073370639e-5, 0.2093887211e-6];
const Q0 = [-0.1562499995e-1, 0.1430488765e-3, -0.6911147651e-5, 0.7621095161e-6, -0.934935152e-7];
const P1 = [1, 0.183105e-2, -0.3516396496e-4, 0.2457520174e-5, -0.240337019e-6];
/** Excel repeats the third coefficient in BESSELJ. Its saved results show this error of 5E-7 at 10. */
const P1_OF_J = [1, 0.183105e-2, -0.3516396496e-4, -0.3516396496e-4, 0.2457520174e-5, -0.240337019e-6];
const Q1 = [0.04687499995, -0.2002690873e-3, 0.8449199096e-5, -0.88228987e-6, 0.105787412e-6];
const Y0_TOP = [-2957821389, 7062834065, -512359803.6, 10879881.29, -86327.92757, 228.4622733];
const Y0_BOTTOM = [40076544269, 745249964.8, 7189466.438, 47447.2647, 226.1030244, 1];
const Y1_TOP = [-0.4900604943e13, 0.127527439e13, -0.5153438139e11, 0.7349264551e9, -0.4237922726e7, 0.8511937935e4];
const Y1_BOTTOM = [0.249958057e14, 0.4244419664e12, 0.3733650367e10, 0.2245904002e8, 0.102042605e6, 0.3549632885e3, 1];
const I0_SMALL = [1, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.360768e-1, 0.45813e-2];
const I0_LARGE = [
  0.39894228, 0.1328592e-1, 0.225319e-2, -0.157565e-2, 0.916281e-2, -0.2057706e-1, 0.2635537e-1, -0.1647633e-1,
  0.392377e-2,
];
const I1_SMALL = [0.5, 0.87890594, 0.51498869, 0.15084934, 0.2658733e-1, 0.301532e-2, 0.32411e-3];
const I1_LARGE = [
  0.39894228, -0.3988024e-1, -0.362018e-2, 0.163801e-2, -0.1031555e-1, 0.2282967e-1, -0.2895312e-1, 0.1787654e-1,
  -0.420059e-2,
];
const K0_SMALL = [-0.57721566, 0.4227842, 0.23069756, 0.348859e-1, 0.262698e-2, 0.1075e-3, 0.74e-5];
const K0_LARGE = [1.25331414, -0.7832358e-1, 0.2189568e-1, -0.1062446e-1, 0.587872e-2, -0.25154e-2, 0.53208e-3];
const K1_SMALL = [1, 0.15443144, -0.67278579, -0.18156897, -0.1919402e-1, -0.110404e-2, -0.4686e-4];
const K1_LARGE = [1.25331414, 0.23498619, -0.365562e-1, 0.1504268e-1, -0.780353e-2, 0.325614e-2, -0.68245e-3];

const QUARTER_PI = 0.785398164;
const THREE_QUARTERS_PI = 2.356194491;
const TWO_OVER_PI = 0.636619772;

function j0(x: number): number {
  const size = Math.abs(x);
  if (size < 8) return polynomial(x * x, J0_TOP) / polynomial(x * x, J0_BOTTOM);
  const z = 8 / size;
  const angle = size - QUARTER_PI;
  const wave = Math.cos(angle) * polynomial(z * z, P0) - z * Math.sin(angle) * polynomial(z * z, Q0);
  return Math.sqrt(TWO_OVER_PI / size) * wave;
}

function j1(x: number): number {
  const size = Math.abs(x);
  if (size < 8) return (x * polynomial(x * x, J1_TOP)) / polynomial(x * x, J1_BOTTOM);
  const z = 8 / size;
  const angle = size - THREE_QUARTERS_PI;
  const wave = Math.cos(angle) * polynomial(z * z, P1_OF_J) - z * Math.sin(angle) * polynomial(z * z, Q1);
  return Math.sqrt(TWO_OVER_PI / size) * wave * Math.sign(x);
}

function y0(x: number): number {
  if (x < 8) return polynomial(x * x, Y0_TOP) / polynomial(x * x, Y0_BOTTOM) + TWO_OVER_PI * j0(x) * Math.log(x);
  const z = 8 / x;
  const angle = x - QUARTER_PI;
  const wave = Math.sin(angle) * polynomial(z * z, P0) + z * Math.cos(angle) * polynomial(z * z, Q0);
  return Math.sqrt(TWO_OVER_PI / x) * wave;
}

function y1(x: number): number {
  if (x < 8) {
    const fraction = (x * polynomial(x * x, Y1_TOP)) / polynomial(x * x, Y1_BOTTOM);
    return fraction + TWO_OVER_PI * (j1(x) * Math.log(x) - 1 / x);
  }
  const z = 8 / x;
  const angle = x - THREE_QUARTERS_PI;
  const wave = Math.sin(angle) * polynomial(z * z, P1) + z * Math.cos(angle) * polynomial(z * z, Q1);
  return Math.sqrt(TWO_OVER_PI / x) * wave;
}

function i0(x: number): number {
  const size = Math.abs(x);
  if (size < 3.75) return polynomial((x / 3.75) ** 2, I0_SMALL);
  return (Math.exp(size) / Math.sqrt(size)) * polynomial(3.75 / size, I0_LARGE);
}

function i1(x: number): number {
  const size = Math.abs(x);
  if (size < 3.75) return x * polynomial((x / 3.75) ** 2, I1_SMALL);
  return (Math.exp(size) / Math.sqrt(size)) * polynomial(3.75 / size, I1_LARGE) * Math.sign(x);
}

function k0(x: number): number {
  if (x <= 2) return -Math.log(x / 2) * i0(x) + polynomial((x * x) / 4, K0_SMALL);
  return (Math.exp(-x) / Math.sqrt(x)) * polynomial(2 / x, K0_LARGE);
}

function k1(x: number): number {
  if (x <= 2) return Math.log(x / 2) * i1(x) + polynomial((x * x) / 4, K1_SMALL) / x;
  return (Math.exp(-x) / Math.sqrt(x)) * polynomial(2 / x, K1_LARGE);
}

/** Determines where the downward recurrence starts: a larger value gives more digits. */
const ACCURACY = 40;
const HUGE = 1e10;

/** Upward recurrence from orders 0 and 1: f(n+1) = 2n/x · f(n) ± f(n-1). */
function upwards(x: number, n: number, first: number, second: number, sign: 1 | -1): number {
  let before = first;
  let result = second;
  for (let order = 1; order < n && Number.isFinite(result); order += 1) {
    [before, result] = [result, ((2 * order) / x) * result + sign * before];
  }
  return result;
}

function besselJ(x: number, n: number): number {
  if (n === 0) return j0(x);
  if (n === 1) return j1(x);
  const size = Math.abs(x);
  if (size === 0) return 0;
  if (size > n) return upwards(size, n, j0(size), j1(size), -1) * (x < 0 && n % 2 === 1 ? -1 : 1);
  let next = 0;
  let current = 1;
  let found = 0;
  let sum = 0;
  let isEven = false;
  for (let order = 2 * Math.trunc((n + Math.trunc(Math.sqrt(ACCURACY * n))) / 2); order > 0; order -= 1) {
    [next, current] = [current, ((2 * order) / size) * current - next];
    if (Math.abs(current) > HUGE) [current, next, found, sum] = [current / HUGE, next / HUGE, found / HUGE, sum / HUGE];
    if (isEven) sum += current;
    isEven = !isEven;
    if (order === n) found = next;
  }
  const result = found / (2 * sum - current);
  return x < 0 && n % 2 === 1 ? -result : result;
}

function besselI(x: number, n: number): number {
  if (n === 0) return i0(x);
  if (n === 1) return i1(x);
  if (x === 0) return 0;
  const size = Math.abs(x);
  let next = 0;
  let current = 1;
  let found = 0;
  for (let order = 2 * (n + Math.trunc(Math.sqrt(ACCURACY * n))); order > 0; order -= 1) {
    [next, current] = [current, ((2 * order) / size) * current + next];
    if (Math.abs(current) > HUGE) [current, next, found] = [current / HUGE, next / HUGE, found / HUGE];
    if (order === n) found = next;
  }
  const result = (found * i0(x)) / current;
  return x < 0 && n % 2 === 1 ? -result : result;
}

const besselY = (x: number, n: number): number => (n === 0 ? y0(x) : upwards(x, n, y0(x), y1(x), -1));
const besselK = (x: number, n: number): number => (n === 0 ? k0(x) : upwards(x, n, k0(x), k1(x), 1));

/** Results of higher orders exceed the range of doubles. */
const MAX_ORDER = 1e6;

function bessel(name: string, calculate: (x: number, n: number) => number, isPositive: boolean): FunctionDefinition {
  return strict(name, 2, ([x, order]): number | CellError => {
    const n = Math.trunc(order!);
    if (n < 0 || (isPositive && x! <= 0)) return NUM_ERROR;
    if (x === 0 && n > 0) return 0;
    return n > MAX_ORDER ? NUM_ERROR : calculate(x!, n);
  });
}

export const besselFunctions: FunctionDefinition[] = [
  bessel('BESSELI', besselI, false),
  bessel('BESSELJ', besselJ, false),
  bessel('BESSELK', besselK, true),
  bessel('BESSELY', besselY, true),
];
