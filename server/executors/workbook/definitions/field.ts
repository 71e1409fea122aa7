/** One column, row or cell of an input or output. */
import type { DataValidation } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { SavedCell } from './cell-view.ts';
import type { ListItems } from './list-items.ts';

export interface Field {
  first: CellPosition;
  /**
   * The column's cells, if the field is a column with one value per row whose rows may differ; null for other fields.
   */
  column: CellBlock | null;
  cells: SavedCell[];
  validation: DataValidation | null;
  list: ListItems | null;
  usage: CellUsage;
  /** The reason for the inferred type, if the cells do not reveal it themselves; otherwise null. */
  guess: string | null;
  format: string;
  /** Whether none, some or all of its cells contain formulas. */
  formulas: 'none' | 'some' | 'all';
  /** Position of the first formula. */
  firstFormula: CellPosition | null;
}
