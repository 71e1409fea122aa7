/** A workbook that calculates: cells, formula groups, and what has to be calculated again. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { CalculationError } from './engine.ts';
import type { CalculationBounds, CalculationModel, CellEdit } from './engine.ts';
import type { FunctionDefinition } from './functions/function.ts';
import { Book } from './graph/book.ts';
import { Evaluator } from './graph/evaluator.ts';
import { groupFormulas } from './graph/formula-groups.ts';
import { formulaRecords } from './graph/formula-trees.ts';
import { loadStore } from './graph/load-store.ts';
import { calculateBlock } from './graph/scheduler.ts';
import { Scope } from './graph/scope.ts';
import { Spills } from './graph/spills.ts';
import { Flag } from './kernels/chunk.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import type { CellValue } from './values/cell-value.ts';

export function loadModel(
  model: WorkbookModel,
  findFunction: (name: string) => FunctionDefinition | undefined,
): CalculationModel {
  const scope = new Scope(model);
  const records = formulaRecords(model, scope);
  const groups = model.sheets.flatMap(({ cells }, sheet) => groupFormulas(sheet, cells, records[sheet]!));
  const spills = new Spills();
  groups.forEach(({ sheet, spill }, number) => {
    if (spill) spills.set(number, { sheet, block: spill, wanted: spill });
  });
  const book = new Book(model, scope, groups, findFunction);
  return new RunsheetModel(new Evaluator(book, loadStore(model, groups), spills));
}

export class RunsheetModel implements CalculationModel {
  private readonly evaluator: Evaluator;

  constructor(evaluator: Evaluator) {
    this.evaluator = evaluator;
  }

  copy(): RunsheetModel {
    const { book, store, results, keptThings } = this.evaluator;
    return new RunsheetModel(new Evaluator(book, store.copy(), results.spills.copy(), keptThings.copy()));
  }

  setCells(edits: readonly CellEdit[]): void {
    const { store } = this.evaluator;
    for (const { sheet, row, col, value } of edits) {
      store.set(sheet, row, col, value, 0);
      store.setFormula(sheet, row, col, 0);
    }
  }

  resizeTable(_table: string, _dataRows: number): void {
    throw new CalculationError('unsupported', 'Tables cannot be resized yet');
  }

  tableBlock(table: string): CellBlock {
    const found = this.evaluator.book.scope.table(table);
    if (!found) throw new CalculationError('table', `There is no table ${table}`);
    return found.block;
  }

  recalculate(bounds: CalculationBounds = {}): void {
    const { evaluator } = this;
    const { store, stack, book } = evaluator;
    evaluator.start(bounds.timeLimit);
    stack.circles.length = 0;
    book.groups.forEach(({ sheet, top, left, bottom, right, record }, number) => {
      if (record.kind === 'dataTable') return;
      for (let row = top; row <= bottom; row += 1) {
        for (let col = left; col <= right; col += 1) {
          if (store.formula(sheet, row, col) === number + 1) store.addFlags(sheet, row, col, Flag.Dirty);
        }
      }
    });
    for (const group of book.groups) calculateBlock(evaluator, group.sheet, group, true);
    this.refuseCircles();
  }

  private refuseCircles(): void {
    const { circles } = this.evaluator.stack;
    if (circles.length === 0) return;
    const { sheetNames } = this.evaluator.book.scope;
    const cells = circles.flat().map(({ sheet, row, col }) => `${sheetNames[sheet]}!${formatCell(row, col)}`);
    const names = [...new Set(cells)];
    const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
    throw new CalculationError('circular', `Formulas depend on themselves: ${names.slice(0, 5).join(', ')}${more}`);
  }

  value(sheet: number, row: number, col: number): CellValue {
    return this.evaluator.store.value(sheet, row, col);
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
    const formula = this.evaluator.store.formula(sheet, row, col);
    return formula > 0 ? (this.evaluator.results.spills.get(formula - 1)?.block ?? null) : null;
  }

  dispose(): void {
    this.evaluator.keptThings = this.evaluator.keptThings.copy();
  }
}
