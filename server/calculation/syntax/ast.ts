/**
 * The tree of a formula. References contain relative rows and columns as distances from the formula's cell. A formula
 * that was filled down therefore has one tree for all its cells (as in R1C1 notation).
 */
import type { ErrorCode } from '../values/cell-value.ts';

export type BinaryOperator = '=' | '<>' | '<' | '>' | '<=' | '>=' | '&' | '+' | '-' | '*' | '/' | '^' | ',' | ' ' | ':';
export type UnaryOperator = '+' | '-' | '@';
export type PostfixOperator = '%' | '#';
export type ArrayItem = number | string | boolean | { error: ErrorCode };
export type TableItem = '#All' | '#Data' | '#Headers' | '#Totals' | '#This Row';

/**
 * The part before a '!'. `book` is the number or name in square brackets. `first` alone names one sheet, `first` and
 * `last` a 3-D span. If all are null, it is the bare '!' of a name that refers to the sheet it is used on.
 */
export interface SheetPrefix {
  book: string | null;
  first: string | null;
  last: string | null;
}

/** Bits of `ReferenceNode.absolute`: the coordinate is absolute ('$'). */
export const Absolute = { row1: 1, col1: 2, row2: 4, col2: 8 } as const;

/** Cells by coordinates. A coordinate whose bit in `absolute` is not set is the distance from the formula's cell. */
export interface ReferenceNode {
  type: 'reference';
  prefix: SheetPrefix | null;
  /** 'columns' (A:C) ignores the rows, 'rows' (1:3) the columns; for a 'cell', the second corner equals the first. */
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
  /** True for a variable of LET or LAMBDA, which files mark with '_xlpm.'. */
  variable: boolean;
  /** Set for a variable of LAMBDA that a call may omit, marked with '_xlop.' where it is declared. */
  optional?: true;
  /** Set for a worksheet function as a value, marked with '_xleta.', and for the name in a call: never a table. */
  isFunction?: true;
}

export interface StructuredNode {
  type: 'structured';
  prefix: SheetPrefix | null;
  /** Null inside the table itself. */
  table: string | null;
  items: TableItem[];
  /** Columns from `first` to `last` (equal for a single column); null for all columns. */
  first: string | null;
  last: string | null;
}

export interface CallNode {
  type: 'call';
  /** In upper case, without the file's prefix. */
  name: string;
  /** '_xlfn.', '_xlfn._xlws.', or '', as in the file. */
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
  /** An omitted argument, such as the second of IF(A1,,3). */
  | { type: 'missing' }
  | { type: 'array'; rows: ArrayItem[][] }
  | ReferenceNode
  | NameNode
  | StructuredNode
  | CallNode
  /** A call of something other than a function name: LAMBDA(x,x+1)(2). */
  | { type: 'invoke'; callee: Node; args: Node[] }
  | { type: 'unary'; operator: UnaryOperator; operand: Node }
  | { type: 'postfix'; operator: PostfixOperator; operand: Node }
  | BinaryNode;

/**
 * Precedence of the operators; a higher number binds tighter. Source: Microsoft, 'Calculation operators and precedence
 * in Excel'.
 */
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
