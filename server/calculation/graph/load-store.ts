/** Fills a store with the cells of a workbook. Formulas get the saved values of the file and are marked as outdated. */
import { CellKind } from '../reader/workbook-model.ts';
import type { SheetCells, WorkbookModel } from '../reader/workbook-model.ts';
import { CHUNK_MASK, Flag } from '../kernels/chunk.ts';
import type { Chunk } from '../kernels/chunk.ts';
import { SheetStore, Store } from '../kernels/store.ts';
import { cellError, ERROR_CODES } from '../values/cell-value.ts';
import type { FormulaGroup } from './formula-groups.ts';

const ERRORS = ERROR_CODES.map((code) => cellError(code)!);

export function loadStore(model: WorkbookModel, groups: readonly FormulaGroup[]): Store {
  const store = new Store(model.sheets.map(() => new SheetStore()));
  model.sheets.forEach(({ cells }, sheet) => loadCells(store, sheet, cells, model.strings));
  groups.forEach((group, number) => placeGroup(store, group, number + 1));
  return store;
}

function loadCells(store: Store, sheet: number, cells: SheetCells, strings: readonly string[]): void {
  const { count, rows, cols, kinds, values } = cells;
  /** The chunk of each column that was written to last. */
  const chunks: { chunk: Chunk; from: number }[] = [];
  for (let at = 0; at < count; at += 1) {
    const kind = kinds[at]!;
    if (kind === CellKind.Blank && cells.formulas[at]! < 0) continue;
    const row = rows[at]!;
    const col = cols[at]!;
    const from = row & ~CHUNK_MASK;
    let open = chunks[col];
    if (open === undefined || open.from !== from || row - from >= open.chunk.size) {
      chunks[col] = open = { chunk: store.writable(sheet, row, col), from };
    }
    const { chunk } = open;
    if (kind === CellKind.Text) chunk.set(row - from, strings[values[at]!] ?? '', 0);
    else if (kind === CellKind.Error) chunk.set(row - from, ERRORS[values[at]!] ?? null, 0);
    else {
      chunk.numbers[row - from] = values[at]!;
      chunk.kinds[row - from] = kind;
    }
    if (row >= store.sheets[sheet]!.usedRows) store.sheets[sheet]!.usedRows = row + 1;
  }
}

/** Assigns the cells of a group to it and marks them as outdated. */
function placeGroup(store: Store, group: FormulaGroup, number: number): void {
  if (group.record.kind === 'dataTable') return;
  fillFormulas(store, group, number);
  const { spill, sheet } = group;
  if (!spill) return;
  for (let col = spill.left; col <= spill.right; col += 1) {
    for (let row = spill.top; row <= spill.bottom; row += 1) {
      if ((row === group.top && col === group.left) || store.formula(sheet, row, col) > 0) continue;
      store.setFormula(sheet, row, col, -number);
      store.addFlags(sheet, row, col, Flag.Dirty);
    }
  }
}

function fillFormulas(store: Store, group: FormulaGroup, number: number): void {
  const { sheet, top, left, bottom, right } = group;
  for (let col = left; col <= right; col += 1) {
    for (let row = top; row <= bottom;) {
      const last = Math.min(bottom, row | CHUNK_MASK);
      const chunk = store.writable(sheet, last, col);
      chunk.formulas ??= new Int32Array(chunk.size);
      for (; row <= last; row += 1) {
        const at = row & CHUNK_MASK;
        chunk.formulas[at] = number;
        chunk.kinds[at]! |= Flag.Dirty;
      }
    }
  }
}
