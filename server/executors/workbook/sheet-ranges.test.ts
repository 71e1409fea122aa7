import { describe, expect, it } from 'vitest';
import { parseCell } from '#shared/codecs/cell-address.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { withParts } from '#test/support/add-parts.ts';
import type { AddedParts } from '#test/support/add-parts.ts';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { zipParts } from '#test/support/zip-parts.ts';
import { openPackage } from './package.ts';
import { writeBack } from './write-back.ts';
import type { WorkbookEdits } from './write-back.ts';

const edit = (address: string, value: CellValue, sheet = 0) => ({ sheet, ...parseCell(address)!, value });

const ORDERS: SheetSpec = {
  name: 'Orders',
  cells: { A1: 'Item', B1: 'Q1', C1: 'Q2', A2: 'Nuts', B2: 1, C2: 2, A3: 'Bolts', B3: 3, C3: 4, A4: 'Total', B4: 4 },
  tables: [{ name: 'T', ref: 'A1:C4', totals: true, columns: ['Item', 'Q1', 'Q2'] }],
};
const OTHER: SheetSpec = { name: 'Other', cells: { A1: 1, A2: 2, A3: 3 } };
const GROWN: WorkbookEdits = { tables: [{ table: 'T', dataRows: 4 }] };
const SHRUNK: WorkbookEdits = { tables: [{ table: 'T', dataRows: 1 }] };

async function written(spec: WorkbookSpec, edits: WorkbookEdits, added: AddedParts = {}) {
  const source = await openPackage(await zipParts(withParts(spec, added)));
  const notices: string[] = [];
  const after = await openPackage(await writeBack(source, readWorkbook(source), edits, (text) => notices.push(text)));
  const text = (path: string) => new TextDecoder().decode(after.part(path));
  const old = (path: string) => new TextDecoder().decode(source.part(path));
  return {
    sheet: text('xl/worksheets/sheet1.xml'),
    other: text('xl/worksheets/sheet2.xml'),
    text,
    old,
    notices,
    model: readWorkbook(after),
  };
}

