/**
 * Tables that get more rows than there is room for: the content below moves down, and everything that refers to it
 * follows.
 */
import { describe, expect, it } from 'vitest';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { contentAt, contentOf, growingBook, savedAt } from '#test/support/growing-table.ts';

const SHEET1 = 'xl/worksheets/sheet1.xml';

/** Two lines, with the sum, the tax and the total directly below. */
function invoice(more: Partial<SheetSpec> = {}, book: Partial<WorkbookSpec> = {}): WorkbookSpec {
  const { cells, ...rest } = more;
  return {
    sheets: [
      {
        name: 'Invoice',
        cells: {
          A1: 'Invoice',
          F1: 0.2,
          A4: 'Item',
          B4: 'Qty',
          C4: 'Price',
          D4: 'Amount',
          A5: 'a',
          B5: 1,
          C5: 10,
          D5: { formula: 'B5*C5', value: 10 },
          A6: 'b',
          B6: 2,
          C6: 10,
          D6: { formula: 'B6*C6', value: 20 },
          C7: 'Sum',
          D7: { formula: 'SUM(D5:D6)', value: 30 },
          C8: 'VAT',
          D8: { formula: 'D7*$F$1', value: 6 },
          C9: 'Total',
          D9: { formula: 'D7+D8', value: 36 },
          ...cells,
        },
        tables: [
          {
            name: 'Lines',
            ref: 'A4:D6',
            columns: [
              'Item',
              'Qty',
              'Price',
              { name: 'Amount', formula: 'Lines[[#This Row],[Qty]]*Lines[[#This Row],[Price]]' },
            ],
          },
        ],
        ...rest,
      },
      {
        name: 'Report',
        cells: { A1: { formula: 'Invoice!D9*2', value: 72 }, A2: { formula: 'SUM(Invoice!D5:D9)', value: 102 } },
      },
    ],
    calcChain: true,
    names: { in_Lines: 'Lines', out_Total: 'Invoice!$D$9', out_Twice: 'Report!$A$1' },
    ...book,
  };
}

const lines = (count: number): unknown[][] =>
  Array.from({ length: count }, (_, at) => [`item ${at}`, at + 1, 10, null]);
const sumOf = (count: number): number => 5 * count * (count + 1);

describe('an invoice', () => {
  it.each([1, 2, 3, 7, 1000])('with %i lines has its sum, tax and total right below them', async (count) => {
    const { outputs, outcome, model } = await (await growingBook(invoice())).run({ Lines: lines(count) });
    expect(outcome.status).toBe('Succeeded');
    expect(outputs['Total']).toBeCloseTo(sumOf(count) * 1.2);
    expect(outputs['Twice']).toBeCloseTo(sumOf(count) * 2.4);
    const down = Math.max(0, count - 2);
    expect(contentAt(model, `D${7 + down}`)).toBe(`=SUM(D5:D${4 + count})`);
    expect(contentAt(model, `D${8 + down}`)).toBe(`=D${7 + down}*$F$1`);
    expect(contentAt(model, `D${9 + down}`)).toBe(`=D${7 + down}+D${8 + down}`);
    expect(contentAt(model, `C${9 + down}`)).toBe('Total');
    expect(contentAt(model, `D${4 + count}`)).toBe(`=B${4 + count}*C${4 + count}`);
    expect(savedAt(model, `D${9 + down}`)).toBeCloseTo(sumOf(count) * 1.2);
    expect(contentOf(model, 1)).toEqual({ A1: `=Invoice!D${9 + down}*2`, A2: `=SUM(Invoice!D5:D${9 + down})` });
    expect(model.tables[0]!.block).toMatchObject({ top: 3, bottom: 3 + count });
    expect(model.names.find(({ name }) => name === 'out_Total')!.text).toBe(`Invoice!$D$${9 + down}`);
  });

  it('says at upload that its table takes as many rows as the sheet has', async () => {
    const { definition, inspection } = await growingBook(invoice());
    expect(definition.inputs[0]!.Info).toMatchObject({ MaxRows: 1_048_569, RowsEnd: "the end of sheet 'Invoice'" });
    expect(inspection.fidelity?.Findings).toBeUndefined();
  });

  it('leaves cells beside the table where they are', async () => {
    const beside = { F9: { formula: 'D9', value: 36 }, F20: 'note' };
    const { model } = await (await growingBook(invoice({ cells: beside }))).run({ Lines: lines(5) });
    expect([contentAt(model, 'F9'), contentAt(model, 'F20')]).toEqual(['=D12', 'note']);
  });

  it('moves whole rows where merged cells would be torn apart', async () => {
    const spec = invoice({ cells: { A11: 'Thank you', F12: 'beside' }, merges: ['A11:F11', 'A2:F2'] });
    const { model, outputs } = await (await growingBook(spec)).run({ Lines: lines(4) });
    expect(outputs['Total']).toBeCloseTo(sumOf(4) * 1.2);
    expect(model.sheets[0]!.merges).toEqual([
      { top: 12, bottom: 12, left: 0, right: 5 },
      { top: 1, bottom: 1, left: 0, right: 5 },
    ]);
    expect([contentAt(model, 'A13'), contentAt(model, 'F14')]).toEqual(['Thank you', 'beside']);
  });

  it('moves whole rows where a formula reads cells on both sides of the line', async () => {
    const spec = invoice({ cells: { F9: 1, H1: { formula: 'SUM(D8:F9)', value: 43 } } });
    const { model } = await (await growingBook(spec)).run({ Lines: lines(4) });
    expect([contentAt(model, 'H1'), contentAt(model, 'F11')]).toEqual(['=SUM(D10:F11)', 1]);
  });

  it('fills free rows first, and moves all of what is below by as many rows as are new where they do not do', async () => {
    const cells = { D7: null, C7: null, C8: null, D8: null, C9: 'Total', D9: { formula: 'SUM(D5:D8)', value: 30 } };
    const book = await growingBook(invoice({ cells }));
    expect(contentAt((await book.run({ Lines: lines(4) })).model, 'D9')).toBe('=SUM(D5:D8)');
    const { model, outputs } = await book.run({ Lines: lines(5) });
    expect(contentAt(model, 'D12')).toBe('=SUM(D5:D11)');
    expect(outputs['Total']).toBe(sumOf(5));
  });
});

