/** Complex numbers as texts: '3+4i'. Source: Microsoft, 'COMPLEX function'. */
import type { CellError, CellValue } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR, numberToEnglishText, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { currentRegion } from '#server/calculation/values/region/region.ts';

export type Suffix = 'i' | 'j';

export interface Complex {
  re: number;
  im: number;
  /** The letter of the imaginary unit as written; '' if there is no imaginary part. */
  suffix: Suffix | '';
}

const NUMBER = String.raw`(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
const REAL = new RegExp(`^[+-]?${NUMBER}$`);
const IMAGINARY = new RegExp(`^([+-]?)(${NUMBER})?([ij])$`);
const BOTH = new RegExp(`^([+-]?${NUMBER})([+-])(${NUMBER})?([ij])$`);

/**
 * Parses a complex number. Numbers are real; a blank is 0. Texts that are not complex numbers are #NUM!; Booleans are
 * #VALUE!.
 */
export function parseComplex(arg: FormulaValue): Complex | CellError {
  if (typeof arg === 'number') return { re: arg, im: 0, suffix: '' };
  if (typeof arg === 'boolean') return VALUE_ERROR;
  if (arg === undefined || arg === null) return { re: 0, im: 0, suffix: '' };
  const typed = toText(arg as CellValue);
  if (typeof typed !== 'string') return typed;
  const text = exchanged(typed, currentRegion().decimal, '.');
  if (REAL.test(text)) return { re: Number(text), im: 0, suffix: '' };
  const imaginary = IMAGINARY.exec(text);
  if (imaginary) {
    const [, sign, size, suffix] = imaginary;
    return { re: 0, im: Number(`${sign}${size ?? '1'}`), suffix: suffix as Suffix };
  }
  const both = BOTH.exec(text);
  if (!both) return NUM_ERROR;
  const [, real, sign, size, suffix] = both;
  return { re: Number(real), im: Number(`${sign}${size ?? '1'}`), suffix: suffix as Suffix };
}

/** Replaces one decimal separator by another; the other one becomes invalid in the text. */
const exchanged = (text: string, from: string, to: string): string =>
  from === to ? text : text.replaceAll(to, '\u0000').replaceAll(from, to);

const MOST_LETTERS = 21;

/**
 * Formats like '&', except small numbers: those with few digits are written in full (0.0000000000000001), those with
 * many digits in scientific notation.
 */
function partText(value: number): string {
  const text = numberToEnglishText(value);
  if (/^-?0\.000/.test(text) && text.length > MOST_LETTERS) return inPowersOfTen(value);
  const match = /^(-?\d)(?:\.(\d+))?E-(\d+)$/.exec(text);
  if (!match) return text;
  const decimals = Number(match[3]) + (match[2]?.length ?? 0);
  return decimals + 2 <= MOST_LETTERS ? Number(text).toFixed(decimals) : text;
}

/** For example '1.28233995888454E-06'. */
function inPowersOfTen(value: number): string {
  const [digits, power] = value.toExponential(14).split('e-') as [string, string];
  return `${digits.replace(/\.?0+$/, '')}E-${power.padStart(2, '0')}`;
}

/** Formats a complex number. Parts that are 0 are omitted, and so is a 1 before the letter. */
export function formatComplex(re: number, im: number, suffix: Suffix | ''): string | CellError {
  if (!Number.isFinite(re) || !Number.isFinite(im)) return NUM_ERROR;
  return exchanged(englishText(re, im, suffix), '.', currentRegion().decimal);
}

function englishText(re: number, im: number, suffix: Suffix | ''): string {
  if (im === 0) return partText(re);
  const size = Math.abs(im) === 1 ? '' : partText(Math.abs(im));
  const sign = im < 0 ? '-' : re === 0 ? '' : '+';
  return `${re === 0 ? '' : partText(re)}${sign}${size}${suffix === '' ? 'i' : suffix}`;
}
