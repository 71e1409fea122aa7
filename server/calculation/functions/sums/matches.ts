/** What conditions of SUMIFS and its like ask for, and which cells satisfy them. */
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { Extent, Groups } from './criteria-index.ts';
import type { Crossed } from './crossed-spans.ts';
import type { Span } from './ordered-column.ts';

export interface Condition {
  range: Range;
  criterion: Criterion;
}

/** All cells of one group that is known beforehand, those between two places of an order or of two orders, or the numbers of single cells in ascending order, counted from `shift` on. */
export type Matches =
  | { kind: 'none' }
  | { kind: 'group'; groups: Groups; group: number; beyond?: number }
  | { kind: 'span'; span: Span }
  | { kind: 'crossed'; crossed: Crossed }
  | { kind: 'positions'; positions: Int32Array; shift: number; extent: Extent; beyond: number };
