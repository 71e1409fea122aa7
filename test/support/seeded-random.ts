export interface SeededRandom {
  readonly seed: number;
  /** Returns an integer from `least` to `most`, both inclusive. */
  between(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
}

export const anySeed = (): number => Math.floor(Math.random() * 2 ** 31);

/** Reproducible random numbers; pass the seed printed by an earlier run to repeat it. Source: mulberry32. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { seed, between, pick: (items) => items[between(0, items.length - 1)]! };
}
