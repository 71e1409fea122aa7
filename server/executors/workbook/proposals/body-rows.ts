/** Decides which rows under headers belong to the block. */
import { rowLabel } from './labels.ts';
import { Content, keyOf } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isTotalWord } from './words.ts';

/** Adjacent texts in a row that may be headers. */
export interface TextRun {
  row: number;
  left: number;
  right: number;
  /** Number of texts; merged cells count once. */
  texts: number;
}

/**
 * A row of only texts below numbers counts as new headers if it has at least this share of the first headers' count.
 */
const HEADER_SHARE = 0.6;

export interface BodyRow {
  hasNumbers: boolean;
  isAllTexts: boolean;
  texts: number;
}

/** Returns null if the row no longer belongs to the body: it is blank, a total, a heading or new headers. */
export function bodyRow(
  grid: SheetGrid,
  row: number,
  { left, right, texts: headers }: Omit<TextRun, 'row'>,
  hadValues: Map<number, number>,
): BodyRow | null {
  let filled = 0;
  let texts = 0;
  let values = 0;
  let formulas = 0;
  let fillIn = 0;
  let first = '';
  let ownFormulas = 0;
  let isOddText = false;
  for (let col = left; col <= right; col++) {
    const at = grid.at(row, col);
    if (at >= 0 && grid.claimed[at] === 1) return null;
    const content = grid.content(at);
    if (content === Content.Blank) {
      if (at >= 0 && (grid.style(at).hasBorder || grid.blankReads.has(keyOf(row, col)))) fillIn++;
      continue;
    }
    filled++;
    if (content === Content.Text) {
      texts++;
      if (first === '') first = grid.text(at);
      isOddText ||= hadValues.has(col);
    } else if (content === Content.Formula) {
      // A total below typed-in values ends the block. A formula that continues the column over several rows does not.
      const had = hadValues.get(col) ?? 0;
      const group = grid.groups[at];
      if (had > 0 && (group === undefined ? had > 1 : group.bottom - group.top < had)) return null;
      formulas++;
      if (group?.top === row) ownFormulas++;
    } else {
      values++;
      hadValues.set(col, (hadValues.get(col) ?? 0) + 1);
    }
  }
  if (filled === 0) return fillIn >= 2 ? { hasNumbers: true, isAllTexts: false, texts } : null;
  if (formulas > 0 && isTotalWord(first || (rowLabel(grid, row, left)?.text ?? ''))) return null;
  // A total without a label, or a value below the columns that has its own label.
  if (hadValues.size > 0 && filled === formulas && ownFormulas === formulas) return null;
  const isFirstBlank = grid.contentAt(row, left) === Content.Blank;
  const isNamedResult =
    texts === 1 && filled === formulas + 1 && hadValues.has(left) && grid.text(grid.at(row, left)) !== '';
  if ((isOddText && isFirstBlank) || isNamedResult) return null;
  const width = right - left + 1;
  if (texts === 1 && filled === 1 && width > 2 && fillIn < width / 2) return null;
  if (texts === filled && hadValues.size > 0 && texts >= Math.max(2, HEADER_SHARE * headers)) return null;
  return { hasNumbers: values + formulas > 0, isAllTexts: texts === filled, texts };
}

/**
 * Returns true for a row of only texts that are new headers: at least as many texts as the run before any numbers, or
 * at least three and more than the run.
 */
export function isHeaderAgain({ isAllTexts, texts }: BodyRow, run: TextRun, isEarly: boolean): boolean {
  return isAllTexts && ((isEarly && texts >= run.texts) || (texts >= 3 && texts > run.texts));
}
