/** Types the values of a condition according to the columns that it may refer to. */
import { ConditionError, INVALID_CONDITION, NOT_SUPPORTED, parseCondition } from './condition.ts';
import type { Comparison, Condition, ConditionParameters, ConditionValue } from './condition.ts';
import { exactCell } from './exact-number.ts';
import { parseExactNumber } from './number-text.ts';
import { isSerialDate, parseSerialDate } from './serial-date.ts';

export const COLUMN_KINDS = ['Text', 'Number', 'Date', 'Boolean'] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** A column that a condition may refer to. */
export interface ConditionColumn {
  Name: string;
  Kind: ColumnKind;
  /** True for PostgreSQL's type money, which PostgreSQL cannot compare with numbers. */
  IsMoney?: boolean;
}

/**
 * A value of a column's kind: a Date is a serial day, a blank is null, a number with more than 15 digits is its plain
 * text.
 */
export type KindValue = string | number | boolean | null;

/** A condition whose columns exist and whose values match the kinds of the columns. */
export type TypedCondition =
  | { kind: 'and' | 'or'; of: readonly TypedCondition[] }
  | { kind: 'not'; of: TypedCondition }
  | { kind: 'compare'; column: ConditionColumn; operator: Comparison; value: KindValue }
  | { kind: 'in'; column: ConditionColumn; negated: boolean; values: readonly KindValue[] };

/** Throws ConditionError: "invalid" for an unknown column, "not supported" for a value that its column cannot have. */
export function typeCondition(condition: Condition, columns: readonly ConditionColumn[]): TypedCondition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { kind: condition.kind, of: condition.of.map((part) => typeCondition(part, columns)) };
    case 'not':
      return { kind: 'not', of: typeCondition(condition.of, columns) };
    case 'compare': {
      const column = findColumn(condition.column, columns);
      const value = valueOf(column, condition.value);
      const isOrdered = condition.operator !== '=' && condition.operator !== '<>';
      // Blanks and Booleans have no order.
      if (isOrdered && (value === null || column.Kind === 'Boolean')) throw new ConditionError(NOT_SUPPORTED);
      return { kind: 'compare', column, operator: condition.operator, value };
    }
    case 'in': {
      const column = findColumn(condition.column, columns);
      const values = condition.values.map((value) => valueOf(column, value));
      return { kind: 'in', column, negated: condition.negated, values };
    }
  }
}

/** Parses and types a condition; returns null if the text is blank. Throws ConditionError. */
export function readCondition(
  text: string,
  columns: readonly ConditionColumn[],
  parameters: ConditionParameters = {},
): TypedCondition | null {
  const condition = parseCondition(text, parameters);
  return condition && typeCondition(condition, columns);
}

/**
 * Returns the specification's message if the text is not a valid condition on the columns; null if it is valid or
 * blank.
 */
export function conditionIssue(
  text: string,
  columns: readonly ConditionColumn[],
  parameters: ConditionParameters = {},
): string | null {
  try {
    readCondition(text, columns, parameters);
    return null;
  } catch (error) {
    if (error instanceof ConditionError) return error.message;
    throw error;
  }
}

/**
 * Returns the first name in a condition that is not a known column; undefined if all are known or the text is not a
 * valid condition.
 */
export function unknownColumn(text: string, columns: readonly ConditionColumn[]): string | undefined {
  try {
    const condition = parseCondition(text);
    const known = new Set(columns.map(({ Name }) => Name.toLowerCase()));
    return condition === null ? undefined : namesIn(condition).find((name) => !known.has(name.toLowerCase()));
  } catch (error) {
    if (error instanceof ConditionError) return undefined;
    throw error;
  }
}

function namesIn(condition: Condition): string[] {
  if (condition.kind === 'not') return namesIn(condition.of);
  return 'of' in condition ? condition.of.flatMap(namesIn) : [condition.column];
}

export function findColumn(name: string, columns: readonly ConditionColumn[]): ConditionColumn {
  const lower = name.toLowerCase();
  const found = columns.find(({ Name }) => Name === name) ?? columns.find(({ Name }) => Name.toLowerCase() === lower);
  if (!found) throw new ConditionError(INVALID_CONDITION);
  return found;
}

function valueOf({ Kind }: ConditionColumn, value: ConditionValue): KindValue {
  if (typeof value === 'string' && value.trim() === '') return null;
  const read = READ[Kind](value);
  if (read === null) throw new ConditionError(NOT_SUPPORTED);
  return read;
}

const numberOf = (value: ConditionValue): KindValue => (typeof value === 'number' ? exactCell(String(value)) : null);

const READ: Record<ColumnKind, (value: ConditionValue) => KindValue> = {
  Text: (value) => (typeof value === 'boolean' ? String(value).toUpperCase() : String(value)),
  Number: (value) => (typeof value === 'string' ? parseExactNumber(value) : numberOf(value)),
  Date: (value) => {
    if (typeof value === 'string') return parseSerialDate(value);
    return typeof value === 'number' && isSerialDate(value) ? value : null;
  },
  Boolean: (value) => {
    if (typeof value === 'boolean') return value;
    return { TRUE: true, FALSE: false }[String(value).trim().toUpperCase()] ?? null;
  },
};