describe('ranges of a sheet with a table that is resized', () => {
  const extra =
    '<sheetProtection/><protectedRanges><protectedRange name="r" sqref="B2:C3"/></protectedRanges>' +
    '<conditionalFormatting sqref="B2:C3 E1"><cfRule type="expression" priority="1"><formula>B2&gt;AVERAGE(B$2:B$3)</formula></cfRule></conditionalFormatting>' +
    '<conditionalFormatting sqref="B4:C4"><cfRule type="dataBar" priority="2"><dataBar><cfvo type="formula" val="MAX($B$2:$B$3)"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar></cfRule></conditionalFormatting>';
  const validations = [
    { ref: 'B3', type: 'whole', formula1: '0', formula2: '9' },
    { ref: 'F1', type: 'list', formula1: '$A$2:$A$3' },
  ];
  const spec = {
    sheets: [
      { ...ORDERS, extra, validations },
      { ...OTHER, validations: [{ ref: 'A1', type: 'list', formula1: 'Orders!$A$2:$A$3' }] },
    ],
  };

  it('grow with it: conditional formats, validations, their formulas, on other sheets as well', async () => {
    const { sheet, other } = await written(spec, GROWN);
    expect(sheet).toContain(
      'sqref="B2:C5 E1"><cfRule type="expression" priority="1"><formula>B2&gt;AVERAGE(B$2:B$5)</formula>',
    );
    expect(sheet).toContain(
      'sqref="B6:C6"><cfRule type="dataBar" priority="2"><dataBar><cfvo type="formula" val="MAX($B$2:$B$5)"/>',
    );
    expect(sheet).toContain('<protectedRange name="r" sqref="B2:C5"/>');
    expect(sheet).toMatch(/<dataValidation type="whole"[^>]* sqref="B3:B5">/);
    expect(sheet).toContain('<formula1>$A$2:$A$5</formula1>');
    expect(other).toContain('<formula1>Orders!$A$2:$A$5</formula1>');
  });

  it('shrink with it', async () => {
    const { sheet, other } = await written(spec, SHRUNK);
    expect(sheet).toContain(
      'sqref="B2:C2 E1"><cfRule type="expression" priority="1"><formula>B2&gt;AVERAGE(B$2:B$2)</formula>',
    );
    expect(sheet).toContain('sqref="B3:C3"><cfRule type="dataBar"');
    // All rows of this range were removed, but the range stays: otherwise nothing would be left of it.
    expect(sheet).toMatch(/<dataValidation type="whole"[^>]* sqref="B3">/);
    expect(other).toContain('<formula1>Orders!$A$2:$A$2</formula1>');
  });

  it('in extensions follow too', async () => {
    const x14 =
      '<x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="expression"><xm:f>SUM(Orders!$B$2:$B$3)&gt;1</xm:f></x14:cfRule>' +
      '<xm:sqref>B2:B3</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings>';
    const { sheet } = await written(spec, GROWN, { sheets: { 0: { sparklines: x14 } } });
    expect(sheet).toContain('<xm:f>SUM(Orders!$B$2:$B$5)&gt;1</xm:f></x14:cfRule><xm:sqref>B2:B5</xm:sqref>');
  });

  it('of a filter over the sheet follow, and print areas grow around the table', async () => {
    const names = [
      { name: '_xlnm.Print_Area', text: 'Orders!$A$1:$F$5', sheet: 0 },
      { name: '_xlnm.Print_Titles', text: 'Orders!$1:$1', sheet: 0 },
      { name: '_xlnm.Print_Area', text: 'Other!$A$1:$C$3', sheet: 1 },
    ];
    const filter = '<autoFilter ref="A1:C3"/>';
    const { sheet, model } = await written({ sheets: [{ ...ORDERS, extra: filter }, OTHER], names }, GROWN);
    expect(sheet).toContain('<autoFilter ref="A1:C5"/>');
    expect(model.names.map(({ text }) => text)).toEqual(['Orders!$A$1:$F$6', 'Orders!$1:$1', 'Other!$A$1:$C$3']);
  });
});

describe('sparklines', () => {
  const sparkline = (source: string, cell: string): string =>
    `<x14:sparkline><xm:f>${source}</xm:f><xm:sqref>${cell}</xm:sqref></x14:sparkline>`;
  const group = (...sparklines: string[]): string =>
    `<x14:sparklineGroup displayEmptyCellsAs="gap"><x14:colorSeries rgb="FF376092"/><x14:sparklines>${sparklines.join('')}</x14:sparklines></x14:sparklineGroup>`;
  const spec = { sheets: [ORDERS, OTHER] };
  const inTable = group(sparkline('Orders!B2:B3', 'C2'), sparkline('Orders!B3:C3', 'C3'));

  it('over a column follow the table, on another sheet too', async () => {
    const columns = group(sparkline('Orders!B2:B3', 'E1'), sparkline("'Orders'!$C$2:$C$3", 'E2'));
    const sheets = { 0: { sparklines: columns }, 1: { sparklines: columns } };
    const grown = group(sparkline('Orders!B2:B5', 'E1'), sparkline('Orders!$C$2:$C$5', 'E2'));
    const { sheet, other } = await written(spec, GROWN, { sheets });
    expect(sheet).toContain(grown);
    expect(other).toContain(grown);
    const shrunk = group(sparkline('Orders!B2:B2', 'E1'), sparkline('Orders!$C$2:$C$2', 'E2'));
    expect((await written(spec, SHRUNK, { sheets })).other).toContain(shrunk);
  });

  it('of each row are there for new rows, and gone with rows that are gone', async () => {
    const rows = (count: number): string =>
      group(
        ...Array.from({ length: count }, (_, index) =>
          sparkline(`Orders!A${index + 2}:B${index + 2}`, `C${index + 2}`),
        ),
      );
    const sheets = { 0: { sparklines: rows(2) } };
    expect((await written(spec, GROWN, { sheets })).sheet).toContain(rows(4));
    expect((await written(spec, SHRUNK, { sheets })).sheet).toContain(rows(1));
  });

  it('beside the totals move with them, and the last of a group stays', async () => {
    const total = group(sparkline('Orders!B2:B3', 'B4'));
    const { sheet } = await written(spec, GROWN, { sheets: { 0: { sparklines: total } } });
    expect(sheet).toContain(group(sparkline('Orders!B2:B5', 'B6')));
    const last = group(sparkline('Orders!A3:B3', 'C3'));
    expect((await written(spec, SHRUNK, { sheets: { 0: { sparklines: last } } })).sheet).toContain(last);
    expect((await written(spec, GROWN, { sheets: { 0: { sparklines: inTable } } })).sheet).toContain(
      group(
        sparkline('Orders!B2:B5', 'C2'),
        sparkline('Orders!B3:C3', 'C3'),
        sparkline('Orders!B4:C4', 'C4'),
        sparkline('Orders!B5:C5', 'C5'),
      ),
    );
  });
});