describe('what says something of moved cells', () => {
  it('follows: validations, conditional formats, links, protected ranges, breaks, notes', async () => {
    const extra =
      '<protectedRanges><protectedRange name="P" sqref="D9"/></protectedRanges>' +
      '<conditionalFormatting sqref="D9"><cfRule type="expression" priority="1"><formula>$D$9&gt;D8</formula></cfRule></conditionalFormatting>';
    const spec = invoice({
      extra,
      notes: { D9: 'to pay' },
      validations: [
        { ref: 'D8:E9', type: 'whole', operator: 'between', formula1: '1', formula2: '9' },
        { ref: 'F1', type: 'custom', formula1: '$D$9>0' },
      ],
    });
    const grown = await (await growingBook(spec)).run({ Lines: lines(12) });
    const xml = grown.text(SHEET1);
    expect(xml).toContain('<protectedRange name="P" sqref="D19"/>');
    expect(xml).toContain('sqref="D19"><cfRule type="expression" priority="1"><formula>$D$19&gt;D18</formula>');
    expect(xml).toContain('sqref="D18:D19 E8:E9"');
    expect(xml).toContain('<formula1>$D$19&gt;0</formula1>');
    expect(grown.model.sheets[0]!.notes).toEqual([{ row: 18, col: 3, text: 'to pay' }]);
    expect(grown.text('xl/workbook.xml')).not.toContain('calcChain');
  });
});

