/**
 * Caches results that many formulas compute from the same two ranges: from the second use on, until a cell of either
 * range changes.
 */
import { Range, type FormulaValue } from '../values/matrix.ts';
import type { CallContext } from './function.ts';

/** Smaller ranges are computed each time, because this takes almost no time. */
const FEW_CELLS = 48;

interface CacheEntry<T> {
  uses: number;
  /** Identifies the state of the second range. */
  token: object | null;
  thing: T | null;
}

/** `build` must depend only on the cells of both ranges; `key` distinguishes several results of the same ranges. */
export function cachedForTwoRanges<T extends object>(
  first: FormulaValue,
  second: FormulaValue,
  key: string,
  context: CallContext,
  build: () => T,
): T {
  if (!(first instanceof Range) || first.rows * first.cols < FEW_CELLS) return build();
  if (!(second instanceof Range) && second !== undefined) return build();
  const rangeKey = second ? `${second.sheet},${second.top},${second.left},${second.rows},${second.cols}` : '';
  const entry = context.cached<CacheEntry<T>>(first, `${key} ${rangeKey}`, () => ({
    uses: 0,
    token: null,
    thing: null,
  }));
  entry.uses += 1;
  if (entry.uses === 1) return build();
  const token = (): object | null => (second ? context.cached(second, 'as it is', () => ({})) : null);
  if (entry.thing && entry.token === token()) return entry.thing;
  entry.thing = build();
  // Take the token after `build`, which may have recalculated cells of the second range.
  entry.token = token();
  return entry.thing;
}
