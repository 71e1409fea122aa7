/** What is made of two ranges and asked for by many formulas: kept from the second time on, as long as no cell of either changes. */
import { Range, type FormulaValue } from '../values/matrix.ts';
import type { CallContext } from './function.ts';

/** Smaller ranges take no time. */
const FEW_CELLS = 48;

interface CacheEntry<T> {
  uses: number;
  /** Stands for the second range as it was. */
  token: object | null;
  thing: T | null;
}

/** `build` must depend on nothing but the cells of both; `key` tells different things apart. */
export function cachedForTwoRanges<T extends object>(
  first: FormulaValue,
  second: FormulaValue,
  key: string,
  context: CallContext,
  build: () => T,
): T {
  if (!(first instanceof Range) || first.rows * first.cols < FEW_CELLS) return build();
  if (!(second instanceof Range) && second !== undefined) return build();
  const place = second ? `${second.sheet},${second.top},${second.left},${second.rows},${second.cols}` : '';
  const entry = context.cached<CacheEntry<T>>(first, `${key} ${place}`, () => ({ uses: 0, token: null, thing: null }));
  entry.uses += 1;
  if (entry.uses === 1) return build();
  const token = (): object | null => (second ? context.cached(second, 'as it is', () => ({})) : null);
  if (entry.thing && entry.token === token()) return entry.thing;
  entry.thing = build();
  // building it may have brought its cells up to date
  entry.token = token();
  return entry.thing;
}