describe('two tables', () => {
  const stacked = (): WorkbookSpec => ({
    sheets: [
      {
        name: 'Plan',
        cells: {
          A1: 'Task',
          B1: 'Days',
          A2: 'a',
          B2: 1,
          A3: { formula: 'SUM(One[Days])', value: 1 },
          A5: 'Cost',
          B5: 'Sum',
          A6: 'x',
          B6: 5,
          B7: { formula: 'SUM(B6:B6)+A3', value: 6 },
        },
        tables: [
          { name: 'One', ref: 'A1:B2', columns: ['Task', 'Days'] },
          { name: 'Two', ref: 'A5:B6', columns: ['Cost', 'Sum'] },
        ],
      },
    ],
    names: { in_One: 'One', in_Two: 'Two', out_All: 'Plan!$B$7' },
  });

  it.each([
    [1, 1],
    [4, 1],
    [1, 6],
    [3, 3],
    [40, 50],
  ])('one above the other grow separately: %i and %i rows', async (first, second) => {
    const rows = (count: number): unknown[][] => Array.from({ length: count }, (_, at) => [`r${at}`, at + 1]);
    const book = await growingBook(stacked());
    const sum = (count: number): number => (count * (count + 1)) / 2;
    for (const inputs of [
      { One: rows(first), Two: rows(second) },
      { Two: rows(second), One: rows(first) },
    ]) {
      const { outputs, model } = await book.run(inputs);
      expect(outputs['All']).toBe(sum(first) + sum(second));
      expect(savedAt(model, `B${5 + first + second}`)).toBe(sum(first) + sum(second));
      expect(contentAt(model, `A${2 + first}`)).toBe('=SUM(One[Days])');
      expect(contentAt(model, `B${5 + first + second}`)).toBe(
        `=SUM(B${5 + first}:B${4 + first + second})+A${2 + first}`,
      );
    }
  });

  it('beside each other grow where nothing has to be torn apart', async () => {
    const spec: WorkbookSpec = {
      sheets: [
        {
          name: 'S',
          cells: {
            A1: 'a',
            B1: 'n',
            A2: 'x',
            B2: 1,
            D1: 'c',
            E1: 'm',
            D2: 'y',
            E2: 2,
            B3: { formula: 'SUM(B2:B2)', value: 1 },
            E3: { formula: 'SUM(E2:E2)', value: 2 },
            A5: 'both',
            B5: { formula: 'B3+E3', value: 3 },
          },
          tables: [
            { name: 'L', ref: 'A1:B2', columns: ['a', 'n'] },
            { name: 'R', ref: 'D1:E2', columns: ['c', 'm'] },
          ],
        },
      ],
      names: { in_L: 'L', in_R: 'R', out_Both: 'S!$B$5' },
    };
    const { outputs, model } = await (
      await growingBook(spec)
    ).run({
      L: [
        ['x', 1],
        ['x', 2],
        ['x', 3],
      ],
      R: [
        ['y', 4],
        ['y', 5],
      ],
    });
    expect(outputs['Both']).toBe(15);
    expect([contentAt(model, 'B5'), contentAt(model, 'E4'), contentAt(model, 'B7')]).toEqual([
      '=SUM(B2:B4)',
      '=SUM(E2:E3)',
      '=B5+E4',
    ]);
  });

  it('beside each other move what is below both of them by as many rows as the longer one needs', async () => {
    const below = { A4: 'end', E4: { formula: 'SUM(B2:B2)+SUM(E2:E2)', value: 3 } };
    const spec: WorkbookSpec = {
      sheets: [
        {
          name: 'S',
          cells: { A1: 'a', B1: 'n', A2: 'x', B2: 1, D1: 'c', E1: 'm', D2: 'y', E2: 2, ...below },
          merges: ['A4:D4'],
          tables: [
            { name: 'L', ref: 'A1:B2', columns: ['a', 'n'] },
            { name: 'R', ref: 'D1:E2', columns: ['c', 'm'] },
          ],
        },
      ],
      names: { in_L: 'L', in_R: 'R', out_Both: 'S!$E$4' },
    };
    const rows = (count: number): unknown[][] => Array.from({ length: count }, (_, at) => [`r${at}`, 1]);
    const book = await growingBook(spec);
    for (const [left, right] of [
      [6, 9],
      [9, 6],
    ] as const) {
      const { outputs, model } = await book.run({ L: rows(left), R: rows(right) });
      expect(outputs['Both']).toBe(15);
      expect([contentAt(model, 'A12'), model.sheets[0]!.merges]).toEqual([
        'end',
        [{ top: 11, bottom: 11, left: 0, right: 3 }],
      ]);
      expect(contentAt(model, 'E12')).toBe(`=SUM(B2:B${1 + left})+SUM(E2:E${1 + right})`);
    }
  });

  it('beside each other, one longer, are refused where whole rows would have to move, and the upload says why', async () => {
    const base = invoice({
      cells: { F4: 'Code', F5: 'c', F6: 'd', F7: 'e', F8: 'f', A12: 'end' },
      merges: ['A12:F12'],
    });
    base.sheets[0]!.tables!.push({ name: 'Codes', ref: 'F4:F8', columns: ['Code'] });
    const book = await growingBook(base);
    expect(book.definition.inputs[0]!.Info).toMatchObject({ MaxRows: 2, RowsEnd: "cell C7 of sheet 'Invoice'" });
    expect(book.inspection.fidelity?.Findings?.map(({ Message }) => Message)).toEqual([
      "The input 'Lines' takes at most 2 rows: cell C7 of sheet 'Invoice' is in the way and cannot be moved down, because table 'Codes' is next to its last row.",
    ]);
    const { outcome, log } = await book.run({ Lines: lines(3) });
    expect(outcome.status).toBe('LogicError');
    expect(log).toEqual([
      "Table 'Lines' has no room to grow: cell C7 of sheet 'Invoice' is in the way and cannot be moved down, because table 'Codes' is next to its last row. Move it to another place or sheet.",
    ]);
  });
});

describe('a totals row', () => {
  it('of the table moves with what stands below it', async () => {
    const spec: WorkbookSpec = {
      sheets: [
        {
          name: 'S',
          cells: {
            A1: 'Item',
            B1: 'Hours',
            A2: 'a',
            B2: 2,
            A3: 'Total',
            B3: { formula: 'SUBTOTAL(109,T[Hours])', value: 2 },
            B4: { formula: 'B3*2', value: 4 },
            B5: { formula: 'SUM(B3:B4)', value: 6 },
          },
          tables: [
            {
              name: 'T',
              ref: 'A1:B3',
              columns: ['Item', { name: 'Hours', totalsFormula: 'SUBTOTAL(109,T[Hours])' }],
              totals: true,
            },
          ],
        },
      ],
      names: { in_T: 'T', out_Sum: 'S!$B$5' },
    };
    const { outputs, model } = await (
      await growingBook(spec)
    ).run({
      T: [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
    });
    expect(outputs['Sum']).toBe(18);
    expect(contentOf(model, 0)).toMatchObject({
      B4: 3,
      A5: 'Total',
      B5: '=SUBTOTAL(109,T[Hours])',
      B6: '=B5*2',
      B7: '=SUM(B5:B6)',
    });
  });
});
