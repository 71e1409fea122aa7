/** Proposes single cells as inputs: typed-in values and choices. */
import type { ProposalReason } from '#shared/contract/proposals.ts';
import { createCandidate } from './candidate.ts';
import type { Candidate, Label } from './candidate.ts';
import { hasInputStyle } from './input-look.ts';
import type { InputLook } from './input-look.ts';
import { cellLabel, leftLabel } from './labels.ts';
import { Content, keyOf } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isTotalWord } from './words.ts';
import { INPUT_WEIGHTS as W } from './weights.ts';

/** Returns the cells, by key, whose data validation restricts values by a list or bounds. */
export function ruledCells(grid: SheetGrid): Set<number> {
  const cells = new Set<number>();
  for (const { type, blocks } of grid.model.validations) {
    if (type === 'none') continue;
    for (const { top, left, bottom, right } of blocks) {
      if ((bottom - top + 1) * (right - left + 1) > 100 || cells.size > 5_000) continue;
      for (let row = top; row <= bottom; row++) for (let col = left; col <= right; col++) cells.add(keyOf(row, col));
    }
  }
  return cells;
}

export function singleInputs(grid: SheetGrid, look: InputLook, ruled: ReadonlySet<number>): Candidate[] {
  const found: Candidate[] = [];
  for (let at = 0; at < grid.count; at++) {
    if (grid.claimed[at] === 1) continue;
    const row = grid.row(at);
    const col = grid.col(at);
    if (grid.isCovered(row, col)) continue;
    const isText = grid.content(at) === Content.Text;
    if (!isText && !grid.isValue(at)) continue;
    const isRuled = ruled.has(keyOf(row, col));
    const isMarked = isRuled || isUnlocked(grid, at) || hasInputStyle(grid.style(at)) || look.isInput(grid.style(at));
    const single = grid.singleReads(at);
    const isRead = single > 0 || grid.rangeReads[at]! > 0;
    const block = { top: row, left: col, bottom: row, right: col };
    if (isText && !isMarked && single === 0 && !isFormText(grid, row, col)) continue;
    const label = cellLabel(grid, block);
    if (isText && (!label || (label.at !== 'left' && !isRuled))) continue;
    if (isText && isLabelOfOther(grid, row, col) && !isRuled) continue;
    if (!isRead && !isMarked && !label) continue;
    const { score, reason } = singleScore(grid, at, { label, isRuled, isText, look });
    found.push(
      createCandidate(grid.index, block, 'input', { shape: 'value', hasHeaders: false, label, score, reason }),
    );
  }
  return found;
}

export const isUnlocked = (grid: SheetGrid, at: number): boolean =>
  grid.model.isProtected === true && !grid.style(at).isLocked;

/** Returns true if the cell's label ends with a colon, as on forms. */
const isFormText = (grid: SheetGrid, row: number, col: number): boolean =>
  leftLabel(grid, row, col)?.raw.endsWith(':') === true && !grid.text(grid.at(row, col)).endsWith(':');

/** A text that formulas read may still be the label of the value on its right. */
function isLabelOfOther(grid: SheetGrid, row: number, col: number): boolean {
  const content = grid.contentAt(row, col + 1);
  return content !== Content.Blank && content !== Content.Text;
}

function singleScore(
  grid: SheetGrid,
  at: number,
  { label, isRuled, isText, look }: { label: Label | null; isRuled: boolean; isText: boolean; look: InputLook },
): { score: number; reason: ProposalReason } {
  const style = grid.style(at);
  const single = grid.singleReads(at);
  const range = grid.rangeReads[at]!;
  let score = W.base;
  if (single > 0) score += W.readAlone + W.furtherReader * Math.min(3, single - 1);
  else if (range > 0) score += W.readInRange;
  score += labelWeight(label, grid.col(at));
  if (label && isTotalWord(label.text)) score += W.totalLabel;
  if (isText) score += single === 0 ? W.formText : W.text;
  if (grid.format(at) !== 'General') score += W.numberFormat;
  if (isYearInTitle(grid, at)) score += W.yearInTitle;
  if (isSeed(grid, at)) score += W.seed;
  const reason: ProposalReason = { code: single + range > 0 ? 'readByFormulas' : 'labelled' };
  if (hasInputStyle(style) || look.isInput(style)) {
    score += W.inputLook;
    reason.code = 'inputStyle';
  }
  if (isRuled) {
    score += W.validation;
    reason.code = 'validation';
  }
  if (grid.model.isProtected) {
    score += style.isLocked ? W.locked : W.unlocked;
    if (!style.isLocked) reason.code = 'unlocked';
  }
  return { score, reason };
}

export function labelWeight(label: Label | null, col: number): number {
  if (!label) return W.noLabel;
  if (label.at === 'left') return col - label.col <= 2 ? W.labelBeside : W.labelFarLeft;
  return label.at === 'above' ? W.labelAbove : W.labelDiagonal;
}

/** Returns true for the first cell of a column or row that formulas continue from: 1, =A1+1, … */
function isSeed(grid: SheetGrid, at: number): boolean {
  const row = grid.row(at);
  const col = grid.col(at);
  return [grid.at(row + 1, col), grid.at(row, col + 1)].some((next, index) => {
    const group = next < 0 ? undefined : grid.groups[next];
    const length = group ? (index === 0 ? group.bottom - group.top : group.right - group.left) + 1 : 0;
    const before = grid.at(row - (index === 0 ? 1 : 0), col - (index === 0 ? 0 : 1));
    return length >= 2 && grid.sweptReads[at]! > 0 && !grid.isValue(before);
  });
}

function isYearInTitle(grid: SheetGrid, at: number): boolean {
  const number = grid.number(at);
  const isYear = number !== null && Number.isInteger(number) && number >= 1900 && number <= 2100;
  return isYear && grid.row(at) < 4 && grid.format(at) === 'General' && grid.singleReads(at) === 0;
}
