/** Cell contents written over those of the workbook's file, by sheet and cell. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { MAX_COLS } from '#shared/codecs/cell-address.ts';
import type { EngineFormula } from '#server/calculation/tables/formula-cells.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';

export type Content = { value: CellValue } | { formula: EngineFormula };

export interface PlacedContent extends CellPosition {
  content: Content;
}

const keyOf = ({ row, col }: CellPosition): number => row * MAX_COLS + col;

export class Overlay {
  private readonly bySheet: Map<number, Map<number, Content>>;

  constructor(bySheet = new Map<number, Map<number, Content>>()) {
    this.bySheet = bySheet;
  }

  copy(): Overlay {
    return new Overlay(new Map([...this.bySheet].map(([sheet, cells]) => [sheet, new Map(cells)])));
  }

  get(sheet: number, at: CellPosition): Content | undefined {
    return this.bySheet.get(sheet)?.get(keyOf(at));
  }

  set(sheet: number, at: CellPosition, content: Content): void {
    let cells = this.bySheet.get(sheet);
    if (!cells) this.bySheet.set(sheet, (cells = new Map()));
    cells.set(keyOf(at), content);
  }

  has(sheet: number, row: number, col: number): boolean {
    return this.bySheet.get(sheet)?.has(row * MAX_COLS + col) ?? false;
  }

  /** Returns the cells in reading order. */
  cells(sheet: number): PlacedContent[] {
    return [...(this.bySheet.get(sheet) ?? [])]
      .sort(([a], [b]) => a - b)
      .map(([key, content]) => ({ row: Math.floor(key / MAX_COLS), col: key % MAX_COLS, content }));
  }

  sheets(): number[] {
    return [...this.bySheet.keys()];
  }
}
