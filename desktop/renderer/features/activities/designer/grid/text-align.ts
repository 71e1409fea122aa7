/**
 * Aligns texts as Excel does: an alignment names a side of the screen, also in right-to-left sheets (ECMA-376 part 1,
 * 18.18.40).
 */
import type { CellLook } from '#shared/contract/designs.ts';
import type { CellValue } from './sheet-cells.ts';

export type TextAlign = 'left' | 'right' | 'center';

/** Letters and marks that decide the direction of a text. Digits and punctuation do not. */
const STRONG = /[\p{L}\u200E\u200F]/u;
const RIGHT_TO_LEFT =
  /[\u200F\p{Script=Adlam}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Returns true if the first letter belongs to a right-to-left script, as `dir="auto"` decides. */
export function isRightToLeftText(text: string): boolean {
  const [letter = ''] = STRONG.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter);
}

/**
 * Returns the side at which a value stands. By default, texts stand where they begin, numbers at the right, and truth
 * values and errors in the center. This does not depend on the direction of the sheet.
 */
export function alignOf(align: CellLook['Align'], value: CellValue): TextAlign {
  if (align === 'left' || align === 'right') return align;
  if (align === 'center' || align === 'centerContinuous' || align === 'distributed') return 'center';
  if (typeof value === 'string') return isRightToLeftText(value) ? 'right' : 'left';
  if (align === 'fill' || align === 'justify' || value === null) return 'left';
  return typeof value === 'number' ? 'right' : 'center';
}

/** The end of a cell at which a text stands. Cells start at the side of column A. */
export type CellEnd = 'start' | 'end' | 'center';

export function cellEnd(align: TextAlign, isRightToLeft: boolean): CellEnd {
  if (align === 'center') return 'center';
  return (align === 'left') === isRightToLeft ? 'end' : 'start';
}
