/** What a condition compares, read by the kinds of the columns it may name. */
import { ConditionError, INVALID_CONDITION, NOT_SUPPORTED, parseCondition } from './condition.ts';
import type { Comparison, Condition, ConditionParameters, ConditionValue } from './condition.ts';
import { exactCell } from './exact-number.ts';
import { parseExactNumber } from './number-text.ts';
import { isSerialDate, parseSerialDate } from './serial-date.ts';

export const COLUMN_KINDS = ['Text', 'Number', 'Date', 'Boolean'] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** A column that a condition may name. */
export interface ConditionColumn {
  Name: string;
  Kind: ColumnKind;
  /** Of PostgreSQL's type money, which it does not compare with numbers. */
  IsMoney?: boolean;
}

/** Values of a column's kind: a Date is a serial day, a blank is null, a number of more than 15 digits its plain text. */
export type KindValue = string | number | boolean | null;

/** A condition whose columns exist and whose values are of their kind. */
export type TypedCondition =
  | { kind: 'and' | 'or'; of: readonly TypedCondition[] }
  | { kind: 'not'; of: TypedCondition }
  | { kind: 'compare'; column: ConditionColumn; operator: Comparison; value: KindValue }
  | { kind: 'in'; column: ConditionColumn; negated: boolean; values: readonly KindValue[] };

/** Throws ConditionError: invalid for a column there is not, not supported for a value that its column cannot have. */
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
      // Nothing is less than a blank, and TRUE is not more than FALSE.
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

/** The condition a text says, typed; null where it is blank. Throws ConditionError. */
export function readCondition(
  text: string,
  columns: readonly ConditionColumn[],
  parameters: ConditionParameters = {},
): TypedCondition | null {
  const condition = parseCondition(text, parameters);
  return condition && typeCondition(condition, columns);
}

/** The specification's message for a text that is no condition on the columns; null where it is one, or blank. */
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

/** The first name in a condition that is none of the columns; undefined where all are, or the text is no condition at all. */
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
