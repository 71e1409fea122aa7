/**
 * Evaluates conditions on rows in memory, with the same meaning as in SQL (condition-sql.ts). Texts are compared
 * without regard to case and trailing spaces, and ordered by code points. A blank equals only a blank and is neither
 * less nor greater than anything. The logic is two-valued: NOT and <> match every row that the opposite does not match.
 */
import type { Comparison } from './condition.ts';
import type { ColumnKind, ConditionColumn, KindValue, TypedCondition } from './condition-columns.ts';
import { compareDecimals, exactCell } from './exact-number.ts';

/** Returns the value of a column in a row. Dates are serial days; '' and undefined count as blank. */
export type CellOf<Row> = (row: Row, column: ConditionColumn) => KindValue | undefined;

export function createFilter<Row>(condition: TypedCondition, cellOf: CellOf<Row>): (row: Row) => boolean {
  switch (condition.kind) {
    case 'and': {
      const parts = condition.of.map((part) => createFilter(part, cellOf));
      return (row) => parts.every((part) => part(row));
    }
    case 'or': {
      const parts = condition.of.map((part) => createFilter(part, cellOf));
      return (row) => parts.some((part) => part(row));
    }
    case 'not': {
      const part = createFilter(condition.of, cellOf);
      return (row) => !part(row);
    }
    case 'compare': {
      const { column, operator } = condition;
      const value = comparable(column.Kind, condition.value);
      return (row) => holds(column.Kind, comparable(column.Kind, cellOf(row, column)), operator, value);
    }
    case 'in': {
      const { column, negated } = condition;
      const values = new Set(condition.values.map((value) => comparable(column.Kind, value)));
      return (row) => values.has(comparable(column.Kind, cellOf(row, column))) !== negated;
    }
  }
}

/**
 * Returns the form of a value for comparisons: a text in folded form, a date in whole milliseconds, null for a blank.
 */
function comparable(kind: ColumnKind, value: KindValue | undefined): KindValue {
  if (value === null || value === undefined) return null;
  if (kind === 'Text') {
    const text = foldText(typeof value === 'boolean' ? String(value).toUpperCase() : String(value));
    return text === '' ? null : text;
  }
  if (kind === 'Date' && typeof value === 'number') return Math.round(value * 86_400_000);
  // Normalizes the notation of numbers, so that equal numbers with many digits compare as equal.
  if (kind === 'Number' && typeof value !== 'boolean' && value !== '') return exactCell(String(value)) ?? value;
  return value === '' ? null : value;
}

const foldText = (text: string): string => text.toLowerCase().replace(/ +$/, '');

function holds(kind: ColumnKind, cell: KindValue, operator: Comparison, value: KindValue): boolean {
  if (operator === '=') return cell === value;
  if (operator === '<>') return cell !== value;
  if (cell === null || value === null) return false;
  const order = kind === 'Number' ? compareNumbers(cell, value) : compareSame(cell, value);
  if (order === null) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function compareSame(cell: string | number | boolean, value: string | number | boolean): number | null {
  if (typeof cell !== typeof value) return null;
  return typeof cell === 'string' ? compareTexts(cell, value as string) : Number(cell) - Number(value);
}

/** Returns null if one of them is not a number. */
function compareNumbers(cell: string | number | boolean, value: string | number | boolean): number | null {
  if (typeof cell === 'number' && typeof value === 'number') return cell - value;
  return compareDecimals(String(cell), String(value));
}

/** Compares by code points, as databases order the bytes of UTF-8; JavaScript itself compares UTF-16 units. */
function compareTexts(a: string, b: string): number {
  for (let at = 0; ; at++) {
    const [left, right] = [a.codePointAt(at), b.codePointAt(at)];
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1;
    if (left !== right) return left - right;
  }
}
