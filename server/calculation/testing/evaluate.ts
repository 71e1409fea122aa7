/** A formula's result, for tests. */
import { parseCell } from '#shared/codecs/cell-address.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from './build-model.ts';
import type { TestCell, TestWorkbook } from './build-model.ts';

/** Errors as their codes, so that they compare with plain texts. */
export type Shown = number | string | boolean | null;

/** Where the formula stands: out of the way of the cells tests use. */
const AT = 'XFA1000';

export interface EvaluateOptions extends Omit<TestWorkbook, 'sheets'> {
  /** Where the formula stands; 'XFA1000' of Sheet1 where nothing is said. */
  at?: string;
  /** As a formula of the old kind, which intersects ranges and does not spill. */
  isOld?: boolean;
}

/**
 * The result of a formula ('=SUM(A1:A3)'), as rows where it spills. `cells` by address ('A1', 'Sheet2!B3'); texts that begin
 * with '=' are formulas. It is a dynamic array formula where nothing else is said.
 */
export function evaluate(
  formula: string,
  cells: Record<string, TestCell> = {},
  options: EvaluateOptions = {},
): Shown | Shown[][] {
  const { at = AT, isOld = false, ...book } = options;
  const sheets: TestWorkbook['sheets'] = { Sheet1: {} };
  for (const [address, cell] of Object.entries(cells)) {
    const [sheet, place] = address.includes('!') ? address.split('!') : ['Sheet1', address];
    (sheets[sheet!] ??= {})[place!] = cell;
  }
  sheets['Sheet1']![at] = { formula, kind: isOld ? 'normal' : 'dynamicArray' };
  const model = createRunsheetEngine().load(buildModel({ ...book, sheets }));
  model.recalculate();
  const { row, col } = parseCell(at)!;
  const block = model.spillBlock(0, row, col);
  return block ? model.values(0, block).map((values) => values.map(shown)) : shown(model.value(0, row, col));
}

const shown = (value: CellValue): Shown => (value instanceof CellError ? value.code : value);
