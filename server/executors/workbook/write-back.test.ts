import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCell, parseCell } from '#shared/codecs/cell-address.ts';
import { cellAt, savedValue } from '#server/calculation/reader/cell-index.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { cellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { rounds } from '#test/support/test-set.ts';
import { openPackage } from './package.ts';
import { fillFormula } from './grown-references.ts';
import { writeBack } from './write-back.ts';
import type { WorkbookEdits } from './write-back.ts';

const edit = (address: string, value: CellValue, sheet = 0) => ({ sheet, ...parseCell(address)!, value });

function valueOf(model: WorkbookModel, address: string, sheet = 0): CellValue {
  const { row, col } = parseCell(address)!;
  const { cells } = model.sheets[sheet]!;
  const at = cellAt(cells, row, col);
  return at < 0 ? null : savedValue(cells, at, model.strings);
}

function formulaOf(model: WorkbookModel, address: string, sheet = 0) {
  const { row, col } = parseCell(address)!;
  const { cells } = model.sheets[sheet]!;
  const at = cellAt(cells, row, col);
  const record = at < 0 ? undefined : cells.formulaTable[cells.formulas[at]!];
  // A formula of several cells has the text of its first cell; convert it to this cell.
  return record && { ...record, text: fillFormula(record.text, record.cell, { row, col }) ?? record.text };
}

async function rewritten(spec: WorkbookSpec, edits: WorkbookEdits) {
  const original = await buildWorkbook(spec);
  const before = await openPackage(original);
  const bytes = await writeBack(before, readWorkbook(before), edits);
  const after = await openPackage(bytes);
  const text = (path: string) => new TextDecoder().decode(after.part(path));
  const changed = before.paths.filter((path) => {
    const now = after.part(path);
    return !now || !Buffer.from(before.part(path)!).equals(Buffer.from(now));
  });
  return { bytes, before, after, changed, text, model: readWorkbook(after) };
}

const SHEET1 = 'xl/worksheets/sheet1.xml';
const ERROR = cellError('#N/A')!;

