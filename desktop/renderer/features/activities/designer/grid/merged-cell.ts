import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { indentOf, PADDING, shownText, textWidth } from './cell-look.ts';
import type { GridView } from './grid-view.ts';
import type { ShownCell } from './row-content.ts';
import { alignOf } from './text-align.ts';
import { fitNumber } from './text-fit.ts';

/** Returns what merged cells show: the content of their first cell. Undefined while that cell is not fetched. */
export function mergedCell({ layout, looks, cells, sheet, design }: GridView, merge: CellBlock): ShownCell | undefined {
  const row = cells.row(sheet, merge.top);
  if (!row) return undefined;
  const [, number, value] = row.get(merge.left) ?? [merge.left, -1, null];
  const look = looks[number] ?? null;
  const format = look?.look.Format ?? 'General';
  const text = shownText(value, format, design.Date1904);
  const shown: ShownCell = {
    col: merge.left,
    text,
    look,
    align: alignOf(look?.look.Align ?? 'general', value),
    indent: look ? indentOf(look.look) : PADDING,
    before: 0,
    after: 0,
  };
  if (typeof value !== 'number' || !look) return shown;
  const availableWidth = layout.cols.offset(merge.right + 1) - layout.cols.offset(merge.left) - 2 * PADDING + 1;
  const measure = (one: string): number => textWidth(look.font, one);
  const again = (one: number): string => shownText(one, format, false);
  return {
    ...shown,
    text: fitNumber({ value, text, isGeneral: format === 'General', availableWidth, measure, format: again }),
  };
}
