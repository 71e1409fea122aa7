/** Evaluates formulas for tests. */
import { parseCell } from '#shared/codecs/cell-address.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from './build-model.ts';
import type { TestCell, TestWorkbook } from './build-model.ts';

/** Errors are shown as their codes, to compare them with plain texts. */
export type Shown = number | string | boolean | null;

/** The cell of the formula, far from the cells that tests use. */
const AT = 'XFA1000';

export interface EvaluateOptions extends Omit<TestWorkbook, 'sheets'> {
  /** The cell of the formula; 'XFA1000' of Sheet1 by default. */
  at?: string;
  /** True for a formula without dynamic arrays, which intersects ranges and does not spill. */
  isOld?: boolean;
}

/**
 * Returns the result of a formula ('=SUM(A1:A3)'), as rows if it spills. `cells` are by address ('A1', 'Sheet2!B3');
 * texts that start with '=' are formulas. By default it is a dynamic array formula.
 */
export function evaluate(
  formula: string,
  cells: Record<string, TestCell> = {},
  options: EvaluateOptions = {},
): Shown | Shown[][] {
  const { at = AT, isOld = false, ...book } = options;
  const sheets: TestWorkbook['sheets'] = { Sheet1: {} };
  for (const [address, cell] of Object.entries(cells)) {
    const [sheet, cellAddress] = address.includes('!') ? address.split('!') : ['Sheet1', address];
    (sheets[sheet!] ??= {})[cellAddress!] = cell;
  }
  sheets['Sheet1']![at] = { formula, kind: isOld ? 'normal' : 'dynamicArray' };
  const model = createRunsheetEngine().load(buildModel({ ...book, sheets }));
  model.recalculate();
  const { row, col } = parseCell(at)!;
  const block = model.spillBlock(0, row, col);
  return block ? model.values(0, block).map((values) => values.map(shown)) : shown(model.value(0, row, col));
}

const shown = (value: CellValue): Shown => (value instanceof CellError ? value.code : value);
