/** Splits the columns of a wide grid into groups that fit side by side on a sheet. */
import { columnGroups, printedWidth, SAMPLED_ROWS, SHEET_WIDTH } from '#shared/codecs/printed-columns.ts';
import type { GridColumn } from './grid-model.ts';

/**
 * Returns the groups, each with the first column, which names the rows. A table that fits is one group. Estimated,
 * because printing does not wait for a layout.
 */
export function printedColumns<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  available = SHEET_WIDTH,
): GridColumn<Row>[][] {
  const sample = rows.slice(0, SAMPLED_ROWS);
  const widths = columns.map(({ title, text }) => printedWidth(title, sample.map(text)));
  return columnGroups(widths, available).map((group) => group.map((index) => columns[index]!));
}
