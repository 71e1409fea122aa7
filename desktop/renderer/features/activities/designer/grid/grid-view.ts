/**
 * What the parts of the grid share about the sheet that is shown. The object stays the same while the user scrolls and
 * selects.
 */
import { formatCell, type CellPosition } from '#shared/codecs/cell-address.ts';
import type { Design } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';
import type { ShownMark } from '../marks.ts';
import { isInBlock } from './blocks.ts';
import { shownText, type ShownLook } from './cell-look.ts';
import { valueAt, type SheetCells } from './sheet-cells.ts';
import type { SheetLayout } from './sheet-layout.ts';

export interface GridView {
  design: Design;
  sheet: number;
  layout: SheetLayout;
  looks: readonly ShownLook[];
  cells: SheetCells;
  /** Marks of this sheet, then its proposals. */
  marks: readonly ShownMark[];
}

export const markAt = ({ marks }: Pick<GridView, 'marks'>, { row, col }: CellPosition): ShownMark | null =>
  marks.find(({ block }) => isInBlock(block, row, col)) ?? null;

/**
 * Returns the label for screen readers: 'B4, 0.05, input Interest rate'.
 * @param shown the text that fits the cell, so that the label includes everything that is visible
 */
export function cellLabel(view: GridView, row: number, col: number, shown = ''): string {
  const value = valueAt(view.cells, view.sheet, row, col);
  const look = view.cells.row(view.sheet, row)?.get(col)?.[1];
  const format = (look === undefined ? undefined : view.looks[look]?.look.Format) ?? 'General';
  const text = value === undefined ? t('not loaded yet') : shownText(value, format, view.design.Date1904) || t('blank');
  const mark = markAt(view, { row, col });
  const seen = shown === '' || text.includes(shown) ? [] : [t('shown as {text}', { text: shown })];
  return [formatCell(row, col), text, ...seen, ...(mark ? [markText(mark)] : [])].join(', ');
}

function markText({ role, name, kind, problems }: ShownMark): string {
  const text =
    kind === 'proposal'
      ? role === 'Input'
        ? t('proposed input {name}', { name })
        : t('proposed output {name}', { name })
      : role === 'Input'
        ? t('input {name}', { name })
        : t('output {name}', { name });
  return problems > 0 ? t('{text}, has problems', { text }) : text;
}
