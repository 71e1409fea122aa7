/** Compares our insertion of cells with LibreOffice's "Insert cells, shift down" on the same file. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { findOffice } from '#server/executors/libreoffice/find-office.ts';
import { createLibreOfficeEngine } from '#server/executors/libreoffice/libreoffice-engine.ts';
import { createCalculation } from '#server/executors/workbook/run/calculation.ts';
import { createWarmWorkbooks } from '#server/executors/workbook/run/warm-workbooks.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { writePackage } from '#server/executors/workbook/zip-writer.ts';
import { formatCell, MAX_COLS } from '#shared/codecs/cell-address.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { contentOf } from '#test/support/growing-table.ts';
import { bookOf, shapes } from '#test/support/growing-shapes.ts';
import type { Shape } from '#test/support/growing-shapes.ts';
import { QUOTE } from '#test/support/growing-books.ts';
import { officeInserts } from '#test/support/office-inserts.ts';
import type { OfficeInserts } from '#test/support/office-inserts.ts';
import { rounds } from '#test/support/test-set.ts';
import { insertCells } from './insert-cells.ts';

const NO_PARAMETERS: ActivityDefinition = {
  inputs: [],
  outputs: [],
  steps: [],
  display: { RunActivityTitle: '', StartDisplayName: '', Classifications: [] },
};

const program = findOffice('');

const SHAPES = fc.sample(shapes, { seed: 77, numRuns: rounds(4, 60) });

/**
 * A shape with a rule, a validation, a note and names below its table. It has no Excel tables, because LibreOffice does
 * not split them.
 */
function furnished(shape: Shape): WorkbookSpec {
  const { sheets, names } = bookOf(shape, shape.rows, false);
  const [first, ...others] = sheets;
  const { tables: _, ...sheet } = first!;
  const below = shape.top + shape.rows + (shape.hasTotals ? 1 : 0) + 1;
  const cell = (down: number, across: number): string => formatCell(below + down, shape.left + across);
  const ruled: SheetSpec = {
    ...sheet,
    cells: Object.fromEntries(
      Object.entries(sheet.cells!).map(([address, spec]) => [address, withoutTables(spec, shape)]),
    ),
    notes: { [cell(1, 1)]: 'note' },
    validations: [
      { ref: `${cell(0, 0)}:${cell(2, 1)}`, type: 'custom', formula1: `${cell(0, 1)}>0` },
      { ref: formatCell(0, 8), type: 'custom', formula1: `$${cell(1, 0).replace(/(\d+)/, '$$$1')}>0` },
    ],
    extra: `<conditionalFormatting sqref="${cell(0, 0)}:${cell(2, 1)}"><cfRule type="expression" priority="1"><formula>${cell(0, 1)}&gt;1</formula></cfRule></conditionalFormatting>`,
  };
  const plain = others.map(({ cells = {}, ...other }) => ({
    ...other,
    cells: Object.fromEntries(Object.entries(cells).map(([address, spec]) => [address, withoutTables(spec, shape)])),
  }));
  const { in_T: __, ...rest } = names as Record<string, string>;
  return {
    sheets: [ruled, ...plain],
    names: {
      ...rest,
      Around: `S!$${formatCell(shape.top, shape.left + 1).replace(/(\d+)/, '$$$1')}:$${cell(2, 1).replace(/(\d+)/, '$$$1')}`,
    },
  };
}

/** Replaces references to the table by name with references to its cells. */
function withoutTables<T>(spec: T, { top, left, rows }: Shape): T {
  if (typeof spec !== 'object' || spec === null || !('formula' in spec)) return spec;
  const column = `S!${formatCell(top + 1, left + 1)}:${formatCell(top + rows, left + 1)}`;
  return { ...spec, formula: String(spec.formula).replaceAll(/T\[c1\]|T\[\]/g, column) };
}

describe.skipIf(program === null)(
  `LibreOffice${program === null ? ' (skipped: it is not installed here)' : ''}`,
  () => {
    let office: OfficeInserts | undefined;
    beforeAll(async () => {
      office = await officeInserts(program!);
    });
    afterAll(() => office?.stop());

    /** Returns what is compared of a workbook after LibreOffice has written it. */
    async function comparedParts(bytes: Uint8Array): Promise<unknown> {
      const saved = await openPackage(bytes);
      const model = readWorkbook(saved);
      const xml = (path: string): string => new TextDecoder().decode(saved.part(path));
      const sheet = xml(model.sheets[0]!.part);
      return {
        cells: model.sheets.map((_, index) => contentOf(model, index)),
        merges: model.sheets[0]!.merges,
        names: Object.fromEntries(model.names.map(({ name, text }) => [name, text])),
        notes: model.sheets[0]!.notes.map(({ row, col }) => [row, col]),
        // LibreOffice does not update the formulas of validations.
        validations: model.sheets[0]!.validations.map(({ blocks }) => blocks),
        rules: [...sheet.matchAll(/<conditionalFormatting sqref="([^"]*)".*?<formula>([^<]*)</gs)].map((match) => [
          match[1],
          match[2],
        ]),
      };
    }

    it('calculates a table that grows, as the second engine', async () => {
      const engine = createLibreOfficeEngine(program!);
      try {
        const bytes = await buildWorkbook(QUOTE.make(2));
        const warm = createWarmWorkbooks(() => engine, { count: 1, bytes: 2 ** 30 });
        const version = await warm.get('v', NO_PARAMETERS, () => Promise.resolve(bytes));
        const calculation = createCalculation(version, 60_000, version);
        calculation.resize('Lines', 4);
        const constants = [0, 1, 2, 3].flatMap((row) => [
          { sheet: 0, row: 7 + row, col: 1, value: row + 1 },
          { sheet: 0, row: 7 + row, col: 2, value: 10 },
        ]);
        calculation.write(constants);
        const total = calculation.now(0, { top: 12, left: 3, bottom: 12, right: 3 });
        expect(total.top).toBe(14);
        expect(calculation.read(0, total)[0]![0]).toBeCloseTo(100 * 0.9 * 1.19);
        calculation.dispose();
      } finally {
        await engine.close();
      }
    });

    it.each(SHAPES.map((shape, index) => ({ index, shape })))(
      'comes to the same workbook: shape $index',
      async ({ index, shape }) => {
        const bytes = await buildWorkbook(furnished(shape));
        // LibreOffice splits merged cells in cases in which a run moves whole rows.
        const wholeRows = shape.isMerged || index % 3 === 0;
        const insertion: CellInsertion = {
          sheet: 0,
          row: shape.top + shape.rows + (shape.hasTotals ? 1 : 0) + 1,
          count: 1 + (index % 7),
          left: wholeRows ? 0 : shape.left,
          right: wholeRows ? MAX_COLS - 1 : shape.left + shape.width - 1,
        };
        const source = await openPackage(bytes);
        const ours = await writePackage(insertCells(source, readWorkbook(source), insertion), new Map());
        const mine = await comparedParts(await office!.saved(ours, null));
        expect(mine).toEqual(await comparedParts(await office!.saved(bytes, insertion)));
      },
    );
  },
);
