/** Decides whether two results of a formula count as equal. */
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

const RELATIVE = 1e-9;
/** Excel rounds a sum that almost cancels out to exactly 0; another order of addition leaves a remainder. */
const NEAR_ZERO = 1e-9;
/** Smaller results are rounding errors of 0: SIN(PI()) is 1.2e-16 in two spellings. */
const NOISE = 1e-15;

/**
 * Compares numbers within 1e-9, texts and Booleans exactly, and errors by code; a blank equals an empty text.
 * `booleansAreNumbers` is true if the program that saved the value has no Booleans and saves 1 and 0 instead.
 */
export function sameValue(saved: CellValue, got: CellValue, booleansAreNumbers = false): boolean {
  const a = saved ?? '';
  const b = booleansAreNumbers && typeof saved === 'number' && typeof got === 'boolean' ? Number(got) : (got ?? '');
  if (typeof a === 'number' && typeof b === 'number') return sameNumber(a, b);
  if (a instanceof CellError && b instanceof CellError) return a.code === b.code;
  // Programs other than Excel save errors as texts.
  if (typeof a === 'string' && b instanceof CellError) return a === b.code;
  if (typeof a === 'string' && typeof b === 'string' && a.includes('\r')) return inLines(a) === inLines(b);
  return a === b;
}

/**
 * Converts all line breaks to line feeds. A literal carriage return in a file is read as a line feed (XML 1.0, 2.11),
 * although Excel for Mac had both.
 */
const inLines = (text: string): string => text.replace(/\r\n?/g, '\n');

function sameNumber(a: number, b: number): boolean {
  const distance = Math.abs(a - b);
  if (a === 0 || b === 0) return distance <= NEAR_ZERO;
  return distance <= Math.max(NOISE, RELATIVE * Math.max(Math.abs(a), Math.abs(b)));
}
