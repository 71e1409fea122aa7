/** A formula that is being read. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { Node } from './ast.ts';
import type { ParseError } from './parse-error.ts';

/** How far it is read, and what its parts read of it in common. */
export interface OpenFormula {
  readonly text: string;
  /** The cell it stands in. */
  readonly base: CellPosition;
  pos: number;
  skipSpaces(): void;
  /** Arguments from the opening parenthesis to the closing one. */
  args(): Node[];
  errorValue(): Node;
  /** What to throw where something stands that cannot stand there. */
  unexpected(): ParseError;
}
