/**
 * Finds the cells that meet one criterion of any kind ('<>x', 'a*') by a single pass over a range, and caches them as a
 * group.
 */
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { CallContext } from '../function.ts';
import { maskOf, type CriteriaIndex, type Groups } from './criteria-index.ts';

/** Number of cached cells above which the cache is cleared. */
const MAX_CACHED_CELLS = 4_000_000;
const NO_CODES = new Int32Array(0);

/**
 * Returns the first `count` cells of the index that meet the criterion; null if the criterion cannot be used as a cache
 * key.
 */
export function selectedCells(
  index: CriteriaIndex,
  { operator, operand, test, ...rest }: Criterion,
  count: number,
  context: CallContext,
): Groups | null {
  if (operand === null || typeof operand === 'object' || count !== index.codes.length) return null;
  const key = `${operator}${typeof operand}${operand}`;
  const known = index.selected.get(key);
  if (known) return known;
  const mask = maskOf(index, { operator, operand, test, ...rest }, context);
  context.spend(count);
  const { codes } = index;
  const found = new Int32Array(count + 1);
  let size = 0;
  for (let at = 0; at < count; at += 1) {
    // The cell is always written but counted only if it matches, which avoids a branch.
    found[size] = at;
    size += mask[codes[at]!]!;
  }
  const groups = { codes: NO_CODES, starts: Int32Array.of(0, size), positions: found.slice(0, size) };
  if (index.selectedCells > MAX_CACHED_CELLS) {
    index.selected.clear();
    index.selectedCells = 0;
  }
  index.selected.set(key, groups);
  index.selectedCells += size + 16;
  return groups;
}
