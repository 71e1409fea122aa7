/** What is known of expressions before they are calculated, and whether they fit what takes them. */
import type { ColumnKind } from '#shared/codecs/condition-columns.ts';
import { isFileUsage, isFolderUsage } from '#shared/codecs/input-form.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { COLUMN_KINDS } from '#shared/codecs/condition-columns.ts';
import { fitsInput } from './matched-columns.ts';
import type { ValueShape } from './step-outputs.ts';

/** A value that an expression reads: all of it, or one of its columns. */
export interface ExpressionRead {
  shape: ValueShape;
  /** Index of the column; null for the whole value. */
  column: number | null;
}

export interface TypedColumn {
  Name: string;
  Usage: CellUsage;
}

export interface ExpressionType {
  /** Type of a single result, or of most cells; null if it is known only at run time. */
  kind: ColumnKind | null;
  /** Columns of a table that is passed on, possibly with other rows or fewer columns; null if unknown. */
  columns: readonly TypedColumn[] | null;
  /** Shape of the result if the expression is only the name of a value; null otherwise. */
  whole: ValueShape | null;
}

/**
 * Checks an expression. Returns its problem as text for its author.
 * @param reads what its names stand for, in the order of the text
 */
export type CheckExpression = (
  formula: string,
  reads: readonly ExpressionRead[],
) => ExpressionType | { problem: string };

const KIND_TEXT: Record<ColumnKind, string> = {
  Number: 'a number',
  Date: 'a date',
  Boolean: 'TRUE or FALSE',
  Text: 'a text',
};

const HOW_TO_CONVERT: Record<ColumnKind, string> = {
  Number: 'Convert a text with VALUE, and TRUE or FALSE with IF',
  Date: 'Convert a text with DATEVALUE',
  Boolean: 'Write a comparison',
  Text: 'Convert a number or date with TEXT',
};

export const kindOfUsage = (usage: CellUsage | undefined): ColumnKind =>
  COLUMN_KINDS.find((kind) => kind === usage) ?? 'Text';

/** Dates are numbers of days, so each can be used as the other. */
const isSameKind = (one: ColumnKind, other: ColumnKind): boolean =>
  one === other || [one, other].every((kind) => kind === 'Number' || kind === 'Date');

export const isOfFiles = ({ CellUsages }: Pick<ValueShape, 'CellUsages'>): boolean =>
  CellUsages.some((usage) => isFileUsage(usage) || isFolderUsage(usage));

/** Returns why the result of an expression cannot become the input; null if it can, or if that is not known yet. */
export function incompatibilityOf(type: ExpressionType, input: ValueShape): string | null {
  if (isOfFiles(input))
    return 'the input takes a file, which a formula cannot return. Choose an output or input that is a file';
  if (type.whole) {
    const { whole } = type;
    if (fitsInput(whole, input) || fitsKinds(whole, input)) return null;
    return 'the value that it reads is of another type than the input';
  }
  if (input.RangeType === 'SingleCell') return kindIncompatibility(type.kind, kindOfUsage(input.CellUsages[0]));
  if (type.columns && input.RangeType === 'RangeWithColumnHeaders') return columnsIncompatibility(type.columns, input);
  return null;
}

const fitsKinds = (whole: ValueShape, input: ValueShape): boolean =>
  whole.RangeType === 'SingleCell' &&
  input.RangeType === 'SingleCell' &&
  !isOfFiles(whole) &&
  isSameKind(kindOfUsage(whole.CellUsages[0]), kindOfUsage(input.CellUsages[0]));

/** Returns why a single result cannot be of the wanted type; null if it can, or if its type is unknown. */
export function kindIncompatibility(kind: ColumnKind | null, wanted: ColumnKind): string | null {
  if (kind === null || isSameKind(kind, wanted)) return null;
  return `it returns ${KIND_TEXT[kind]}, but ${KIND_TEXT[wanted]} is needed. ${HOW_TO_CONVERT[wanted]}`;
}

function columnsIncompatibility(
  columns: readonly TypedColumn[],
  { CellUsages, ColumnHeaderValues }: ValueShape,
): string | null {
  const order = orderOf(columns, ColumnHeaderValues);
  if (!order && columns.length !== CellUsages.length) {
    const names = ColumnHeaderValues.map((name) => `'${name}'`).join(', ');
    return `it returns ${count(columns.length)}, but the input has ${count(CellUsages.length)} (${names}). Choose columns with CHOOSECOLS or HSTACK`;
  }
  for (const [at, usage] of CellUsages.entries()) {
    const column = columns[order?.[at] ?? at]!;
    const incompatibility = kindIncompatibility(kindOfUsage(column.Usage), kindOfUsage(usage));
    if (incompatibility !== null) return `in column '${ColumnHeaderValues[at] ?? column.Name}', ${incompatibility}`;
  }
  return null;
}

const count = (columns: number): string => (columns === 1 ? '1 column' : `${columns} columns`);

/**
 * Returns, for each header of an input, the index of the column with the same name, ignoring case. Null if one is
 * missing or names are ambiguous; columns are then matched by position.
 */
export function orderOf(columns: readonly TypedColumn[], headers: readonly string[]): number[] | null {
  const names = columns.map(({ Name }) => Name.trim().toLowerCase());
  const order = headers.map((header) => names.indexOf(header.trim().toLowerCase()));
  const areDistinct = new Set(order).size === order.length && new Set(names).size === names.length;
  return headers.length === 0 || order.includes(-1) || !areDistinct ? null : order;
}
