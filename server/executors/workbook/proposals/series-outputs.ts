/** Proposes rows, columns and blocks of one formula as outputs. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import { createCandidate } from './candidate.ts';
import type { Candidate, Label } from './candidate.ts';
import { hasResultStyle } from './input-look.ts';
import { aboveLabel, blockLabel, headerRowsOver, leftLabel, rowLabel } from './labels.ts';
import { dependsScore, isCharted, unreadShare } from './output-scores.ts';
import type { OutputContext } from './output-scores.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isCheckWord, isTotalWord, resultWord } from './words.ts';
import { OUTPUT_WEIGHTS as W } from './weights.ts';

/** Cells of one formula, or a row of several formulas; `group` is the most frequent one. */
export interface FormulaSeries {
  block: CellBlock;
  group: FormulaGroup;
}

const MIN_ACROSS = 3;

/**
 * Returns the adjacent formulas from a cell on if a label on the left names them all, such as a row of years whose
 * first year is calculated differently. Returns null if each column has its own text above the cell.
 */
export function formulaRow(grid: SheetGrid, at: number): (FormulaSeries & { groups: FormulaGroup[] }) | null {
  const row = grid.row(at);
  const left = grid.col(at);
  const groups: FormulaGroup[] = [];
  let right = left - 1;
  let headers = 0;
  for (let next = at; next >= 0; next = grid.at(row, right + 1)) {
    const group = grid.groups[next];
    if (!group || group.top !== group.bottom || grid.claimed[next] === 1) break;
    if ((grid.text(next) === '') !== (grid.text(at) === '')) break;
    if (groups.at(-1) !== group) groups.push(group);
    right++;
    if (grid.contentAt(row - 1, right) === Content.Text) headers++;
  }
  const width = right - left + 1;
  if (groups.length < 2 || width < MIN_ACROSS || headers === width || !rowLabel(grid, row, left)) return null;
  const group = groups.toSorted((a, b) => b.right - b.left - (a.right - a.left))[0]!;
  return { block: { top: row, left, bottom: row, right }, group, groups };
}

export function seriesOutput(grid: SheetGrid, { block, group }: FormulaSeries, context: OutputContext): Candidate {
  const isRow = block.top === block.bottom;
  const isColumn = block.left === block.right;
  const label = isRow
    ? (rowLabel(grid, block.top, block.left) ?? aboveLabel(grid, block.top, block.left))
    : isColumn
      ? (columnHeader(grid, block) ?? leftLabel(grid, block.top, block.left))
      : blockLabel(grid, block, headerRowsOver(grid, block));
  const isShown = isCharted(grid, block, context);
  const at = grid.at(block.top, block.left);
  const style = grid.style(at);
  let score = W.seriesBase + W.seriesUnread * unreadShare(grid, block) + dependsScore(group, context);
  if (isRow && isFragment(grid, block)) score += W.fragment;
  const word = label ? resultWord(label.raw) : 0;
  if (label) score += [0, W.seriesWord, W.seriesStrongWord][word]!;
  else score += W.noLabel / 2;
  if (label && isTotalWord(label.text)) score += W.seriesTotal;
  if (label && isCheckWord(label.text)) score += W.check;
  if (hasResultStyle(style)) score += W.resultStyle;
  if (style.isBold) score += W.bold;
  if (isShown) score += W.seriesCharted;
  const code = isShown ? 'inChart' : word > 0 ? 'resultWord' : 'calculatedCells';
  const shape = isRow || isColumn ? 'list' : 'matrix';
  return createCandidate(grid.index, block, 'output', { shape, hasHeaders: false, label, score, reason: { code } });
}

/** Returns the text above the cells, or above the value that they continue from. */
function columnHeader(grid: SheetGrid, { top, left }: CellBlock): Label | null {
  const isAfterValue = grid.isValue(grid.at(top - 1, left));
  return aboveLabel(grid, isAfterValue ? top - 1 : top, left);
}

/** Returns true if the row continues to its left or right with values or other formulas. */
function isFragment(grid: SheetGrid, { top, left, right }: CellBlock): boolean {
  return [grid.at(top, left - 1), grid.at(top, right + 1)].some((at) => at >= 0 && grid.number(at) !== null);
}
