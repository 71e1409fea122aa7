/** One column, row or cell of an input or output. */
import type { DataValidation } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { SavedCell } from './cell-view.ts';
import type { ListItems } from './list-items.ts';

export interface Field {
  first: CellPosition;
  /** The cells below each other where it is a column whose rows may differ, one value in each row; null for others. */
  column: CellBlock | null;
  cells: SavedCell[];
  validation: DataValidation | null;
  list: ListItems | null;
  usage: CellUsage;
  /** Why it is taken as that, where its cells do not say so themselves; null where they do. */
  guess: string | null;
  format: string;
  /** How many of its cells hold formulas. */
  formulas: 'none' | 'some' | 'all';
  /** The first of them. */
  firstFormula: CellPosition | null;
}
