/**
 * Indexes the values of a range as criteria distinguish them: thousands of SUMIFS over the same columns then read them
 * once. Each cell has the number ('code') of its value, and each value has the list of its cells.
 */
import { criterionKey, type Criterion } from '#server/calculation/values/criteria.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { compareTexts } from '#server/calculation/values/compare.ts';
import { eachValue, type Range } from '#server/calculation/values/matrix.ts';
import { parseValueText } from '#server/calculation/values/parse-value.ts';
import type { CallContext } from '../function.ts';

/** Cells are numbered row by row over `rows` rows of `cols` cells; all cells after them are blank. */
export interface Extent {
  rows: number;
  cols: number;
}

/**
 * The cells of a range sorted into groups. Group g consists of positions[starts[g]] up to, but excluding,
 * positions[starts[g + 1]].
 */
export interface Groups {
  codes: Int32Array;
  starts: Int32Array;
  positions: Int32Array;
}

export interface CriteriaIndex extends Groups {
  /** Values by code; code 0 is blank. */
  distinct: CellValue[];
  byKey: Map<string | number, number[]>;
  /** The numbers among the values by code, NaN for all others; built on first use. */
  numbers: Float64Array | null;
  texts: OrderedTexts | null;
  /** Cells that meet criteria used earlier ('<>x', 'a*'), each as a separate group. */
  selected: Map<string, Groups>;
  selectedCells: number;
}

/**
 * The texts among the values in ascending order, and the number of cells with a text before each (the last entry is the
 * total).
 */
interface OrderedTexts {
  texts: string[];
  before: Int32Array;
}

/** Cells are numbered across the full width of the range; ranges of the same shape therefore have the same numbers. */
export function usedExtent(ranges: readonly Range[]): Extent {
  let rows = 1;
  for (const range of ranges) rows = Math.max(rows, range.used().rows);
  return { rows, cols: ranges[0]!.cols };
}

export function criteriaIndex(range: Range, context: CallContext): CriteriaIndex {
  return context.cached(range, 'criteria', () => buildIndex(range, context));
}

/** Returns true from the second use of an unchanged range on. For the first use, a scan is cheaper than an index. */
export function isAskedAgain(range: Range, context: CallContext): boolean {
  const uses = context.cached(range, 'criteria-uses', () => ({ count: 0 }));
  uses.count += 1;
  return uses.count > 1;
}

function buildIndex(range: Range, context: CallContext): CriteriaIndex {
  const { rows, cols } = usedExtent([range]);
  context.spend(rows * cols);
  const codes = new Int32Array(rows * cols);
  const distinct: CellValue[] = [null];
  const numbers = new Map<number, number>();
  const others = new Map<string | number | null, number>();
  eachValue(range, (value, row, col) => {
    if (value === null) return;
    // Bitwise equal numbers need no key.
    let code = typeof value === 'number' ? numbers.get(value) : undefined;
    if (code === undefined) {
      const key = criterionKey(value);
      code = others.get(key);
      if (code === undefined) {
        code = distinct.push(value) - 1;
        others.set(key, code);
      }
      if (typeof value === 'number') numbers.set(value, code);
    }
    codes[row * cols + col] = code;
  });
  return {
    ...grouped(codes, distinct.length),
    distinct,
    byKey: keysOf(distinct),
    numbers: null,
    texts: null,
    selected: new Map(),
    selectedCells: 0,
  };
}

/** Returns the keys of a value; texts that read as numbers also have the key of the number. */
export function keysOfValue(value: CellValue): (string | number)[] {
  const number = typeof value === 'string' && /\d/.test(value) ? parseValueText(value) : null;
  const keys = [criterionKey(value), number === null ? null : criterionKey(number)];
  return keys.filter((key) => key !== null);
}

function keysOf(distinct: readonly CellValue[]): Map<string | number, number[]> {
  const byKey = new Map<string | number, number[]>();
  distinct.forEach((value, code) => {
    for (const key of keysOfValue(value)) {
      const codes = byKey.get(key);
      if (codes) codes.push(code);
      else byKey.set(key, [code]);
    }
  });
  return byKey;
}

function grouped(codes: Int32Array, count: number): Groups {
  const starts = new Int32Array(count + 1);
  for (let at = 0; at < codes.length; at += 1) starts[codes[at]! + 1]! += 1;
  for (let code = 0; code < count; code += 1) starts[code + 1]! += starts[code]!;
  const next = starts.slice(0, count);
  const positions = new Int32Array(codes.length);
  for (let at = 0; at < codes.length; at += 1) positions[next[codes[at]!]!++] = at;
  return { codes, starts, positions };
}

/** Returns the codes of the values that meet a criterion for one value; null for other criteria. */
export function codesOf(index: CriteriaIndex, { key }: Criterion): readonly number[] | null {
  return key === null ? null : (index.byKey.get(key) ?? []);
}

