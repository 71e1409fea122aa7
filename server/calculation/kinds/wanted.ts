/** The types that formulas expect of their parts, collected while a formula is traversed. */
import type { Read } from '../graph/reads.ts';
import type { Scope } from '../graph/scope.ts';
import type { Node } from '../syntax/ast.ts';
import type { ResultTypes } from './result-types.ts';
import type { FormulaPosition, ValueKind } from './value-kind.ts';

/**
 * Strength of the evidence of a use. It is weaker for tables summed as a whole, which can have text columns, and
 * weakest for text, because any value can be converted to text.
 */
export const Strength = { text: 0, weak: 1, plain: 2 } as const;

/**
 * The type expected of a part of a formula. A function for `kind` depends on the formula's position; 'result' means
 * that the formula passes the value on as its own result.
 */
export interface Wanted {
  kind: ValueKind | 'result' | ((at: FormulaPosition) => ValueKind | null);
  strength: number;
  /** The function or operator that expects the type. */
  by: string;
}

/** Variables of LET and LAMBDA by lower-case name. */
export type Variables = ReadonlyMap<string, { node: Node; variables: Variables }>;

export interface OpenPart {
  node: Node;
  wanted: Wanted | null;
  variables?: Variables;
}

/** The context while a formula is traversed. */
export interface UseSite {
  sheet: number;
  scope: Scope;
  resultTypes: ResultTypes;
  /** Records a use of cells. */
  take(read: Read, wanted: Wanted): void;
}

export const plain = (kind: ValueKind, by: string): Wanted => ({ kind, strength: Strength.plain, by });
