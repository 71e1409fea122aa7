/** The order of SORT and the sameness of UNIQUE. */
import { CellError, ERROR_CODES, type CellValue } from '#server/calculation/values/cell-value.ts';
import { compareTexts } from '#server/calculation/values/compare.ts';

function rank(value: CellValue): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
}

const errorOrder = ({ code }: CellError): number => ERROR_CODES.indexOf(code);

/** Numbers, texts, FALSE, TRUE, errors by their number; `direction` -1 turns that round, and blanks stand last in either. */
export function sortOrder(left: CellValue, right: CellValue, direction: number): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const kinds = rank(left) - rank(right);
  if (kinds !== 0) return kinds * direction;
  if (typeof left === 'number') return (left - (right as number)) * direction;
  if (typeof left === 'string') return compareTexts(left, right as string) * direction;
  if (left instanceof CellError) return (errorOrder(left) - errorOrder(right as CellError)) * direction;
  return (Number(left) - Number(right)) * direction;
}

/** The same for values that UNIQUE takes for one: texts whatever their case. */
export function sameKey(value: CellValue): string {
  if (typeof value === 'number') return `n${value}`;
  if (typeof value === 'string') return `t${value.toLowerCase()}`;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  return value === null ? '' : `e${value.code}`;
}

/** One key for several values: their lengths keep ('ab','c') and ('a','bc') apart. */
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