/** Returns 1 for each code whose value meets the criterion. */
export function maskOf(index: CriteriaIndex, criterion: Criterion, context: CallContext): Uint8Array {
  const { distinct } = index;
  context.spend(distinct.length);
  const { operator, operand } = criterion;
  if (typeof operand === 'number' && operator !== '=' && operator !== '<>') {
    return orderMask(index, criterion, operand);
  }
  const mask = new Uint8Array(distinct.length);
  for (let code = 0; code < distinct.length; code += 1) if (criterion.test(distinct[code]!)) mask[code] = 1;
  return mask;
}

/** For '>5' and similar: only numbers close to the operand need an exact comparison. */
function orderMask(index: CriteriaIndex, { operator, test }: Criterion, operand: number): Uint8Array {
  const { distinct } = index;
  index.numbers ??= Float64Array.from(distinct, (value) => (typeof value === 'number' ? value : NaN));
  const { numbers } = index;
  const above = operator.startsWith('>') ? 1 : 0;
  const closeness = Math.abs(operand) * 1e-13;
  const mask = new Uint8Array(numbers.length);
  for (let code = 0; code < numbers.length; code += 1) {
    const distance = numbers[code]! - operand;
    if (distance > closeness) mask[code] = above;
    else if (distance < -closeness) mask[code] = 1 - above;
    else if (distance === distance && test(numbers[code]!)) mask[code] = 1;
  }
  return mask;
}

/** Counts the cells that meet '<M' and similar comparisons with a text. */
export function countOfTexts(index: CriteriaIndex, { operator, test }: Criterion): number {
  index.texts ??= orderedTexts(index);
  const { texts, before } = index.texts;
  const isAbove = operator.startsWith('>');
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(texts[middle]!) === isAbove) high = middle;
    else low = middle + 1;
  }
  return isAbove ? before[texts.length]! - before[low]! : before[low]!;
}

function orderedTexts({ distinct, starts }: CriteriaIndex): OrderedTexts {
  const found: { text: string; count: number }[] = [];
  distinct.forEach((text, code) => {
    if (typeof text === 'string') found.push({ text, count: starts[code + 1]! - starts[code]! });
  });
  found.sort((a, b) => compareTexts(a.text, b.text));
  const before = new Int32Array(found.length + 1);
  found.forEach(({ count }, at) => (before[at + 1] = before[at]! + count));
  return { texts: found.map(({ text }) => text), before };
}

/** Groups of cells that have the same values in several ranges of the same shape. */
export interface Combination extends Groups {
  /** Finds the group with one code per range; -1 if no cell has them all. */
  find(codes: readonly number[]): number;
}

interface CachedCombination {
  of: readonly CriteriaIndex[];
  combination: Combination;
}

const rangeKey = ({ sheet, top, left, rows, cols }: Range): string => `${sheet},${top},${left},${rows},${cols}`;

/** Returns the combination of ranges with the given indexes, cached until one of them changes. */
export function combinationOf(
  ranges: readonly Range[],
  indexes: readonly CriteriaIndex[],
  context: CallContext,
): Combination {
  const key = `criteria-of ${ranges.slice(1).map(rangeKey).join(' ')}`;
  const cached = context.cached<Partial<CachedCombination>>(ranges[0]!, key, () => ({}));
  // The cache belongs to the first range; changes of the others show in their indexes.
  if (!cached.combination || indexes.some((index, at) => index !== cached.of![at])) {
    cached.of = indexes;
    cached.combination = combine(indexes, context);
  }
  return cached.combination;
}

function combine(indexes: readonly CriteriaIndex[], context: CallContext): Combination {
  const length = Math.min(...indexes.map(({ codes }) => codes.length));
  context.spend(length * indexes.length);
  let codes = indexes[0]!.codes.subarray(0, length);
  let count = indexes[0]!.distinct.length;
  const steps: { width: number; numbers: Map<number, number> }[] = [];
  for (const index of indexes.slice(1)) {
    const width = index.distinct.length;
    const numbers = new Map<number, number>();
    const next = new Int32Array(length);
    for (let at = 0; at < length; at += 1) {
      const pair = codes[at]! * width + index.codes[at]!;
      let number = numbers.get(pair);
      if (number === undefined) numbers.set(pair, (number = numbers.size));
      next[at] = number;
    }
    steps.push({ width, numbers });
    codes = next;
    count = numbers.size;
  }
  const find = (of: readonly number[]): number => {
    let code = of[0]!;
    for (let at = 0; at < steps.length; at += 1) {
      const { width, numbers } = steps[at]!;
      const next = numbers.get(code * width + of[at + 1]!);
      if (next === undefined) return -1;
      code = next;
    }
    return code;
  };
  return { ...grouped(codes, count), find };
}
