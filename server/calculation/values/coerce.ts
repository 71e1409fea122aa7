/** Excel's coercions between numbers, texts and Booleans. Source: ECMA-376 part 1, 18.17.2.6, and Excel's behavior. */
import { CellError, cellError, type CellValue } from './cell-value.ts';
import { parseValueText } from './parse-value.ts';
import { currentRegion } from './region/region.ts';

export const VALUE_ERROR = cellError('#VALUE!')!;
export const NUM_ERROR = cellError('#NUM!')!;
export const NA_ERROR = cellError('#N/A')!;
export const REF_ERROR = cellError('#REF!')!;
export const DIV0_ERROR = cellError('#DIV/0!')!;
export const NAME_ERROR = cellError('#NAME?')!;
export const NULL_ERROR = cellError('#NULL!')!;
export const CALC_ERROR = cellError('#CALC!')!;
export const SPILL_ERROR = cellError('#SPILL!')!;

/**
 * Converts to a number for arithmetic: blanks are 0, Booleans are 1 and 0, and texts are converted if Excel reads them
 * as a number, date or time.
 */
export function toNumber(value: CellValue | undefined): number | CellError {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof CellError) return value;
  return parseValueText(value) ?? VALUE_ERROR;
}

/** Converts to text as '&' does: numbers in General format, TRUE and FALSE in the region's words, blanks as ''. */
export function toText(value: CellValue | undefined): string | CellError {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberToText(value);
  if (typeof value === 'boolean') return currentRegion().truth[value ? 0 : 1];
  return value;
}

/**
 * Converts to a Boolean: all numbers except 0 are true; 'TRUE' and 'FALSE' (or the region's words) are recognized in
 * any case; other texts are #VALUE!.
 */
export function toBoolean(value: CellValue | undefined): boolean | CellError {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (value === null || value === undefined) return false;
  if (value instanceof CellError) return value;
  return truthOf(value) ?? VALUE_ERROR;
}

/** Returns the Boolean for a word in English or the region's language; null for other words. */
export function truthOf(text: string): boolean | null {
  const upper = text.toUpperCase();
  if (upper === 'TRUE') return true;
  if (upper === 'FALSE') return false;
  const { truth } = currentRegion();
  return upper === truth[0] ? true : upper === truth[1] ? false : null;
}

/** Converts a result of arithmetic to what a cell can hold: infinities and NaN become #NUM!, -0 becomes 0. */
export function checkNumber(value: number): number | CellError {
  if (!Number.isFinite(value)) return NUM_ERROR;
  return value === 0 ? 0 : value;
}

/** Converts a number to text in General format, with the region's decimal separator. */
function numberToText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value === 0 ? 0 : value);
  const { decimal } = currentRegion();
  const text = numberToEnglishText(value);
  return decimal === '.' ? text : text.replace('.', decimal);
}

/**
 * Maximum length of a number without an exponent; the sign does not count. Observed in Excel: see the examples of Apache
 * POI's NumberToTextConverter.
 */
const MAX_PLAIN_LENGTH = 20;

/** 15 significant digits; with an exponent if the text is longer than `maxLength` without one. */
export function numberToEnglishText(value: number, maxLength = MAX_PLAIN_LENGTH): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value === 0 ? 0 : value);
  const rounded = Number(value.toPrecision(15));
  const text = plainText(rounded);
  const length = rounded < 0 ? text.length - 1 : text.length;
  return length <= maxLength && !text.includes('e') ? text : exponentText(rounded);
}

/** Converts as JavaScript does, but without an exponent below 1E-6. */
function plainText(value: number): string {
  const text = String(value);
  const [mantissa, power] = text.split('e-') as [string, string?];
  if (power === undefined) return text;
  const decimals = mantissa.replace(/^-?\d\.?/, '').length + Number(power);
  return value.toFixed(Math.min(decimals, 100));
}

function exponentText(value: number): string {
  const [mantissa, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  const digits = String(Math.abs(power)).padStart(2, '0');
  return `${mantissa}E${power < 0 ? '-' : '+'}${digits}`;
}
