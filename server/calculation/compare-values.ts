/** When two results of a formula count as the same. */
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

const RELATIVE = 1e-9;
/** Excel makes a sum that almost cancels out exactly 0; another order of summing leaves a remainder. */
const NEAR_ZERO = 1e-9;
/** Below this, results are what rounding has left of 0: SIN(PI()) is 1.2e-16 in two spellings. */
const NOISE = 1e-15;

/**
 * Numbers within 1e-9 of each other, texts and booleans exactly, errors by code; blank equals the empty text. `booleansAreNumbers`:
 * the program that saved the value knows truth values as the numbers 1 and 0 only, and saves them so.
 */
export function sameValue(saved: CellValue, got: CellValue, booleansAreNumbers = false): boolean {
  const a = saved ?? '';
  const b = booleansAreNumbers && typeof saved === 'number' && typeof got === 'boolean' ? Number(got) : (got ?? '');
  if (typeof a === 'number' && typeof b === 'number') return sameNumber(a, b);
  if (a instanceof CellError && b instanceof CellError) return a.code === b.code;
  // writers other than Excel save errors as texts
  if (typeof a === 'string' && b instanceof CellError) return a === b.code;
  if (typeof a === 'string' && typeof b === 'string' && a.includes('\r')) return inLines(a) === inLines(b);
  return a === b;
}

/** With line feeds alone: a carriage return that a file holds as it is reads as a line feed (XML 1.0, 2.11), though Excel for Mac had both. */
const inLines = (text: string): string => text.replace(/\r\n?/g, '\n');

function sameNumber(a: number, b: number): boolean {
  const distance = Math.abs(a - b);
  if (a === 0 || b === 0) return distance <= NEAR_ZERO;
  return distance <= Math.max(NOISE, RELATIVE * Math.max(Math.abs(a), Math.abs(b)));
}
