/** Feeds a workbook to IronCalc cell by cell, because its WebAssembly build cannot read .xlsx files. */
import type { IronCalcModelApi } from '../peers.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { walk } from '#server/calculation/syntax/traverse.ts';
import { SavedValues } from '#server/calculation/saved-values.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { printPrefix } from '#server/calculation/syntax/printer.ts';
import { sheetPrefix } from '#server/calculation/syntax/areas.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import { setExactFormat, inputText } from './cell-text.ts';
import type { EngineFormula } from '#server/calculation/tables/formula-cells.ts';
import { formulaText } from './formula-text.ts';
import type { TranslationContext } from './translate.ts';

const POINTS_PER_ROW = 100;

export interface FeedContext {
  model: WorkbookModel;
  index: FormulaIndex;
  translation: Omit<TranslationContext, 'sheet' | 'at'>;
  /** Formulas to calculate before all others, in this order. */
  restingPoints: number[];
}

/** Returns the number of additional sheets before the workbook's sheets. */
export function sheetOffset(restingPoints: number[]): number {
  return restingPoints.length > 0 ? 1 : 0;
}

export function feedWorkbook(engine: IronCalcModelApi, context: FeedContext): void {
  const { model, index, restingPoints } = context;
  const offset = sheetOffset(restingPoints);
  if (offset > 0) engine.renameSheet(0, freeName(model));
  model.sheets.forEach((sheet, at) => {
    if (at + offset > 0) engine.newSheet();
    engine.renameSheet(at + offset, sheet.name);
    formatColumns(engine, at + offset, sheet);
  });
  const saved = new SavedValues(model);
  const single = new Set<Node>();
  let id = 0;
  model.sheets.forEach((sheet, at) => {
    const { cells } = sheet;
    const results = new ArrayResults(sheet);
    for (let cell = 0; cell < cells.count; cell += 1) {
      if (cells.formulas[cell]! < 0) {
        const value = saved.at(at, cell);
        if (value !== null && !results.covers(cells.rows[cell]!, cells.cols[cell]!))
          engine.setUserInput(at + offset, cells.rows[cell]! + 1, cells.cols[cell]! + 1, inputText(value));
        continue;
      }
      const { tree, formula, row, col } = index.cells[id]!;
      id += 1;
      feedFormula(
        engine,
        at,
        offset,
        { row, col },
        { tree, kind: formula.kind, block: formula.block },
        context.translation,
        single,
      );
    }
    hideRows(engine, at + offset, sheet.hiddenRows);
  });
  restingPoints.forEach((point, at) => {
    const { sheet, row, col } = index.cells[point]!;
    const reference = printPrefix(sheetPrefix(model.sheets[sheet]!.name)) + formatCell(row, col);
    engine.setUserInput(0, Math.floor(at / POINTS_PER_ROW) + 1, (at % POINTS_PER_ROW) + 1, `=${reference}`);
  });
}

/** Cells with results of array formulas. Their saved values are not constants, and would block a spill. */
class ArrayResults {
  private readonly blocks: CellBlock[];

  constructor({ cells }: SheetModel) {
    this.blocks = cells.formulaTable.flatMap(({ kind, block }) =>
      block && (kind === 'array' || kind === 'dynamicArray') && block.top + block.left < block.bottom + block.right
        ? [block]
        : [],
    );
    this.blocks.sort((a, b) => a.top - b.top);
  }

  /** Callers must ask for the cells row by row, in ascending order. */
  covers(row: number, col: number): boolean {
    while (this.blocks.length > 0 && this.blocks[0]!.bottom < row) this.blocks.shift();
    for (const { top, left, bottom, right } of this.blocks) {
      if (top > row) return false;
      if (row <= bottom && col >= left && col <= right) return true;
    }
    return false;
  }
}

/** Returns a name for the sheet of resting points that no sheet of the workbook has. */
function freeName(model: WorkbookModel): string {
  let name = 'order';
  while (model.sheets.some((sheet) => sheet.name.toLowerCase() === name)) name += '_';
  return name;
}

/**
 * Types one formula. If IronCalc would let a single-cell formula spill, the formula is wrapped to return one value.
 * `sheet` counts the workbook's sheets, and `single` caches the formulas that need the wrapper.
 */
export function feedFormula(
  engine: IronCalcModelApi,
  sheet: number,
  offset: number,
  at: { row: number; col: number },
  formula: EngineFormula,
  translation: Omit<TranslationContext, 'sheet' | 'at'>,
  single: Set<Node>,
): void {
  const { text } = formulaText(formula, translation, sheet, at);
  const own = sheet + offset;
  const { row, col } = at;
  if (formula.kind === 'dataTable') {
    feedError(engine, own, formula.block ?? { top: row, left: col, bottom: row, right: col }, text);
  } else if (formula.kind === 'array' && text.startsWith('=')) {
    const block = formula.block ?? { top: row, left: col, bottom: row, right: col };
    engine.setUserArrayFormula(own, row + 1, col + 1, block.right - block.left + 1, block.bottom - block.top + 1, text);
  } else {
    // IronCalc's '@' does not accept arrays.
    const wrapped = `=INDEX(${text.slice(1)},1,1)`;
    const known = text.startsWith('=') && formula.tree !== null && single.has(formula.tree);
    engine.setUserInput(own, row + 1, col + 1, known ? wrapped : text);
    if (
      !known &&
      isSingle(formula, translation.isFunction) &&
      text.startsWith('=') &&
      spills(engine, own, row + 1, col + 1)
    ) {
      engine.setUserInput(own, row + 1, col + 1, wrapped);
      single.add(formula.tree!);
    }
  }
}

/**
 * Returns true if the formula must return one value. Results of LAMBDA, LET and unknown functions are left unchanged.
 */
function isSingle({ kind, tree }: EngineFormula, isFunction: (name: string) => boolean): boolean {
  if (kind === 'dynamicArray' || tree === null) return false;
  let single = true;
  walk(tree, (node) => {
    if (node.type === 'invoke') single = false;
    if (node.type === 'call') single &&= isFunction(node.name) && node.name !== 'LET' && node.name !== 'LAMBDA';
  });
  return single;
}

function spills(engine: IronCalcModelApi, sheet: number, row: number, column: number): boolean {
  const structure = engine.getCellArrayStructure(sheet, row, column);
  return typeof structure === 'object' && 'DynamicAnchor' in structure;
}

function feedError(
  engine: IronCalcModelApi,
  sheet: number,
  block: { top: number; left: number; bottom: number; right: number },
  text: string,
): void {
  for (let row = block.top; row <= block.bottom; row += 1) {
    for (let col = block.left; col <= block.right; col += 1) engine.setUserInput(sheet, row + 1, col + 1, text);
  }
}

function formatColumns(engine: IronCalcModelApi, sheet: number, { cells }: SheetModel): void {
  let last = -1;
  for (let cell = 0; cell < cells.count; cell += 1) last = Math.max(last, cells.cols[cell]!);
  if (last >= 0) setExactFormat(engine, sheet, 1, 1, 1_048_576, Math.min(last + 1, 256));
}

function hideRows(engine: IronCalcModelApi, sheet: number, rows: Uint32Array): void {
  for (let from = 0; from < rows.length;) {
    let to = from;
    while (to + 1 < rows.length && rows[to + 1] === rows[to]! + 1) to += 1;
    engine.setRowsHidden(sheet, rows[from]! + 1, rows[to]! + 1, true);
    from = to + 1;
  }
}
