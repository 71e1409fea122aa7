/** Blank rows within what is pasted or read from a file: mostly they only part groups of rows in the sheet they come from. */
import { isClosedCell, ruleIndex, valueShape } from '../codecs/input-form.ts';
import type { InputInfo } from '../contract/parameters.ts';

type RowsInfo = Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Specifications' | 'Blanks' | 'Width' | 'RowHeaderValues'>;

/**
 * Whether a row of blanks says something, so that it has to stay at its place: a list may have gaps where its cells may be blank; in a table
 * whose open columns are all Optional or Suggested, blanks stand for the workbook's own values of that row; rows with names have fixed places.
 */
export function isBlankRowKept(info: RowsInfo): boolean {
  const { Specifications, Blanks, CellUsages, RowHeaderValues, Width } = info;
  if (RowHeaderValues.length > 0 || info.RangeType === 'RangeWithRowHeaders') return true;
  if (valueShape(info) === 'list') {
    const isOldText = Specifications[0] === 'OldStyle' && CellUsages[0] === 'Text';
    return Blanks[0] === true || isOldText || CellUsages[0] === 'Boolean';
  }
  const open = Array.from({ length: Width }, (_, col) => col).filter((col) => !isClosedCell(info, 0, col));
  // A word for the whole input says nothing of its rows.
  if (Specifications.length <= 1) return false;
  return open.every((col) => /^(Optional|Suggested)$/.test(Specifications[ruleIndex(info, 0, col)] ?? ''));
}

/** Whether a line of texts has nothing in it. */
export const isBlankLine = (cells: readonly (string | null)[]): boolean =>
  cells.every((cell) => cell === null || cell.trim() === '');
