/**
 * How Excel orders values: numbers before texts before FALSE before TRUE; texts without regard to case. A blank compares as
 * the zero, '' or FALSE of the other side. Source: Excel's behaviour; ECMA-376 part 1, 18.17.2.
 */
import { CellError, type CellValue } from './cell-value.ts';

/** Texts as Excel sorts and compares them: not by case, and hyphens and apostrophes count only between texts otherwise alike. */
const collator = new Intl.Collator('en', { sensitivity: 'accent', numeric: false, caseFirst: 'false' });

/** Chinese characters by their sounds, as Excel orders them where Chinese is written. */
const pinyin = new Intl.Collator('zh-Hans-CN', { sensitivity: 'accent', numeric: false });
const FIRST_HAN = 0x3400;
const LAST_HAN = 0x9fff;

/** Where two texts first differ, if both have a Chinese character there; -1 otherwise. */
function differentHan(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === length) return -1;
  const first = left.charCodeAt(at);
  const second = right.charCodeAt(at);
  return first >= FIRST_HAN && first <= LAST_HAN && second >= FIRST_HAN && second <= LAST_HAN ? at : -1;
}

export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const lowerLeft = left.toLowerCase();
  const lowerRight = right.toLowerCase();
  if (lowerLeft === lowerRight) return 0;
  const plainLeft = lowerLeft.replace(/['-]/g, '');
  const plainRight = lowerRight.replace(/['-]/g, '');
  const han = differentHan(plainLeft, plainRight);
  const order =
    han < 0 ? collator.compare(plainLeft, plainRight) : pinyin.compare(plainLeft.slice(han), plainRight.slice(han));
  if (order !== 0) return order;
  return lowerLeft < lowerRight ? -1 : 1;
}

/** Whether `compareTexts` finds no difference, which takes much less time to tell. */
export function areEqualTexts(left: string, right: string): boolean {
  if (left === right) return true;
  const { length } = left;
  // only the capital I with a dot takes more places in lower case
  if (length !== right.length) return (left + right).includes('\u0130') && left.toLowerCase() === right.toLowerCase();
  const last = left.charCodeAt(length - 1);
  const other = right.charCodeAt(length - 1);
  // in most texts that differ the last letters do, whose cases are a bit apart
  if ((last | 32) !== (other | 32) && last < 128 && other < 128) return false;
  return left.toLowerCase() === right.toLowerCase();
}

/** Numbers that agree in 15 significant digits are equal, as in Excel: =0.1+0.2=0.3 is TRUE. */
export function compareNumbers(left: number, right: number): number {
  if (left === right) return 0;
  const difference = left - right;
  const scale = Math.max(Math.abs(left), Math.abs(right));
  if (Math.abs(difference) < scale * 1e-14 && left.toPrecision(15) === right.toPrecision(15)) return 0;
  return difference < 0 ? -1 : 1;
}

const rank = (value: CellValue): number => (typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2);

/** Negative, 0 or positive as `left` stands before, beside or behind `right`. Errors are not values to compare: the caller keeps them out. */
export function compareValues(left: CellValue, right: CellValue): number {
  if (typeof left === 'number' && typeof right === 'number') return compareNumbers(left, right);
  const a = left === null ? blankLike(right) : left;
  const b = right === null ? blankLike(left) : right;
  if (a instanceof CellError || b instanceof CellError) return 0;
  const difference = rank(a) - rank(b);
  if (difference !== 0) return difference;
  if (typeof a === 'number') return compareNumbers(a, b as number);
  if (typeof a === 'string') return compareTexts(a, b as string);
  return Number(a) - Number(b);
}

function blankLike(other: CellValue): CellValue {
  if (typeof other === 'string') return '';
  return typeof other === 'boolean' ? false : 0;
}
