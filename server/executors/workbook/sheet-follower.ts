/** How ranges of a sheet follow tables that have grown or shrunk. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ResizedTable } from './grown-references.ts';

/** How a sheet's ranges follow. */
export interface SheetFollower {
  /** The resized tables of the sheet itself. */
  own: readonly ResizedTable[];
  /** Where a block of the sheet lies now. */
  range(block: CellBlock): CellBlock;
  /** A formula that stands on the sheet; null where it stays as it is. */
  formula(text: string): string | null;
}
