/**
 * Finds the position of a value in a row or column: the searches of MATCH, VLOOKUP and LOOKUP, and of XMATCH and
 * XLOOKUP.
 */
import {
  findFirst,
  findInColumn,
  findLast,
  findSorted,
  findSortedDescending,
  lookupVector,
} from '#server/calculation/kernels/lookup-index.ts';
import { findInSparse, findSortedInSparse } from '#server/calculation/kernels/sparse-lookup.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { areEqualTexts } from '#server/calculation/values/compare.ts';
import { Range, type ArrayMatrix } from '#server/calculation/values/matrix.ts';
import { compileRegex, RegexLimitError } from '#server/calculation/values/regex/regex.ts';
import { hasWildcards, unescapeWildcards, wildcardTest } from '#server/calculation/values/wildcard.ts';
import type { CallContext } from '../function.ts';
import { findNearest, findSortedBoth } from './nearest.ts';

export type Vector = ArrayMatrix | Range;

/** Longest text that Excel looks up, in characters. */
const MAX_TEXT_LENGTH = 255;

/** Search types of MATCH: exact (with wildcards), in ascending or in descending values. */
export type MatchType = 'exact' | 'ascending' | 'descending';

/** Returns the position from 0, or the error of the lookup. A blank is looked up as 0. */
export function match(wanted: CellValue, vector: Vector, type: MatchType, context: CallContext): number | CellError {
  if (wanted instanceof CellError) return wanted;
  if (typeof wanted === 'string' && wanted.length > MAX_TEXT_LENGTH) return VALUE_ERROR;
  const sought = wanted ?? 0;
  let at: number;
  if (type === 'exact') at = findWithWildcards(sought, vector, false, context);
  else if (type === 'ascending') at = findAscending(sought, vector, context);
  else at = findSortedDescending(lookupVector(vector, context), sought);
  return at < 0 ? NA_ERROR : at;
}

function findAscending(sought: CellValue, vector: Vector, context: CallContext): number {
  const size = vector.rows * vector.cols;
  const sparse = vector instanceof Range ? null : vector.sparse;
  const at = sparse && findSortedInSparse(sparse, sought, size);
  return at ?? findSorted(lookupVector(vector, context), sought, size);
}

/**
 * Finds the first or last value that equals `sought` or, if it is a text with wildcards, matches it; -1 if there is
 * none.
 */
function findWithWildcards(sought: CellValue, vector: Vector, fromEnd: boolean, context: CallContext): number {
  if (typeof sought !== 'string') return findEqual(sought, vector, fromEnd, context);
  if (!hasWildcards(sought)) return findSameText(sought, vector, fromEnd, context);
  if (!/[*?]/.test(sought.replace(/~./gs, ''))) {
    return findSameText(unescapeWildcards(sought), vector, fromEnd, context);
  }
  const fits = wildcardTest(sought);
  return findText(lookupVector(vector, context).values, fits, fromEnd, context);
}

function findEqual(sought: CellValue, vector: Vector, fromEnd: boolean, context: CallContext): number {
  const at =
    vector instanceof Range
      ? findInColumn(vector, sought, fromEnd, context)
      : vector.sparse && findInSparse(vector.sparse, sought, fromEnd);
  if (at !== null) return at;
  return (fromEnd ? findLast : findFirst)(lookupVector(vector, context), sought);
}

/** Finds a text as MATCH and VLOOKUP do. Unlike XMATCH, they distinguish 'ß' from 'ss'. */
function findSameText(sought: string, vector: Vector, fromEnd: boolean, context: CallContext): number {
  const at = findEqual(sought, vector, fromEnd, context);
  if (at < 0) return at;
  const found = vector.cols === 1 ? vector.at(at, 0) : vector.at(0, at);
  if (areEqualTexts(found as string, sought)) return at;
  return findText(lookupVector(vector, context).values, (text) => areEqualTexts(text, sought), fromEnd, context);
}

function findText(
  values: readonly CellValue[],
  fits: (text: string) => boolean,
  fromEnd: boolean,
  context: CallContext,
): number {
  context.spend(values.length);
  const test = (value: CellValue): boolean => typeof value === 'string' && fits(value);
  return fromEnd ? values.findLastIndex(test) : values.findIndex(test);
}

/** The match and search modes of XMATCH and XLOOKUP. */
export interface SearchModes {
  match: -1 | 0 | 1 | 2 | 3;
  search: 1 | -1 | 2 | -2;
}

/** Reads the modes from arguments. Modes unknown to Excel are #VALUE!. */
export function modesOf(match: number | CellError, search: number | CellError): SearchModes | CellError {
  if (match instanceof CellError) return match;
  if (search instanceof CellError) return search;
  if (![-1, 0, 1, 2, 3].includes(match) || ![1, -1, 2, -2].includes(search)) return VALUE_ERROR;
  const modes = { match, search } as SearchModes;
  // Bisection cannot find patterns.
  return modes.match >= 2 && Math.abs(modes.search) === 2 ? VALUE_ERROR : modes;
}

/** Returns the position from 0, or the error of the lookup. Unlike in MATCH, a blank finds blank cells. */
export function crossMatch(
  wanted: CellValue,
  vector: Vector,
  { match: matchMode, search }: SearchModes,
  context: CallContext,
): number | CellError {
  if (wanted instanceof CellError) return wanted;
  const fromEnd = search === -1;
  if (wanted !== null && matchMode === 0 && Math.abs(search) === 1) {
    const found = findEqual(wanted, vector, fromEnd, context);
    return found < 0 ? NA_ERROR : found;
  }
  const index = lookupVector(vector, context);
  if (wanted === null) {
    const blank = blankIndex(index.values, vector, fromEnd);
    if (typeof blank === 'number' || matchMode >= 0) return blank;
  }
  let at: number;
  if (matchMode === 2) at = findWithWildcards(wanted, vector, fromEnd, context);
  else if (matchMode === 3) {
    const found = findRegex(index.values, wanted, fromEnd, context);
    if (found instanceof CellError) return found;
    at = found;
  } else if (Math.abs(search) === 2) at = findSortedBoth(index.values, wanted, matchMode, search === -2);
  else {
    at = fromEnd ? findLast(index, wanted) : findFirst(index, wanted);
    if (at < 0 && matchMode !== 0) at = findNearest(index, wanted, matchMode, fromEnd, context);
  }
  return at < 0 ? NA_ERROR : at;
}

/** The values of the index do not include blanks after the last value. */
function blankIndex(values: readonly CellValue[], vector: Vector, fromEnd: boolean): number | CellError {
  const size = vector.rows * vector.cols;
  if (fromEnd && values.length < size) return size - 1;
  const at = fromEnd ? values.lastIndexOf(null) : values.indexOf(null);
  if (at >= 0) return at;
  return values.length < size ? values.length : NA_ERROR;
}

/**
 * Returns the position of a text that contains a match of the pattern; -1 if there is none. #VALUE! for an invalid
 * pattern or one that needs too many steps.
 */
function findRegex(
  values: readonly CellValue[],
  pattern: CellValue,
  fromEnd: boolean,
  context: CallContext,
): number | CellError {
  const regex = compileRegex(String(pattern), false);
  if (!regex) return VALUE_ERROR;
  const fits = (text: string): boolean => {
    const found = regex.first(text) !== null;
    context.spend(regex.spent);
    return found;
  };
  try {
    return findText(values, fits, fromEnd, context);
  } catch (error) {
    if (error instanceof RegexLimitError) return VALUE_ERROR;
    throw error;
  }
}
