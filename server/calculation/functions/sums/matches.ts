/** The conditions of SUMIFS and similar functions, and the cells that meet them. */
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { Extent, Groups } from './criteria-index.ts';
import type { Crossed } from './crossed-spans.ts';
import type { Span } from './ordered-column.ts';

export interface Condition {
  range: Range;
  criterion: Criterion;
}

/**
 * Matching cells: all cells of a known group, a span of one sorted column, the intersection of two spans, or single
 * cell numbers in ascending order, counted from `shift`.
 */
export type Matches =
  | { kind: 'none' }
  | { kind: 'group'; groups: Groups; group: number; beyond?: number }
  | { kind: 'span'; span: Span }
  | { kind: 'crossed'; crossed: Crossed }
  | { kind: 'positions'; positions: Int32Array; shift: number; extent: Extent; beyond: number };
