/** What formulas want of their parts, while a walk goes through one. */
import type { Read } from '../graph/reads.ts';
import type { Scope } from '../graph/scope.ts';
import type { Node } from '../syntax/ast.ts';
import type { ResultKinds } from './result-kinds.ts';
import type { FormulaPlace, ValueKind } from './value-kind.ts';

/** How much a use says: a table that is summed whole has columns of texts too, and everything can be made a text. */
export const Strength = { text: 0, weak: 1, plain: 2 } as const;

/** What is wanted of a part of a formula; `kind` as the place of the formula decides, or 'result': its own value is handed on. */
export interface Wanted {
  kind: ValueKind | 'result' | ((at: FormulaPlace) => ValueKind | null);
  strength: number;
  /** The function or operator that wants it. */
  by: string;
}

/** Variables of LET and LAMBDA, by their names in lower case. */
export type Variables = ReadonlyMap<string, { node: Node; variables: Variables }>;

export interface OpenPart {
  node: Node;
  wanted: Wanted | null;
  variables?: Variables;
}

/** What a walk through a formula has at hand. */
export interface UseSite {
  sheet: number;
  scope: Scope;
  kinds: ResultKinds;
  /** Takes down that cells are used so. */
  take(read: Read, wanted: Wanted): void;
}

export const plain = (kind: ValueKind, by: string): Wanted => ({ kind, strength: Strength.plain, by });
