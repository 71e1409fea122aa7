/** The current formulas of a model: those of the file, overridden by later changes. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { MAX_COLS } from '#shared/codecs/cell-address.ts';
import type { FormulaIndex } from '../graph/formula-index.ts';
import type { FormulaModel } from '../reader/workbook-model.ts';
import type { Node } from '../syntax/ast.ts';

export interface EngineFormula {
  tree: Node | null;
  kind: FormulaModel['kind'];
  block?: FormulaModel['block'];
}

export interface PlacedFormula extends CellPosition {
  sheet: number;
  formula: EngineFormula;
}

export class FormulaCells {
  private readonly index: FormulaIndex;
  /** Changes by sheet and cell; null for a removed formula of the file. */
  private readonly changes: Map<number, EngineFormula | null>[];

  constructor(index: FormulaIndex, changes: Map<number, EngineFormula | null>[] = index.columns.map(() => new Map())) {
    this.index = index;
    this.changes = changes;
  }

  copy(): FormulaCells {
    return new FormulaCells(
      this.index,
      this.changes.map((changes) => new Map(changes)),
    );
  }

  get(sheet: number, at: CellPosition): EngineFormula | null {
    const changed = this.changes[sheet]!.get(key(at));
    return changed === undefined ? this.original(sheet, at) : changed;
  }

  set(sheet: number, at: CellPosition, formula: EngineFormula | null): void {
    const known = this.changes[sheet]!;
    if (formula || known.has(key(at)) || this.original(sheet, at)) known.set(key(at), formula);
  }

  *all(): Generator<PlacedFormula> {
    for (const { sheet, row, col, tree, formula } of this.index.cells) {
      if (this.changes[sheet]!.has(key({ row, col }))) continue;
      yield { sheet, row, col, formula: { tree, kind: formula.kind, block: formula.block } };
    }
    for (const [sheet, changes] of this.changes.entries()) {
      for (const [at, formula] of changes) {
        if (formula) yield { sheet, row: Math.floor(at / MAX_COLS), col: at % MAX_COLS, formula };
      }
    }
  }

  private original(sheet: number, { row, col }: CellPosition): EngineFormula | null {
    let found: EngineFormula | null = null;
    this.index.scan(sheet, { top: row, left: col, bottom: row, right: col }, (column, from) => {
      const cell = this.index.cells[column.ids[from]!]!;
      const { tree, formula } = cell;
      // For other cells of an array formula, the index returns the anchor cell.
      if (cell.row === row && cell.col === col) found = { tree, kind: formula.kind, block: formula.block };
    });
    return found;
  }
}

function key({ row, col }: CellPosition): number {
  return row * MAX_COLS + col;
}
