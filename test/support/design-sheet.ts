/** Sheets and designs for tests of what authors mark. */
import type { DesignSheet } from '#shared/contract/designs.ts';

/** A plain sheet of 100 rows by 10 columns, with the given changes. */
export const designSheet = (given: Partial<DesignSheet> = {}): DesignSheet => ({
  Name: 'Sheet1',
  IsHidden: false,
  Rows: 100,
  Columns: 10,
  DefaultWidth: 64,
  DefaultHeight: 20,
  Widths: [],
  Heights: [],
  ColumnLooks: [],
  RowLooks: [],
  FrozenRows: 0,
  FrozenColumns: 0,
  Merges: [],
  ShowsGridLines: true,
  IsRightToLeft: false,
  Parts: [0],
  RowsLeftOut: 0,
  ...given,
});
