/**
 * Caches recent results of sparse arrays: formulas that were filled down calculate the same results again and again.
 */
import type { ArrayMatrix, FormulaValue } from '../values/matrix.ts';
import { Range } from '../values/matrix.ts';
import type { Evaluation } from './code.ts';

/** Results of smaller arrays are calculated just as fast. */
export const MANY_POSITIONS = 16;
/** Maximum number of results per array. */
const MAX_RESULTS = 3;

interface Result {
  by: unknown;
  first: unknown;
  second: unknown;
  array: ArrayMatrix | null;
}

const results = new WeakMap<ArrayMatrix, Result[]>();

/**
 * Returns an identity for comparing values: for a range, it is a different object after one of its cells has changed.
 */
function identityOf(value: FormulaValue, c: Evaluation): unknown {
  if (!(value instanceof Range)) return value;
  return value.rows * value.cols < MANY_POSITIONS ? {} : c.cached(value, 'as it is', () => ({}));
}

/**
 * Returns the result of `make` for a sparse array, an operation and its other operands, from the cache if possible.
 * `make` must not depend on anything else.
 */
export function cachedSparseResult(
  own: ArrayMatrix,
  by: unknown,
  beside: readonly [FormulaValue, FormulaValue?],
  c: Evaluation,
  make: () => ArrayMatrix | null,
): ArrayMatrix | null {
  if (own.sparse!.positions.length < MANY_POSITIONS) return make();
  const [first, second] = [identityOf(beside[0], c), identityOf(beside[1], c)];
  let known = results.get(own);
  if (!known) results.set(own, (known = []));
  const found = known.find(
    (result) => result.by === by && Object.is(result.first, first) && Object.is(result.second, second),
  );
  if (found) return found.array;
  const array = make();
  known.unshift({ by, first, second, array });
  if (known.length > MAX_RESULTS) known.pop();
  return array;
}
