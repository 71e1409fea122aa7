/**
 * Parses criteria of COUNTIF, SUMIFS and the database functions: '>=5', '<>', 'a*', '=x', a number, a date as text, a
 * blank. Source: Microsoft, 'COUNTIF function', and Excel's behavior.
 */
import { CellError, cellError } from './cell-value.ts';
import type { CellValue } from './cell-value.ts';
import { truthOf } from './coerce.ts';
import { compareNumbers, compareTexts } from './compare.ts';
import { parseValueText } from './parse-value.ts';
import { hasWildcards, unescapeWildcards, wildcardTest } from './wildcard.ts';

export type CriterionOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface Criterion {
  readonly operator: CriterionOperator;
  /** The value to compare with; null stands for blank cells ('=' alone, '<>' alone). */
  readonly operand: number | string | boolean | CellError | null;
  /**
   * If the criterion tests equality with one value, the key of this value in an index (see `criterionKey`); otherwise
   * null, and every value must be tested.
   */
  readonly key: string | number | null;
  /** True if blank cells match. */
  readonly matchesBlank: boolean;
  readonly test: (value: CellValue) => boolean;
}

/** Returns the key shared by all values that a criterion considers equal; null for blanks. */
export function criterionKey(value: CellValue): string | number | null {
  if (typeof value === 'number') return numberKey(value);
  if (typeof value === 'string') return `t${value.toLowerCase()}`;
  if (typeof value === 'boolean') return value ? 'bT' : 'bF';
  return value === null ? null : `e${value.code}`;
}

/** Numbers that are equal in 15 digits share a key. */
function numberKey(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value === 0 ? 0 : value;
  return Number(value.toPrecision(15));
}

const OPERATOR = /^(<>|<=|>=|=|<|>)/;

/** Parses a criterion; a blank cell as criterion means 0, as in Excel. */
export function parseCriterion(value: CellValue | undefined): Criterion {
  if (value === null || value === undefined) return numberCriterion('=', 0);
  if (typeof value === 'number') return numberCriterion('=', value);
  if (typeof value === 'boolean') return exactCriterion('=', value);
  if (value instanceof CellError) return exactCriterion('=', value);
  const sign = OPERATOR.exec(value)?.[0] as CriterionOperator | undefined;
  const operator = sign ?? '=';
  const rest = sign === undefined ? value : value.slice(sign.length);
  if (rest === '') return blankCriterion(operator, sign !== undefined);
  const number = parseValueText(rest);
  if (number !== null) return numberCriterion(operator, number);
  const truth = truthOf(rest);
  if (truth !== null) return exactCriterion(operator, truth);
  const error = cellError(rest);
  if (error) return exactCriterion(operator, error);
  return textCriterion(operator, rest);
}

function criterion(
  operator: CriterionOperator,
  operand: Criterion['operand'],
  test: (value: CellValue) => boolean,
  key: string | number | null = null,
): Criterion {
  return { operator, operand, key, test, matchesBlank: test(null) };
}

/** '' matches blanks and empty texts, '=' only blanks, '<>' everything that is not blank. */
function blankCriterion(operator: CriterionOperator, isWritten: boolean): Criterion {
  if (operator === '=') {
    return criterion(operator, null, isWritten ? (value) => value === null : (value) => value === null || value === '');
  }
  return criterion(operator, null, operator === '<>' ? (value) => value !== null : () => false);
}

function numberCriterion(operator: CriterionOperator, operand: number): Criterion {
  if (operator === '=')
    return criterion(operator, operand, (value) => equalsNumber(value, operand), numberKey(operand));
  if (operator === '<>') {
    // A text that reads as the number counts as equal to it, and as unequal too.
    return criterion(operator, operand, (value) => typeof value !== 'number' || compareNumbers(value, operand) !== 0);
  }
  const accepts = ordering(operator);
  return criterion(operator, operand, (value) => typeof value === 'number' && accepts(compareNumbers(value, operand)));
}

/** Texts that read as the number count as equal: COUNTIF(A1:A3,1) counts the text "1". */
function equalsNumber(value: CellValue, operand: number): boolean {
  if (typeof value === 'number') return compareNumbers(value, operand) === 0;
  if (typeof value !== 'string' || value === '') return false;
  const number = parseValueText(value);
  return number !== null && compareNumbers(number, operand) === 0;
}

function exactCriterion(operator: CriterionOperator, operand: boolean | CellError): Criterion {
  const equals = (value: CellValue): boolean =>
    operand instanceof CellError ? value instanceof CellError && value.code === operand.code : value === operand;
  if (operator === '=') return criterion(operator, operand, equals, criterionKey(operand));
  if (operator === '<>') return criterion(operator, operand, (value) => !equals(value));
  if (operand instanceof CellError) return criterion(operator, operand, () => false);
  const accepts = ordering(operator);
  return criterion(
    operator,
    operand,
    (value) => typeof value === 'boolean' && accepts(Number(value) - Number(operand)),
  );
}

function textCriterion(operator: CriterionOperator, operand: string): Criterion {
  if (operator === '=' || operator === '<>') {
    const isPattern = hasWildcards(operand);
    const lower = operand.toLowerCase();
    const { length } = lower;
    const matches = isPattern
      ? wildcardTest(operand)
      : (text: string) => text === operand || (text.length === length && text.toLowerCase() === lower);
    if (operator === '<>') {
      return criterion(operator, operand, (value) => typeof value !== 'string' || !matches(value));
    }
    const isPlain = !/[*?]/.test(operand.replace(/~./gs, ''));
    const key = isPlain ? criterionKey(unescapeWildcards(operand)) : null;
    return criterion(operator, operand, (value) => typeof value === 'string' && matches(value), key);
  }
  const accepts = ordering(operator);
  const plain = unescapeWildcards(operand);
  return criterion(operator, operand, (value) => typeof value === 'string' && accepts(compareTexts(value, plain)));
}

function ordering(operator: CriterionOperator): (order: number) => boolean {
  switch (operator) {
    case '<':
      return (order) => order < 0;
    case '<=':
      return (order) => order <= 0;
    case '>':
      return (order) => order > 0;
    default:
      return (order) => order >= 0;
  }
}
