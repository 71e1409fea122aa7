import { expect, it } from 'vitest';
import { raised } from './powers.ts';

/** Bases, exponents and the results Excel saved. */
it.each([
  [1.01, 3, 1.030301],
  [1.01, 7, 1.0721353521070098],
  [1.01, 10, 1.1046221254112047],
  [-2.4, 5, -79.62624],
  [10, 2.3, 199.52623149688802],
  [98.6, 3.2, 2401077.2220695755],
  [1.00788, -3.5833333333333335, 0.972265858238938],
  [1.01345, -16.083333333333332, 0.8066390457663971],
  [1.01361, -26.666666666666668, 0.6973375088206196],
  [2, 10, 1024],
  [2, -2, 0.25],
  [10, -3, 0.001],
  [5, 0, 1],
  [-8, 1 / 3, Number.NaN],
  [2, 1e300, Number.POSITIVE_INFINITY],
  [0.5, 2 ** 40, 0],
])('%s to the power %s is %s', (base, exponent, expected) => expect(raised(base, exponent)).toBe(expected));
