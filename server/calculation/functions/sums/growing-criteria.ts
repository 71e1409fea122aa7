/** Finds the cells that meet criteria for one value, in columns whose ranges grow, shrink or move. */
import { GrowingInts, type Growth } from '#server/calculation/kernels/column-indexes.ts';
import { criterionKey } from '#server/calculation/values/criteria.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { eachValue, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { boundsOf, isNumberComparison, keepWithin } from './bounds.ts';
import { keysOfValue } from './criteria-index.ts';
import type { Condition, Matches } from './matches.ts';
import { numberColumn } from './number-column.ts';
import type { Extent } from './criteria-index.ts';

interface GrowingIndex {
  /** The code of the value in each row; 0 is blank. */
  codes: GrowingInts;
  /** The rows of each code. */
  rows: GrowingInts[];
  byValue: Map<string | number | null, number>;
  byKey: Map<string | number, number[]>;
}

function codeOf(index: GrowingIndex, value: CellValue): number {
  if (value === null) return 0;
  const key = criterionKey(value);
  const known = index.byValue.get(key);
  if (known !== undefined) return known;
  const code = index.rows.push(new GrowingInts()) - 1;
  index.byValue.set(key, code);
  for (const found of keysOfValue(value)) {
    const codes = index.byKey.get(found);
    if (codes) codes.push(code);
    else index.byKey.set(found, [code]);
  }
  return code;
}

const GROWTH: Growth<GrowingIndex> = {
  key: 'growing criteria',
  create: () => ({ codes: new GrowingInts(), rows: [new GrowingInts()], byValue: new Map(), byKey: new Map() }),
  extend(index, added) {
    const from = index.codes.length;
    const add = (value: CellValue): void => {
      const code = codeOf(index, value);
      index.rows[code]!.push(index.codes.length);
      index.codes.push(code);
    };
    eachValue(added, (value, row) => {
      // Blank cells are not visited.
      while (index.codes.length < from + row) add(null);
      add(value);
    });
    while (index.codes.length < from + added.rows) add(null);
  },
};

interface Found {
  codes: GrowingInts;
  code: number;
  /** The first row of the range in `codes`. */
  shift: number;
  positions: Int32Array;
}

/**
 * Returns null if a range does not grow, shrink or move, if several values match a criterion for one value, or if no
 * criterion is for one value.
 */
export function growingMatches(conditions: readonly Condition[], extent: Extent, context: CallContext): Matches | null {
  const wanted: Found[] = [];
  const tested: Condition[] = [];
  for (const condition of conditions) {
    const { range, criterion } = condition;
    if (criterion.key === null || criterion.matchesBlank) {
      tested.push(condition);
      continue;
    }
    const grown = context.columns.get(range, GROWTH);
    if (!grown) return null;
    const { thing, shift } = grown;
    const codes = thing.byKey.get(criterion.key) ?? [];
    if (codes.length > 1) return null;
    if (codes.length === 0) return { kind: 'none' };
    const code = codes[0]!;
    const positions = thing.rows[code]!.between(shift, shift + extent.rows);
    wanted.push({ codes: thing.codes, code, shift, positions });
  }
  if (wanted.length === 0) return null;
  wanted.sort((a, b) => a.positions.length - b.positions.length);
  const [first, ...others] = wanted;
  const { positions, shift } = first!;
  if (others.length + tested.length === 0) return { kind: 'positions', positions, shift, extent, beyond: 0 };
  context.spend(positions.length * (others.length + tested.length));
  let found = shift === 0 ? positions.slice() : positions.map((at) => at - shift);
  for (const other of others) found = found.filter(hasCode(other));
  for (const { range, criterion } of tested) {
    if (isNumberComparison(criterion)) {
      const count = keepWithin(found, found.length, numberColumn(range, context), boundsOf(criterion));
      found = found.subarray(0, count);
    } else found = found.filter((row) => criterion.test(range.at(row, 0)));
  }
  return { kind: 'positions', positions: found, shift: 0, extent, beyond: 0 };
}

const hasCode =
  ({ codes, code, shift }: Found) =>
  (row: number): boolean =>
    row + shift < codes.length && codes.at(row + shift) === code;

/**
 * Returns the rows (from 0) with the value of a key; a null key stands for blank cells. Returns null if the range does
 * not grow, shrink or move, or if several values have the key.
 */
export function growingRows(range: Range, key: string | number | null, context: CallContext): Int32Array | null {
  const grown = context.columns.get(range, GROWTH);
  if (!grown) return null;
  const { thing, shift } = grown;
  const codes = key === null ? [0] : (thing.byKey.get(key) ?? []);
  if (codes.length > 1) return null;
  if (codes.length === 0) return new Int32Array(0);
  const rows = thing.rows[codes[0]!]!.between(shift, shift + range.rows);
  return shift === 0 ? rows : rows.map((row) => row - shift);
}
