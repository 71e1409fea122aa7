import { expect, it } from 'vitest';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CellView } from './cell-view.ts';
import { createProblemList } from './problems.ts';
import { checkInputArea } from './input-checks.ts';
import type { Draft } from './parameters.ts';

const MERGES = 2000;

it('looks at each merged range of a sheet a few times, however many there are', () => {
  let reads = 0;
  const merges = Array.from({ length: MERGES }, (_, row): CellBlock => {
    const block = { top: row + 10, bottom: row + 10, left: 3, right: 4 };
    return Object.defineProperty(block, 'top', { get: () => ((reads += 1), row + 10) });
  });
  const model = { sheets: [{ merges, cells: { formulaTable: [] } }] } as unknown as WorkbookModel;
  const block = { top: 0, bottom: 1, left: 0, right: 1 };
  const area = { sheet: 0, block, cuts: null, spills: false } as unknown as Draft['area'];
  const draft: Draft = { kind: 'input', name: 'X', area, row: null, location: { sheet: 'S', cell: 'A1' } };
  const view: CellView = { cell: () => ({ value: null, formula: null, format: 'General' }) };
  expect(checkInputArea(model, view, draft, createProblemList())).toBe(true);
  expect(reads).toBeLessThanOrEqual(4 * MERGES);
});
