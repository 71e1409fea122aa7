/** The sort order of SORT and the equality of UNIQUE. */
import { CellError, ERROR_CODES, type CellValue } from '#server/calculation/values/cell-value.ts';
import { compareTexts } from '#server/calculation/values/compare.ts';

function rank(value: CellValue): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
}

const errorOrder = ({ code }: CellError): number => ERROR_CODES.indexOf(code);

/**
 * Orders numbers, texts, FALSE, TRUE, then errors by their number. `direction` -1 reverses this; blanks are last in
 * both directions.
 */
export function sortOrder(left: CellValue, right: CellValue, direction: number): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const kinds = rank(left) - rank(right);
  if (kinds !== 0) return kinds * direction;
  if (typeof left === 'number') return (left - (right as number)) * direction;
  if (typeof left === 'string') return compareTexts(left, right as string) * direction;
  if (left instanceof CellError) return (errorOrder(left) - errorOrder(right as CellError)) * direction;
  return (Number(left) - Number(right)) * direction;
}

/** Returns a key that is the same for values that UNIQUE considers equal: texts ignoring case. */
export function sameKey(value: CellValue): string {
  if (typeof value === 'number') return `n${value}`;
  if (typeof value === 'string') return `t${value.toLowerCase()}`;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  return value === null ? '' : `e${value.code}`;
}

/** Returns one key for several values. It contains their lengths, which distinguishes ('ab','c') from ('a','bc'). */
export function sameKeyOf(values: readonly CellValue[]): string {
  return values.length === 1
    ? sameKey(values[0]!)
    : values
        .map((value) => {
          const key = sameKey(value);
          return `${key.length}:${key}`;
        })
        .join('');
}
