import type { ShownMark } from '../marks.ts';
import { shownAt } from './axis.ts';
import { textWidth } from './cell-look.ts';
import type { GridView } from './grid-view.ts';
import { withWholeMerges } from './merges.ts';
import { rowContent } from './row-content.ts';
import { boxOf } from './sheet-layout.ts';
import { placeTags, type TaggedMark, type TagPlace } from './tag-places.ts';

/** As in sheet-grid.css. */
const FONT = '600 11px sans-serif';
const MAX_WIDTH = 130;
/** Icon, gaps and padding. */
const BESIDE_NAME = 28;

/**
 * Returns where the names of the marks of a sheet stand.
 * @param _version changes whenever cells arrive, whose texts move names
 */
export const tagPlaces = (view: GridView, _version: number): ReadonlyMap<string, TagPlace> =>
  placeTags(
    view.marks.map((mark) => taggedMark(view, mark)),
    view.layout.headWidth + view.layout.cols.total,
  );

function taggedMark(view: GridView, { key, block, name }: ShownMark): TaggedMark {
  const { layout } = view;
  const whole = withWholeMerges(block, layout.merges);
  const row = Math.min(whole.bottom, shownAt(layout.rows, whole.top));
  return {
    key,
    box: boxOf(layout, whole),
    rowHeight: layout.rows.size(row),
    textEnd: textEnd(view, row, [whole.left, whole.right]),
    width: Math.min(MAX_WIDTH, Math.ceil(textWidth(FONT, name)) + BESIDE_NAME),
  };
}

/** Returns where the texts of some cells end if they run over blank neighbors; null if the row is not fetched yet. */
function textEnd(view: GridView, row: number, [first, last]: readonly [number, number]): number | null {
  const cells = view.cells.row(view.sheet, row);
  if (!cells) return null;
  const { cols, headWidth } = view.layout;
  const own = rowContent(view, row, [first, last], cells).cells.filter(({ col }) => col >= first && col <= last);
  return Math.max(0, ...own.map(({ col, after }) => headWidth + cols.offset(col + 1) + after));
}