describe('values written back', () => {
  it('leave every byte of the package alone where nothing is new', async () => {
    const spec = { sheets: [{ name: 'S', cells: { A1: 5, B1: { formula: 'A1*2', value: 10 } } }], macros: true };
    const { changed } = await rewritten(spec, { constants: [edit('A1', 5)], results: [edit('B1', 10)] });
    expect(changed).toEqual([]);
  });

  it('change the sheet concerned and nothing else, macros and other sheets included', async () => {
    const spec = {
      sheets: [
        { name: 'In', cells: { A1: 5 } },
        { name: 'Out', cells: { A1: { formula: 'In!A1*2', value: 10 } } },
        { name: 'Other', cells: { A1: 'x' } },
      ],
      macros: true,
      calcChain: true,
    };
    const { changed, model } = await rewritten(spec, { constants: [edit('A1', 7)], results: [edit('A1', 14, 1)] });
    expect(changed).toEqual([SHEET1, 'xl/worksheets/sheet2.xml']);
    expect(valueOf(model, 'A1')).toBe(7);
    expect(valueOf(model, 'A1', 1)).toBe(14);
    expect(formulaOf(model, 'A1', 1)?.text).toBe('In!A1*2');
  });

  it.each<[string, CellValue, string]>([
    ['a number', 1.5, '<c r="A1" s="1"><v>1.5</v></c>'],
    ['a text', 'a<b', '<c r="A1" s="1" t="inlineStr"><is><t>a&lt;b</t></is></c>'],
    ['a text that looks like a formula', '=1+1', '<c r="A1" s="1" t="inlineStr"><is><t>=1+1</t></is></c>'],
    ['a text with blanks', ' a\r', '<c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve"> a_x000D_</t></is></c>'],
    ['a Boolean', false, '<c r="A1" s="1" t="b"><v>0</v></c>'],
    ['an error', ERROR, '<c r="A1" s="1" t="e"><v>#N/A</v></c>'],
    ['an error old readers do not know', cellError('#SPILL!')!, '<c r="A1" s="1" t="e"><v>#VALUE!</v></c>'],
    ['nothing', null, '<c r="A1" s="1"/>'],
    ['a number too large', Number.POSITIVE_INFINITY, '<c r="A1" s="1" t="e"><v>#NUM!</v></c>'],
  ])('keep the style of a cell that gets %s', async (_, value, xml) => {
    const spec = { sheets: [{ name: 'S', cells: { A1: { value: true, style: 1 } } }], formats: ['0.00'] };
    const { text } = await rewritten(spec, { constants: [edit('A1', value)] });
    expect(text(SHEET1)).toContain(xml);
  });

  it.each<[string, CellValue, string]>([
    ['a number', 3, '<c r="A1"><f>B1</f><v>3</v></c>'],
    ['a text', '=x&', '<c r="A1" t="str"><f>B1</f><v>=x&amp;</v></c>'],
    ['a text with blanks, as Excel writes it', 'x ', '<c r="A1" t="str"><f>B1</f><v xml:space="preserve">x </v></c>'],
    ['a Boolean', true, '<c r="A1" t="b"><f>B1</f><v>1</v></c>'],
    ['an error', ERROR, '<c r="A1" t="e"><f>B1</f><v>#N/A</v></c>'],
  ])('keep the formula of a cell whose result becomes %s', async (_, value, xml) => {
    const spec = { sheets: [{ name: 'S', cells: { A1: { formula: 'B1', value: 'old' } } }], calcChain: true };
    const { text, changed } = await rewritten(spec, { results: [edit('A1', value)] });
    expect(text(SHEET1)).toContain(xml);
    expect(changed).toEqual([SHEET1]);
  });

  it('stand in cells and rows the file did not have, in order, within the dimension', async () => {
    const spec = { sheets: [{ name: 'S', cells: { B3: 1, D3: 2 } }] };
    const addresses = ['C3', 'A3', 'F3', 'A1', 'B5', 'A5'];
    const { text, model } = await rewritten(spec, { constants: addresses.map((address) => edit(address, address)) });
    const order = [...text(SHEET1).matchAll(/<c r="(\w+)"/g)].map(([, address]) => address);
    expect(order).toEqual(['A1', 'A3', 'B3', 'C3', 'D3', 'F3', 'A5', 'B5']);
    expect(text(SHEET1)).toContain('<dimension ref="A1:F5"/>');
    for (const address of addresses) expect(valueOf(model, address)).toBe(address);
  });

  it('take the style of their column where the file has no cell', async () => {
    const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols><col min="2" max="3" style="1"/></cols><sheetData/></worksheet>`;
    const spec = { sheets: [{ name: 'S' }], formats: ['0.00'], parts: { [SHEET1]: sheet } };
    const { text } = await rewritten(spec, { constants: [edit('B2', 1)] });
    expect(text(SHEET1)).toContain('<sheetData><row r="2"><c r="B2" s="1"><v>1</v></c></row></sheetData>');
  });

  it('keep what this program does not know: attributes, extensions, prefixes, missing addresses', async () => {
    const sheet =
      '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>' +
      '<x:row r="2" spans="1:2" ht="30" x14ac:dyDescent="0.25"><x:c ph="1"><x:f ca="1">1</x:f><x:v>1</x:v><x:extLst>e</x:extLst></x:c>' +
      '<x:c t="str" vm="3"><x:v>b</x:v></x:c></x:row><x:row/></x:sheetData><!-- end --></x:worksheet>';
    const spec = { sheets: [{ name: 'S' }], parts: { [SHEET1]: sheet } };
    const { text } = await rewritten(spec, {
      results: [edit('A2', 2)],
      constants: [edit('B2', 'n'), edit('C2', true), edit('B3', 4)],
    });
    expect(text(SHEET1)).toBe(
      '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>' +
        '<x:row r="2" ht="30" x14ac:dyDescent="0.25"><x:c ph="1"><x:f ca="1">1</x:f><x:v>2</x:v><x:extLst>e</x:extLst></x:c>' +
        '<x:c t="inlineStr"><x:is><x:t>n</x:t></x:is></x:c><x:c r="C2" t="b"><x:v>1</x:v></x:c></x:row>' +
        '<x:row><x:c r="B3"><x:v>4</x:v></x:c></x:row></x:sheetData><!-- end --></x:worksheet>',
    );
  });

  it('are refused where no cell could hold them', async () => {
    const spec = { sheets: [{ name: 'S', cells: { A1: 1 } }] };
    const edits = { constants: [edit('A1', 'x'.repeat(32_768))] };
    await expect(rewritten(spec, edits)).rejects.toThrow(expect.objectContaining({ code: 'textTooLong' }));
  });
});

describe('a constant in the place of a formula', () => {
  it('takes the calculation chain out of the package, with all that points to it', async () => {
    const spec = { sheets: [{ name: 'S', cells: { A1: { formula: '1+1', value: 2 } } }], calcChain: true };
    const { after, changed, text, model } = await rewritten(spec, { constants: [edit('A1', 3)] });
    expect(after.paths).not.toContain('xl/calcChain.xml');
    expect(text('[Content_Types].xml') + text('xl/_rels/workbook.xml.rels')).not.toMatch(/calcChain/);
    expect(changed.sort()).toEqual(['[Content_Types].xml', 'xl/_rels/workbook.xml.rels', 'xl/calcChain.xml', SHEET1]);
    expect(formulaOf(model, 'A1')).toBeUndefined();
  });

  it('leaves the others of a shared formula with theirs', async () => {
    const shared = { shared: 0, value: 1 };
    const spec = {
      sheets: [
        {
          name: 'S',
          cells: { B1: { formula: 'A1*$A$9', sharedOver: 'B1:B3', ...shared }, B2: shared, B3: shared, C1: shared },
        },
      ],
    };
    const first = await rewritten(spec, { constants: [edit('B1', 5)] });
    expect(formulaOf(first.model, 'B1')).toBeUndefined();
    expect(formulaOf(first.model, 'B2')?.text).toBe('A2*$A$9');
    expect(formulaOf(first.model, 'B3')?.text).toBe('A3*$A$9');
    expect(formulaOf(first.model, 'C1')?.text).toBe('B1*$A$9');
    const second = await rewritten(spec, { constants: [edit('B2', 5)] });
    expect(formulaOf(second.model, 'B3')).toMatchObject({ kind: 'shared', text: 'A3*$A$9' });
  });

  it('clears what a dynamic array had spilled', async () => {
    const cells = { A1: { formula: 'B1:B3', array: 'A1:A3', dynamic: true, value: 1 }, A2: 2, A3: 3 };
    const { text, model } = await rewritten({ sheets: [{ name: 'S', cells }] }, { constants: [edit('A1', 9)] });
    expect(text(SHEET1)).toContain('<c r="A1"><v>9</v></c>');
    expect([valueOf(model, 'A2'), valueOf(model, 'A3')]).toEqual([null, null]);
  });
});

describe('a dynamic array', () => {
  const cells = { A1: { formula: '_xlfn.SEQUENCE(B1)', array: 'A1:A3', dynamic: true, value: 1 }, A2: 2, A3: 3, B1: 3 };

  it('grows', async () => {
    const { model, text } = await rewritten(
      { sheets: [{ name: 'S', cells }] },
      {
        spills: [{ sheet: 0, row: 0, col: 0, block: { top: 0, left: 0, bottom: 4, right: 0 } }],
        results: [edit('A4', 4), edit('A5', 5)],
      },
    );
    expect(formulaOf(model, 'A1')).toMatchObject({ kind: 'dynamicArray', block: { top: 0, bottom: 4 } });
    expect(text(SHEET1)).toContain('<c r="A1" cm="1"><f t="array" ref="A1:A5">');
    expect([valueOf(model, 'A3'), valueOf(model, 'A5')]).toEqual([3, 5]);
  });

  it('shrinks and leaves blank cells', async () => {
    const { model } = await rewritten(
      { sheets: [{ name: 'S', cells }] },
      { spills: [{ sheet: 0, row: 0, col: 0, block: { top: 0, left: 0, bottom: 1, right: 0 } }] },
    );
    expect(formulaOf(model, 'A1')?.block?.bottom).toBe(1);
    expect([valueOf(model, 'A2'), valueOf(model, 'A3')]).toEqual([2, null]);
  });
});

describe('a table', () => {
  const spec: WorkbookSpec = {
    sheets: [
      {
        name: 'Orders',
        cells: {
          A1: 'Qty',
          B1: 'Price',
          C1: 'Sum',
          A2: { value: 1, style: 1 },
          B2: 10,
          C2: { formula: 'Orders!$A2*B2', value: 10, style: 1 },
          A3: { value: 2, style: 1 },
          B3: 20,
          C3: { formula: 'Orders!$A3*B3', value: 40, style: 1 },
          A4: 'Total',
          C4: { formula: 'SUM(C2:C3)', value: 50 },
          E1: { formula: 'SUM($C$2:$C$3)+C4', value: 100 },
          E2: { formula: 'SUM(C2:C2)', value: 10 },
        },
        tables: [
          {
            name: 'T',
            ref: 'A1:C4',
            totals: true,
            columns: ['Qty', 'Price', { name: 'Sum', formula: 'Orders!$A2*B2', totalsFormula: 'SUM(C2:C3)' }],
          },
        ],
        validations: [{ ref: 'A2:A3 E5', type: 'whole', formula1: '0', formula2: '9' }],
        extra:
          '<conditionalFormatting sqref="C2:C3"><cfRule type="cellIs" priority="1" operator="lessThan"><formula>0</formula></cfRule></conditionalFormatting>',
      },
      { name: 'Other', cells: { A1: { formula: "SUM('Orders'!C2:C3)", value: 50 } } },
    ],
    names: [
      { name: 'in_Orders', text: 'Orders!$A$2:$C$3' },
      { name: 'with_header', text: 'Orders!$A$1:$C$3' },
      { name: 'total', text: 'Orders!$C$4' },
      { name: 'apart', text: 'Orders!$E$2:$E$3', sheet: 0 },
    ],
    formats: ['0.00'],
    calcChain: true,
  };

  it('that grows gets formulas, formats, ranges and names for its new rows', async () => {
    const { model, text, after } = await rewritten(spec, {
      tables: [{ table: 't', dataRows: 4 }],
      constants: [edit('A4', 3), edit('A5', 4), edit('B4', 1), edit('B5', 1)],
      results: [edit('C4', 3), edit('C5', 4), edit('C6', 57)],
    });
    const [table] = model.tables;
    expect(table!.block).toEqual({ top: 0, left: 0, bottom: 5, right: 2 });
    expect(text('xl/tables/table1_1.xml')).toContain('<autoFilter ref="A1:C5"/>');
    expect(formulaOf(model, 'C5')?.text).toBe('Orders!$A5*B5');
    expect(text(SHEET1)).toContain('<c r="A5" s="1"><v>4</v></c>');
    expect([valueOf(model, 'A6'), valueOf(model, 'C6'), valueOf(model, 'A4')]).toEqual(['Total', 57, 3]);
    expect(formulaOf(model, 'C6')?.text).toBe('SUM(C2:C5)');
    expect(formulaOf(model, 'E1')?.text).toBe('SUM($C$2:$C$5)+C6');
    expect(formulaOf(model, 'E2')?.text).toBe('SUM(C2:C2)');
    expect(formulaOf(model, 'A1', 1)?.text).toMatch(/Orders'?!C2:C5/);
    expect(model.names.map((name) => name.text)).toEqual([
      'Orders!$A$2:$C$5',
      'Orders!$A$1:$C$5',
      'Orders!$C$6',
      'Orders!$E$2:$E$3',
    ]);
    expect(text(SHEET1)).toContain('sqref="A2:A5 E5"');
    expect(text(SHEET1)).toContain('<conditionalFormatting sqref="C2:C5">');
    expect(after.paths).not.toContain('xl/calcChain.xml');
  });

  it('that shrinks leaves nothing behind and moves its totals', async () => {
    const { model, text } = await rewritten(spec, { tables: [{ table: 'T', dataRows: 1 }], results: [edit('C3', 10)] });
    expect(model.tables[0]!.block.bottom).toBe(2);
    expect([valueOf(model, 'A3'), valueOf(model, 'B3'), valueOf(model, 'C3')]).toEqual(['Total', null, 10]);
    expect(formulaOf(model, 'C3')?.text).toBe('SUM(C2:C2)');
    expect([valueOf(model, 'A4'), valueOf(model, 'C4'), formulaOf(model, 'C4')]).toEqual([null, null, undefined]);
    expect(model.names[0]!.text).toBe('Orders!$A$2:$C$2');
    expect(text('xl/tables/table1_1.xml')).toContain('<autoFilter ref="A1:C2"/>');
  });

  it('does not grow over what stands below it', async () => {
    const [orders, other] = spec.sheets;
    const below = { ...spec, sheets: [{ ...orders!, cells: { ...orders!.cells, B6: 'note' } }, other!] };
    const growing = rewritten(below, { tables: [{ table: 'T', dataRows: 4 }] });
    await expect(growing).rejects.toThrow(/cell B6 of sheet 'Orders' is in the way/);
    await expect(rewritten(below, { tables: [{ table: 'T', dataRows: 3 }] })).resolves.toBeDefined();
  });
});

describe('any edits', () => {
  const address = fc.tuple(fc.nat(6), fc.nat(5)).map(([row, col]) => formatCell(row, col));
  const scalar = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.boolean(),
    fc.string({
      unit: fc.constantFrom('a', ' ', '=', '<', '&', '\n', '\r', '\t', '_x000D_', 'é', '😀', '\u0002'),
      maxLength: 8,
    }),
  );
  const cell: fc.Arbitrary<CellSpec> = fc.oneof(
    scalar.map((value) => (typeof value === 'string' ? value.replaceAll(/[^ -~é]|_x/g, '') : value)),
    fc.record({ formula: fc.constantFrom('1+1', 'A1&"<"', 'SUM(B2:C9)'), value: fc.integer() }),
    fc.record({ value: fc.integer(), style: fc.constant(1) }),
  );
  const cells = fc.dictionary(address, cell, { maxKeys: 15 });
  const edits = fc.dictionary(address, fc.oneof(scalar, fc.constant(null), fc.constant(ERROR)), { maxKeys: 12 });

  it('read back as the model with the edits in it; all other cells and parts are as they were', async () => {
    await fc.assert(
      fc.asyncProperty(cells, edits, edits, async (stored, constants, results) => {
        for (const taken of Object.keys(constants)) delete results[taken];
        const spec = {
          sheets: [
            { name: 'S', cells: stored },
            { name: 'T', cells: { A1: 1 } },
          ],
          formats: ['0'],
          macros: true,
        };
        const list = (values: typeof constants) => Object.entries(values).map(([at, value]) => edit(at, value));
        const { before, changed, model } = await rewritten(spec, {
          constants: list(constants),
          results: list(results),
        });
        const old = readWorkbook(before);
        expect(changed.filter((path) => path !== SHEET1)).toEqual([]);
        for (let row = 0; row < 8; row++) {
          for (let col = 0; col < 7; col++) {
            const at = formatCell(row, col);
            const expected = at in constants ? constants[at] : at in results ? results[at] : valueOf(old, at);
            expect(valueOf(model, at)).toEqual(expected);
            expect(formulaOf(model, at)?.text).toEqual(at in constants ? undefined : formulaOf(old, at)?.text);
          }
        }
      }),
      { numRuns: rounds(40, 150) },
    );
  });

  it('make a file that another library reads', async () => {
    const spec = { sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1&"x"', value: '1x' } } }], macros: true };
    const { bytes } = await rewritten(spec, {
      constants: [edit('A1', 2), edit('A7', ' =é')],
      results: [edit('B1', '2x')],
    });
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(Buffer.from(bytes) as unknown as ExcelJS.Buffer);
    const sheet = workbook.getWorksheet('S')!;
    expect(sheet.getCell('A1').value).toBe(2);
    expect(sheet.getCell('A7').value).toBe(' =é');
    expect(sheet.getCell('B1').value).toMatchObject({ formula: 'A1&"x"', result: '2x' });
  });
});
