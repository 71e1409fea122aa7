/**
 * Compares values as Excel does: numbers before texts before FALSE before TRUE; texts ignoring case. A blank compares
 * as 0, '' or FALSE, depending on the other value. Source: Excel's behavior; ECMA-376 part 1, 18.17.2.
 */
import { CellError, type CellValue } from './cell-value.ts';

/**
 * Sorts and compares texts as Excel does: case is ignored; hyphens and apostrophes count only between otherwise equal
 * texts.
 */
const collator = new Intl.Collator('en', { sensitivity: 'accent', numeric: false, caseFirst: 'false' });

/** Sorts Chinese characters by pronunciation in every region, as Excel does where Chinese is written. */
const pinyin = new Intl.Collator('zh-Hans-CN', { sensitivity: 'accent', numeric: false });
const FIRST_HAN = 0x3400;
const LAST_HAN = 0x9fff;

/** Returns the position of the first difference if both texts have a Chinese character there; -1 otherwise. */
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

/** Returns true if `compareTexts` finds no difference. Much faster than comparing. */
export function areEqualTexts(left: string, right: string): boolean {
  if (left === right) return true;
  const { length } = left;
  // Only the capital dotted I changes its length in lower case.
  if (length !== right.length) return (left + right).includes('\u0130') && left.toLowerCase() === right.toLowerCase();
  const last = left.charCodeAt(length - 1);
  const other = right.charCodeAt(length - 1);
  // Fast path: most different texts differ in their last letter. The bit 32 separates upper and lower case.
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

/**
 * Returns a negative number, 0 or a positive number if `left` sorts before, equal to or after `right`. Callers must
 * handle errors before.
 */
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
