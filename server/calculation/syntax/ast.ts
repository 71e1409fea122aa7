/**
 * The tree of a formula. References hold relative rows and columns as distances from the formula's cell, so a formula
 * that was filled down has one tree for all its cells (what R1C1 notation shows).
 */
import type { ErrorCode } from '../values/cell-value.ts';

export type BinaryOperator = '=' | '<>' | '<' | '>' | '<=' | '>=' | '&' | '+' | '-' | '*' | '/' | '^' | ',' | ' ' | ':';
export type UnaryOperator = '+' | '-' | '@';
export type PostfixOperator = '%' | '#';
export type ArrayItem = number | string | boolean | { error: ErrorCode };
export type TableItem = '#All' | '#Data' | '#Headers' | '#Totals' | '#This Row';

/**
 * What stands before a '!'. `book` is the number or name in square brackets; `first` alone names one sheet, `first` and
 * `last` a 3-D span; all null is the bare '!' of a name that means the sheet it is used on.
 */
export interface SheetPrefix {
  book: string | null;
  first: string | null;
  last: string | null;
}

/** Bits of `ReferenceNode.absolute`: the coordinate is fixed ('$'). */
export const Absolute = { row1: 1, col1: 2, row2: 4, col2: 8 } as const;

/** Cells by coordinates. A coordinate whose bit in `absolute` is not set is a distance from the formula's cell. */
export interface ReferenceNode {
  type: 'reference';
  prefix: SheetPrefix | null;
  /** 'columns' (A:C) ignores the rows, 'rows' (1:3) the columns; of a 'cell' the second corner equals the first. */
  shape: 'cell' | 'range' | 'columns' | 'rows';
  row1: number;
  col1: number;
  row2: number;
  col2: number;
  absolute: number;
}

export interface NameNode {
  type: 'name';
  prefix: SheetPrefix | null;
  name: string;
  /** A variable of LET or LAMBDA, which files mark with '_xlpm.'. */
  variable: boolean;
  /** A variable of LAMBDA that a call may leave out, marked with '_xlop.' where it is declared. */
  optional?: true;
  /** A worksheet function as a value, marked with '_xleta.', or what a call names: never a table. */
  isFunction?: true;
}

export interface StructuredNode {
  type: 'structured';
  prefix: SheetPrefix | null;
  /** Null inside the table itself. */
  table: string | null;
  items: TableItem[];
  /** Columns, from `first` to `last` (the same where one is meant); null for all of them. */
  first: string | null;
  last: string | null;
}

export interface CallNode {
  type: 'call';
  /** Upper case, without the file's prefix. */
  name: string;
  /** '_xlfn.', '_xlfn._xlws.', or '' as the file had it. */
  filePrefix: string;
  args: Node[];
}

export interface BinaryNode {
  type: 'binary';
  operator: BinaryOperator;
  left: Node;
  right: Node;
}

export type Node =
  | { type: 'number'; value: number }
  | { type: 'text'; value: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'error'; code: ErrorCode }
  /** An argument left out, as the second of IF(A1,,3). */
  | { type: 'missing' }
  | { type: 'array'; rows: ArrayItem[][] }
  | ReferenceNode
  | NameNode
  | StructuredNode
  | CallNode
  /** A call of something that is not a function's name: LAMBDA(x,x+1)(2). */
  | { type: 'invoke'; callee: Node; args: Node[] }
  | { type: 'unary'; operator: UnaryOperator; operand: Node }
  | { type: 'postfix'; operator: PostfixOperator; operand: Node }
  | BinaryNode;

/** How tightly an operator binds. Source: Microsoft, 'Calculation operators and precedence in Excel'. */
export const BINDING = {
  comparison: 10,
  concatenation: 20,
  addition: 30,
  multiplication: 40,
  power: 50,
  percent: 60,
  sign: 70,
  union: 80,
  implicit: 85,
  intersection: 90,
  range: 100,
  spill: 110,
} as const;

export const BINARY_BINDING: Record<BinaryOperator, number> = {
  '=': BINDING.comparison,
  '<>': BINDING.comparison,
  '<': BINDING.comparison,
  '>': BINDING.comparison,
  '<=': BINDING.comparison,
  '>=': BINDING.comparison,
  '&': BINDING.concatenation,
  '+': BINDING.addition,
  '-': BINDING.addition,
  '*': BINDING.multiplication,
  '/': BINDING.multiplication,
  '^': BINDING.power,
  ',': BINDING.union,
  ' ': BINDING.intersection,
  ':': BINDING.range,
};
