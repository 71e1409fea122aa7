/** Finds the yield at which a bond costs the price paid. */

const MAX_ITERATIONS = 100;

/**
 * Finds the yield at which `excess` is 0. `excess` is the price at a yield minus the price paid; it falls as the yield
 * rises. Uses Newton steps with a numerical derivative, and bisects when a step leaves the interval with the change of
 * sign. Returns null if there is no change of sign. Excel stops after 100 iterations of Newton's method (Microsoft,
 * 'YIELD function'), which converge to the same root.
 */
export function solveYield(excess: (guess: number) => number, start: number, frequency: number): number | null {
  let low = -frequency + 1e-9;
  let high = Math.max(start, 0.05) * 2;
  while (excess(high) > 0) {
    high *= 2;
    if (high > 1e12) return null;
  }
  let guess = Math.max(start, 1e-3);
  for (let tries = 0; tries < MAX_ITERATIONS * 2; tries += 1) {
    const value = excess(guess);
    if (value === 0) return guess;
    if (value > 0) low = guess;
    else high = guess;
    const width = 1e-6 * (1 + Math.abs(guess));
    const slope = (excess(guess + width) - excess(guess - width)) / (2 * width);
    const next = guess - value / slope;
    const isInside = next > low && next < high;
    const step = isInside ? next : (low + high) / 2;
    if (Math.abs(step - guess) <= 1e-15 * (1 + Math.abs(step))) return step;
    if (step === low || step === high) return step;
    guess = step;
  }
  return guess;
}
