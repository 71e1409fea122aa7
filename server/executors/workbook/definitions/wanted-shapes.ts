/** Reads what the Portal sheet declares about the shape of an input or output. */
import { RANGE_TYPES } from '#shared/rules/parameter-kinds.ts';
import type { RangeType } from '#shared/contract/parameters.ts';
import type { RowReader } from './portal-values.ts';

/** What the author declares about an area; null leaves the decision to the cells. */
export interface WantedShape {
  rangeType: RangeType | null;
  /** True if its first row is a heading row. */
  headers: boolean | null;
}

const WITH_HEADINGS: ReadonlySet<RangeType> = new Set([
  'RangeWithColumnHeaders',
  'SingleRowOfSimilarValues',
  'SingleColumnOfSimilarValues',
]);

export function wantedShape(row: RowReader): WantedShape {
  const rangeType = row.choice('RangeType', RANGE_TYPES);
  const headers = row.flag('Headers');
  if (headers === null || rangeType === null || WITH_HEADINGS.has(rangeType)) return { rangeType, headers };
  row.addProblem('Headers', `Headers cannot be set for a ${rangeType}.`, 'Leave Headers or RangeType empty.');
  return { rangeType, headers: null };
}
