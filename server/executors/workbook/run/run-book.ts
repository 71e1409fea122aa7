/**
 * The copy of a workbook that a run writes to, with a record of what was written. The record is retained when tables
 * get room and everything moves.
 */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationModel, CellEdit } from '#server/calculation/engine.ts';
import { Scope } from '#server/calculation/graph/scope.ts';
import type { PlacedFormula } from '#server/calculation/placed-formula.ts';
import { MAX_COLS } from '#shared/codecs/cell-address.ts';
import { findTable } from '../definitions/table-references.ts';
import type { Layout, MakeSpace } from '../room/layouts.ts';
import { placedIn } from '../room/moved-references.ts';
import { moveEdits } from './moved-cells.ts';
import type { CurrentLayout, RunTable } from './moved-cells.ts';

export class RunBook implements CurrentLayout {
  layout: Layout;
  /** Tables with a changed number of rows, in this layout. */
  resized: RunTable[] = [];
  copy: CalculationModel;
  private readonly version: Layout;
  private readonly makeSpace: MakeSpace;
  /** Number of rows by table name, in the order in which tables were first resized. */
  private readonly wanted = new Map<string, number>();
  private written = new Map<number, CellEdit>();
  private formulas = new Map<PlacedFormula, PlacedFormula>();

  constructor(version: Layout, makeSpace: MakeSpace = () => version) {
    this.version = version;
    this.makeSpace = makeSpace;
    this.layout = version;
    this.copy = version.base.copy();
  }

  constants(): CellEdit[] {
    return [...this.written.values()];
  }

  write(edits: readonly CellEdit[]): void {
    this.copy.setCells(edits);
    this.recordEdits(edits);
  }

  /**
   * Throws WorkbookFileError 'tableBlocked' if there is no room and none can be made. Nothing has changed in that case.
   */
  resize(name: string, dataRows: number): void {
    const key = findTable(this.version.model, name)!.name;
    const wanted = new Map(this.wanted).set(key, dataRows);
    const layout = this.makeSpace([...wanted].map(([table, rows]) => ({ table, dataRows: rows })));
    this.wanted.set(key, dataRows);
    if (layout === this.layout) this.setRows(key, dataRows);
    else this.moveTo(layout);
  }

  /** Converts a formula of the version that is not in a cell to the layout. */
  placed(formula: PlacedFormula): PlacedFormula {
    const { insertions } = this.layout;
    if (insertions.length === 0) return formula;
    let placed = this.formulas.get(formula);
    if (!placed) {
      placed = placedIn(formula, insertions, new Scope(this.version.model));
      this.formulas.set(formula, placed);
    }
    return placed;
  }

  private recordEdits(edits: readonly CellEdit[]): void {
    for (const edit of edits) this.written.set((edit.sheet * 2 ** 20 + edit.row) * MAX_COLS + edit.col, edit);
  }

  private setRows(name: string, rows: number): void {
    const table = findTable(this.layout.model, name)!;
    this.copy.resizeTable(name, rows);
    const block = this.copy.tableBlock(name);
    const known = this.resized.find((own) => own.table === table);
    const before = known?.block ?? table.block;
    const body = block.bottom - table.totalsRows;
    for (const [key, { sheet, row, col }] of this.written) {
      const isInside = sheet === table.sheet && col >= block.left && col <= block.right;
      if (isInside && row > body && row <= before.bottom) this.written.delete(key);
    }
    if (known) known.block = block;
    else this.resized.push({ table, block });
  }

  private moveTo(layout: Layout): void {
    const before = { layout: this.layout, resized: this.resized };
    const written = this.constants();
    const copy = layout.base.copy();
    dispose(this.copy);
    this.copy = copy;
    this.layout = layout;
    this.resized = [];
    this.formulas = new Map();
    this.written = new Map();
    for (const [name, rows] of this.wanted) this.setRows(name, rows);
    this.write(moveEdits(written, before, this));
  }
}

function dispose(copy: CalculationModel): void {
  try {
    copy.dispose();
  } catch (error) {
    // An engine that has stopped cannot free its memory.
    if (!(error instanceof CalculationError)) throw error;
  }
}
