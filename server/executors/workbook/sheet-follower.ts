/** How ranges of a sheet follow tables that grew or shrank. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ResizedTable } from './grown-references.ts';

/** Updates ranges and formulas of a sheet after tables were resized. */
export interface SheetFollower {
  /** The resized tables of the sheet itself. */
  own: readonly ResizedTable[];
  /** Returns the new position of a block of the sheet. */
  range(block: CellBlock): CellBlock;
  /** Returns the new text of a formula on the sheet; null if it does not change. */
  formula(text: string): string | null;
}
