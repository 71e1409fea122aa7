import type { InputInfo, RangeType } from '#shared/contract/parameters.ts';

const SHAPES: Record<RangeType, string> = {
  SingleCell: '',
  SingleRowOfSimilarValues: 'row of ',
  SingleColumnOfSimilarValues: 'column of ',
  RangeWithColumnHeaders: 'table of ',
  RangeWithRowHeaders: 'table by rows of ',
  MatrixWithHeaders: 'matrix of ',
  MatrixWithoutHeaders: 'matrix of ',
};
/** So many kinds are named; of a wider table the rest is counted. */
const NAMED = 3;

/** What an input takes, in words: 'Number', 'column of Text', 'table of Text, Number, Date and 4 more'. */
export function typeText({ RangeType, CellUsages }: Pick<InputInfo, 'RangeType' | 'CellUsages'>): string {
  const more = CellUsages.length - NAMED;
  const named = CellUsages.slice(0, NAMED).join(', ');
  return `${SHAPES[RangeType]}${named}${more > 0 ? ` and ${more} more` : ''}`;
}
