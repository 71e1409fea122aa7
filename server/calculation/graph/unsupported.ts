/** Lists the functions that a workbook uses and the engine lacks, by name and cell. */
import type { UnsupportedFunction } from '../engine.ts';
import type { FunctionDefinition } from '../functions/function.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import { Book } from './book.ts';
import { dataTable } from './data-tables.ts';
import { groupFormulas } from './formula-groups.ts';
import { formulaRecords } from './formula-trees.ts';
import { Scope } from './scope.ts';

export function findUnsupported(
  model: WorkbookModel,
  findFunction: (name: string) => FunctionDefinition | undefined,
): UnsupportedFunction[] {
  const scope = new Scope(model);
  const records = formulaRecords(model, scope);
  const groups = model.sheets.flatMap(({ cells }, sheet) => groupFormulas(sheet, cells, records[sheet]!));
  const book = new Book(model, scope, groups, findFunction);
  const found: UnsupportedFunction[] = [];
  for (const { sheet, record, top, left, bottom, right } of groups) {
    const names = record.kind === 'dataTable' ? [] : [...book.formula(record).traits.missing];
    if (names.length === 0) continue;
    // An array formula counts once, in its first cell.
    const isOne = record.kind !== 'cells';
    for (let row = top; row <= (isOne ? top : bottom); row += 1) {
      for (let col = left; col <= (isOne ? left : right); col += 1) {
        for (const name of names) found.push({ name, sheet, row, col });
      }
    }
  }
  model.sheets.forEach(({ cells }, sheet) => {
    for (const formula of cells.formulaTable) {
      if (formula.kind !== 'dataTable' || dataTable(sheet, formula)) continue;
      found.push({ name: 'TABLE', sheet, row: formula.cell.row, col: formula.cell.col });
    }
  });
  return found;
}
