/** A formula that is being parsed. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { Node } from './ast.ts';
import type { ParseError } from './parse-error.ts';

/** The position in the formula, and methods shared by the parts of the parser. */
export interface OpenFormula {
  readonly text: string;
  /** The cell of the formula. */
  readonly base: CellPosition;
  pos: number;
  skipSpaces(): void;
  /** Reads the arguments from the opening parenthesis to the closing one. */
  args(): Node[];
  errorValue(): Node;
  /** Returns the error to throw for a character that is not allowed here. */
  unexpected(): ParseError;
}
