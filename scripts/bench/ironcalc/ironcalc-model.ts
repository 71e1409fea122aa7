import { loadIronCalc, type IronCalcModelApi } from '../peers.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationBounds, CalculationModel, CellEdit } from '#server/calculation/engine.ts';
import type { FormulaCell, FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import type { Scope, TableShape } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { inputText, readValue } from './cell-text.ts';
import { FormulaCells } from '#server/calculation/tables/formula-cells.ts';
import type { EngineFormula } from '#server/calculation/tables/formula-cells.ts';
import { resizeTable } from '#server/calculation/tables/resize-by-cells.ts';
import type { ResizableModel } from '#server/calculation/tables/resize-by-cells.ts';
import { formulaText } from './formula-text.ts';
import { feedFormula } from './load.ts';
import type { TranslationContext } from './translate.ts';

/** What a loaded workbook shares with all its copies. It never changes. */
export interface LoadedWorkbook {
  model: WorkbookModel;
  index: FormulaIndex;
  /** Number of additional sheets before the workbook's sheets. */
  offset: number;
  /** Formulas that close a circular reference. */
  circularCells: FormulaCell[];
  translation: Omit<TranslationContext, 'sheet' | 'at'>;
}

let spoilt: string | null = null;

/** Runs a call into IronCalc. Converts any exception to a CalculationError. */
export function guarded<T>(call: () => T): T {
  if (spoilt !== null) throw new CalculationError('failed', spoilt);
  try {
    return call();
  } catch (cause) {
    if (cause instanceof CalculationError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof RangeError || (cause instanceof Error && cause.name === 'RuntimeError')) {
      spoilt = 'The calculation engine has stopped after an earlier failure in this thread';
      throw new CalculationError('limit', `The calculation exceeds the engine's stack or memory (${message})`, {
        cause,
      });
    }
    throw new CalculationError('failed', message, { cause });
  }
}

export class IronCalcModel implements CalculationModel, ResizableModel {
  private readonly engine: IronCalcModelApi;
  readonly loaded: LoadedWorkbook;
  readonly formulas: FormulaCells;
  tables: TableShape[];
  scope: Scope;

  private constructor(engine: IronCalcModelApi, loaded: LoadedWorkbook, from: IronCalcModel | null) {
    this.engine = engine;
    this.loaded = loaded;
    this.formulas = from ? from.formulas.copy() : new FormulaCells(loaded.index);
    this.tables = from ? from.tables : loaded.model.tables;
    this.scope = from ? from.scope : loaded.index.scope;
  }

  static fromBytes(bytes: Uint8Array, loaded: LoadedWorkbook, from: IronCalcModel | null = null): IronCalcModel {
    const engine = loadIronCalc().Model.from_bytes(bytes, 'en');
    engine.pauseEvaluation();
    return new IronCalcModel(engine, loaded, from);
  }

  copy(): IronCalcModel {
    return guarded(() => IronCalcModel.fromBytes(this.engine.toBytes(), this.loaded, this));
  }

  setCells(edits: readonly CellEdit[]): void {
    guarded(() => {
      for (const { sheet, row, col, value } of edits) this.setValue(sheet, { row, col }, value);
    });
  }

  setValue(sheet: number, at: CellPosition, value: CellValue): void {
    this.formulas.set(sheet, at, null);
    this.engine.setUserInput(sheet + this.loaded.offset, at.row + 1, at.col + 1, inputText(value));
  }

  setFormula(sheet: number, at: CellPosition, formula: EngineFormula): void {
    const { offset, translation } = this.loaded;
    this.formulas.set(sheet, at, formula);
    feedFormula(this.engine, sheet, offset, at, formula, { ...translation, scope: this.scope }, new Set());
  }

  /** Returns true if the cell has no content. A value that spilled into the cell counts as content. */
  isEmpty(sheet: number, at: CellPosition): boolean {
    return this.engine.getCellContent(sheet + this.loaded.offset, at.row + 1, at.col + 1) === '';
  }

  textOf(formula: EngineFormula, scope: Scope, sheet: number, at: CellPosition): string {
    return formulaText(formula, { ...this.loaded.translation, scope }, sheet, at).text;
  }

  resizeTable(table: string, dataRows: number): void {
    guarded(() => resizeTable(this, table, dataRows));
  }

  tableBlock(table: string): CellBlock {
    const found = this.scope.table(table);
    if (!found) throw new CalculationError('table', `There is no table ${table}`);
    return found.block;
  }

  /**
   * IronCalc cannot be interrupted. The time limit is checked afterwards; only ending the thread stops a calculation.
   */
  recalculate(bounds: CalculationBounds = {}): void {
    const start = Date.now();
    guarded(() => this.engine.evaluate());
    if (bounds.timeLimit !== undefined && Date.now() - start > bounds.timeLimit) {
      throw new CalculationError('limit', `The calculation took longer than ${bounds.timeLimit} ms`);
    }
    this.refuseCircularReferences();
  }

  private refuseCircularReferences(): void {
    const { circularCells, model, offset } = this.loaded;
    const circular = circularCells.filter(({ sheet, row, col }) => {
      if (!this.formulas.get(sheet, { row, col })) return false;
      return guarded(() => this.engine.getFormattedCellValue(sheet + offset, row + 1, col + 1)) === '#CIRC!';
    });
    if (circular.length === 0) return;
    const addresses = circular
      .slice(0, 5)
      .map(({ sheet, row, col }) => `${model.sheets[sheet]!.name}!${formatCell(row, col)}`);
    const more = circular.length > 5 ? ` and ${circular.length - 5} more` : '';
    throw new CalculationError('circular', `Formulas depend on themselves: ${addresses.join(', ')}${more}`);
  }

  value(sheet: number, row: number, col: number): CellValue {
    return guarded(() => readValue(this.engine, sheet + this.loaded.offset, row + 1, col + 1));
  }

  values(sheet: number, block: CellBlock): CellValue[][] {
    const rows: CellValue[][] = [];
    for (let row = block.top; row <= block.bottom; row += 1) {
      const values: CellValue[] = [];
      for (let col = block.left; col <= block.right; col += 1) values.push(this.value(sheet, row, col));
      rows.push(values);
    }
    return rows;
  }

  spillBlock(sheet: number, row: number, col: number): CellBlock | null {
    return guarded(() => {
      const structure = this.engine.getCellArrayStructure(sheet + this.loaded.offset, row + 1, col + 1);
      if (typeof structure === 'string' || !('DynamicAnchor' in structure)) return null;
      const [width, height] = structure.DynamicAnchor;
      if (width === 1 && height === 1) return null;
      return { top: row, left: col, bottom: row + height - 1, right: col + width - 1 };
    });
  }

  dispose(): void {
    guarded(() => this.engine.free());
  }
}
