/** Compares a workbook returned by a run with one built in the expected final form. */
import { expect } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { parseCell } from '#shared/codecs/cell-address.ts';
import { buildWorkbook } from './build-workbook.ts';
import type { WorkbookSpec } from './build-workbook.ts';
import { contentOf, savedAt } from './growing-table.ts';

/**
 * Expects the same cells, formulas, names, tables, merges and rules. Saved results must equal those that the built
 * workbook calculates.
 */
export async function expectSameBook(grown: WorkbookModel, spec: WorkbookSpec): Promise<void> {
  const made = readWorkbook(await openPackage(await buildWorkbook(spec)));
  const calculated = createRunsheetEngine().load(made);
  calculated.recalculate();
  for (const [sheet, { merges, validations, notes }] of made.sheets.entries()) {
    const content = contentOf(made, sheet);
    expect(contentOf(grown, sheet)).toEqual(content);
    const own = grown.sheets[sheet]!;
    expect({ merges: own.merges, validations: own.validations, notes: own.notes }).toEqual({
      merges,
      validations,
      notes,
    });
    const wrong = Object.keys(content).flatMap((address) => {
      const { row, col } = parseCell(address)!;
      const [own, wanted] = [plain(savedAt(grown, address, sheet)), plain(calculated.value(sheet, row, col))];
      return own === wanted ? [] : [{ address, own, wanted }];
    });
    expect(wrong).toEqual([]);
  }
  expect(grown.tables.map(({ block }) => block)).toEqual(made.tables.map(({ block }) => block));
  expect(grown.names.map(({ name, text }) => [name, text])).toEqual(made.names.map(({ name, text }) => [name, text]));
}

const plain = (value: CellValue): string | CellValue => (value instanceof CellError ? value.code : value);
