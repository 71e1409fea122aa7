/** What the Portal sheet says of the shape of an input or output. */
import { RANGE_TYPES } from '#shared/rules/parameter-kinds.ts';
import type { RangeType } from '#shared/contract/parameters.ts';
import type { RowReader } from './portal-values.ts';

/** What the author of a workbook says of an area; null where that is left to the cells. */
export interface WantedShape {
  rangeType: RangeType | null;
  /** Whether its first row is headings. */
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
  row.fault('Headers', `A ${rangeType} has no choice of Headers.`, 'Leave Headers or RangeType empty.');
  return { rangeType, headers: null };
}
