import type { InputInfo, RangeType } from '#shared/contract/parameters.ts';
import { said, t } from '#renderer/language/translate.ts';

const SHAPES: Record<RangeType, string> = {
  SingleCell: '{kinds}',
  SingleRowOfSimilarValues: t('row of {kinds}'),
  SingleColumnOfSimilarValues: t('column of {kinds}'),
  RangeWithColumnHeaders: t('table of {kinds}'),
  RangeWithRowHeaders: t('row-wise table of {kinds}'),
  MatrixWithHeaders: t('matrix of {kinds}'),
  MatrixWithoutHeaders: t('matrix of {kinds}'),
};
/** Maximum number of kinds that are named; a count replaces the rest. */
const NAMED = 3;

/** Describes the type of an input: 'Number', 'column of Text', 'table of Text, Number, Date and 4 more'. */
export function typeText({ RangeType, CellUsages }: Pick<InputInfo, 'RangeType' | 'CellUsages'>): string {
  const more = CellUsages.length - NAMED;
  const named = CellUsages.slice(0, NAMED).map(said).join(', ');
  return SHAPES[RangeType].replace(
    '{kinds}',
    more > 0 ? t('{names} and {count} more', { names: named, count: more }) : named,
  );
}
