/** Blank rows in pasted data or files: usually they only separate groups of rows in the source sheet. */
import { isClosedCell, ruleIndex, valueShape } from '../codecs/input-form.ts';
import type { InputInfo } from '../contract/parameters.ts';

type RowsInfo = Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Specifications' | 'Blanks' | 'Width' | 'RowHeaderValues'>;

/**
 * Returns whether a blank row is meaningful and must stay at its position. Lists may have gaps if their cells may be
 * blank. In a table whose editable columns are all Optional or Suggested, blanks stand for the workbook's own values of
 * that row. Rows with names have fixed positions.
 */
export function countsBlankRows(info: RowsInfo): boolean {
  const { Specifications, Blanks, CellUsages, RowHeaderValues, Width } = info;
  if (RowHeaderValues.length > 0 || info.RangeType === 'RangeWithRowHeaders') return true;
  if (valueShape(info) === 'list') {
    const isOldText = Specifications[0] === 'OldStyle' && CellUsages[0] === 'Text';
    return Blanks[0] === true || isOldText || CellUsages[0] === 'Boolean';
  }
  const open = Array.from({ length: Width }, (_, col) => col).filter((col) => !isClosedCell(info, 0, col));
  // A specification for the whole input does not apply to individual rows.
  if (Specifications.length <= 1) return false;
  return open.every((col) => /^(Optional|Suggested)$/.test(Specifications[ruleIndex(info, 0, col)] ?? ''));
}

/** Returns whether all texts of a line are blank. */
export const isBlankLine = (cells: readonly (string | null)[]): boolean =>
  cells.every((cell) => cell === null || cell.trim() === '');