describe('the source of a pivot table', () => {
  const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const cache = (source: string, attributes = ''): string =>
    `<pivotCacheDefinition${attributes} xmlns="${MAIN}" recordCount="2"><cacheSource type="worksheet">${source}</cacheSource>` +
    '<cacheFields count="1"><cacheField name="Item"><sharedItems/></cacheField></cacheFields></pivotCacheDefinition>';
  const RANGE = '<worksheetSource ref="A1:C3" sheet="Orders"/>';
  const NAMED = '<worksheetSource name="T"/>';
  const PATH = 'xl/pivotCache/pivotCacheDefinition1.xml';
  const spec = { sheets: [ORDERS, OTHER], names: { Area: 'Orders!$A$1:$C$3', Elsewhere: 'Other!$A$1:$A$3' } };
  const after = async (source: string, edits: WorkbookEdits, attributes?: string) => {
    const result = await written(spec, edits, { pivotCaches: [cache(source, attributes)] });
    return { now: result.text(PATH), old: result.old(PATH) };
  };
  const refreshed = (source: string): string => cache(source, ' refreshOnLoad="1"');

  it('follows its table, and Excel rebuilds the pivot table', async () => {
    const { now } = await after(RANGE, GROWN);
    expect(now).toContain(refreshed('<worksheetSource ref="A1:C5" sheet="Orders"/>'));
    expect((await after(NAMED, SHRUNK)).now).toContain(refreshed(NAMED));
    const named = '<worksheetSource name="Area"/>';
    expect((await after(named, GROWN)).now).toContain(refreshed(named));
  });

  it('whose values have changed is read again', async () => {
    const edits = { constants: [edit('B3', 99)] };
    expect((await after(RANGE, edits)).now).toContain(refreshed(RANGE));
    expect((await after(NAMED, edits, ' refreshOnLoad="0"')).now).toContain(refreshed(NAMED));
  });

  it('stays as it is where nothing in it has changed', async () => {
    const elsewhere = [edit('A3', 5, 1)];
    for (const source of [
      RANGE,
      NAMED,
      '<worksheetSource name="Area"/>',
      '<worksheetSource r:id="rId1" ref="A1:A3" sheet="Other"/>',
    ]) {
      const { now, old } = await after(
        source,
        { constants: elsewhere },
        ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
      );
      expect(now).toBe(old);
    }
    expect((await after('<worksheetSource name="Elsewhere"/>', { constants: elsewhere })).now).toContain(
      'refreshOnLoad="1"',
    );
    const refreshedSheet = await after(RANGE, GROWN, ' refreshOnLoad="true"');
    expect(refreshedSheet.now).toBe(refreshedSheet.old.replace('A1:C3', 'A1:C5'));
  });
});
