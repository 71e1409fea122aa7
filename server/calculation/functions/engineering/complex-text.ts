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

/** Maximum length of a part without an exponent: one more than with '&'. Observed in texts saved by Excel. */
const MAX_PART_LENGTH = 21;

const partText = (value: number): string => numberToEnglishText(value, MAX_PART_LENGTH);

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
