/** Parts of a workbook that refer to cells, when cells below a table move down. */
import { describe, expect, it } from 'vitest';
import { CELL, EXTRA_SHEET, insertedIn, insertedText } from '#test/support/inserted-cells.ts';
import { chartPath, chartXml, numbersXml, seriesXml, textsXml, withParts } from '#test/support/add-parts.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { contentOf } from '#test/support/growing-table.ts';

/** Three new rows below row 3, in the columns A to C. */
const COLUMNS = { sheet: 0, row: 3, count: 3, left: 0, right: 2 };
const ROWS = { ...COLUMNS, right: 16_383 };

const SHEET = 'xl/worksheets/sheet1.xml';

describe('formulas', () => {
  it.each<[string, string, string]>([
    ['a cell above', 'A3', 'A3'],
    ['a cell below', 'A4', 'A7'],
    ['a fixed cell', '$B$9', '$B$12'],
    ['a cell beside', 'D9', 'D9'],
    ['a range above', 'SUM(A1:A3)', 'SUM(A1:A3)'],
    ['a range around the new rows', 'SUM(A1:C4)', 'SUM(A1:C7)'],
    ['a range below', 'SUM(A5:B6)', 'SUM(A8:B9)'],
    ['a range that is wider than the new cells', 'SUM(A5:D6)', 'SUM(A5:D6)'],
    ['whole columns', 'SUM(A:A)', 'SUM(A:A)'],
    ['whole rows', 'SUM(5:5)', 'SUM(5:5)'],
    ['another sheet', 'T!A9', 'T!A9'],
    ['its sheet by name', "'S'!A9", 'S!A12'],
    ['corners with different signs', 'SUM($A3:A$9)', 'SUM($A3:A$12)'],
    ['a dynamic array', '_xlfn.ANCHORARRAY(A9)', '_xlfn.ANCHORARRAY(A12)'],
    ['a text that looks like a cell', '"A9"&A9', '"A9"&A12'],
    ['another workbook', '[1]S!A9', '[1]S!A9'],
    ['the last row of the sheet', 'COUNT(A5:A1048576)', 'COUNT(A8:A1048576)'],
  ])('that name %s', async (_, before, after) => {
    for (const [sheet, cell] of [
      ['S', 'F1'],
      ['S', 'F9'],
      ['T', 'F1'],
    ] as const) {
      const text =
        sheet === 'T'
          ? before.replaceAll(/(?<![\w!$'[\]"])(\$?[A-D]\$?\d+(:\$?[A-D]\$?\d+)?)(?!["\w])/g, 'S!$1')
          : before;
      if (sheet === 'T' && (text === before || before.includes(':A:') || before.includes('[1]'))) continue;
      const wanted =
        sheet === 'T'
          ? after.replaceAll(/(?<![\w!$'[\]"])(\$?[A-D]\$?\d+(:\$?[A-D]\$?\d+)?)(?!["\w])/g, 'S!$1')
          : after;
      const { model } = await insertedIn(
        {
          sheets: [
            { name: 'S', cells: sheet === 'S' ? { [cell]: { formula: text, value: 0 } } : {} },
            { name: 'T', cells: sheet === 'T' ? { [cell]: { formula: text, value: 0 } } : {} },
          ],
        },
        COLUMNS,
      );
      expect(contentOf(model, sheet === 'S' ? 0 : 1)).toEqual({ [cell]: `=${wanted}` });
    }
  });

  it('that name whole rows follow new ones', async () => {
    const cells = { F1: { formula: 'SUM(5:5)+SUM(1:9)+E9', value: 0 } };
    const { model } = await insertedIn({ sheets: [{ name: 'S', cells }] }, ROWS);
    expect(contentOf(model, 0)).toEqual({ F1: '=SUM(8:8)+SUM(1:12)+E12' });
  });

  it('that cells share stay shared where the same happens to all of them, and part where not', async () => {
    const shared = (from: number, to: number, col: string, text: string, si: number) =>
      Object.fromEntries(
        Array.from({ length: to - from + 1 }, (_, at) => [
          `${col}${from + at}`,
          at === 0
            ? { formula: text, value: 0, shared: si, sharedOver: `${col}${from}:${col}${to}` }
            : { value: 0, shared: si },
        ]),
      );
    const cells = {
      ...shared(5, 7, 'A', 'B5*2', 0),
      ...shared(2, 5, 'C', 'B2*3', 1),
      ...shared(5, 6, 'F', 'A5+$B$9', 2),
    };
    const { model, text } = await insertedIn({ sheets: [{ name: 'S', cells }] }, COLUMNS);
    expect(contentOf(model, 0)).toEqual({
      A8: '=B8*2',
      A9: '=B9*2',
      A10: '=B10*2',
      C2: '=B2*3',
      C3: '=B3*3',
      C7: '=B7*3',
      C8: '=B8*3',
      F5: '=A8+$B$12',
      F6: '=A9+$B$12',
    });
    expect(text(SHEET)).toContain('<f t="shared" ref="A8:A10" si="0">B8*2</f>');
    expect(text(SHEET)).toContain('<f t="shared" ref="F5:F6" si="2">A8+$B$12</f>');
    expect(text(SHEET)).not.toContain('si="1"');
  });

  it('of arrays and what-if tables move with what they fill', async () => {
    const cells = {
      A5: { formula: 'B5:B6*2', value: 2, array: 'A5:A6' },
      A6: 4,
      B5: 1,
      B6: 2,
      C9: { value: 3, dataTable: 'ref="C9:C9" dt2D="0" dtr="0" r1="B5"' },
      E1: { formula: '_xlfn.SORT(B5:B6)', value: 1, array: 'E1:E2', dynamic: true },
      E2: 2,
    };
    const { text, model } = await insertedIn({ sheets: [{ name: 'S', cells }] }, COLUMNS);
    expect(text(SHEET)).toContain('<f t="array" ref="A8:A9">B8:B9*2</f>');
    expect(text(SHEET)).toContain('<f t="dataTable" ref="C12" dt2D="0" dtr="0" r1="B8"/>');
    expect(contentOf(model, 0)).toMatchObject({ A9: 4, E1: '=_xlfn.SORT(B8:B9)', E2: 2 });
  });
});

describe('names, pivot tables and other tables', () => {
  it('follow', async () => {
    const spec: WorkbookSpec = {
      sheets: [
        {
          name: 'S',
          cells: { A6: 'h', A7: 1, C7: { formula: 'A7*$B$9', value: 0 } },
          tables: [{ name: 'Low', ref: 'A6:A7', columns: [{ name: 'h', formula: 'S!$B$9*2' }] }],
        },
      ],
      names: [
        { name: 'Low_Cell', text: 'S!$A$7' },
        { name: '_xlnm.Print_Area', text: 'S!$A$1:$F$9', sheet: 0 },
        { name: '_xlnm.Print_Titles', text: 'S!$1:$2', sheet: 0 },
        { name: 'Two', text: 'S!$A$1:$A$2,S!$B$5:$B$6' },
      ],
    };
    const { model, text } = await insertedIn(spec, COLUMNS);
    expect(model.names.map((name) => name.text)).toEqual([
      'S!$A$10',
      'S!$A$1:$F$12',
      'S!$1:$2',
      'S!$A$1:$A$2,S!$B$8:$B$9',
    ]);
    expect(model.tables[0]!.block).toEqual({ top: 8, bottom: 9, left: 0, right: 0 });
    expect(text('xl/tables/table1_1.xml')).toContain('<calculatedColumnFormula>S!$B$12*2</calculatedColumnFormula>');
  });

  it('of pivots: their sources, and where they lie', async () => {
    const spec: WorkbookSpec = { sheets: [{ name: 'S', cells: { A1: 1 } }] };
    const parts = withParts(spec, {
      sheets: {
        0: {
          pivots: [
            {
              xml: '<pivotTableDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" name="P"><location ref="A6:B8"/></pivotTableDefinition>',
              cache: 0,
            },
          ],
        },
      },
      pivotCaches: [
        '<pivotCacheDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cacheSource type="worksheet"><worksheetSource ref="A2:C9" sheet="S"/></cacheSource></pivotCacheDefinition>',
      ],
    });
    const { text } = await insertedIn({ ...spec, parts }, COLUMNS);
    expect(text('xl/pivotTables/pivotTable1_1.xml')).toContain('<location ref="A9:B11"/>');
    expect(text('xl/pivotCache/pivotCacheDefinition1.xml')).toContain('<worksheetSource ref="A2:C12" sheet="S"/>');
  });
});

describe('charts and drawings', () => {
  const spec: WorkbookSpec = { sheets: [{ name: 'S', cells: { A5: 'x', B5: 1, A6: 'y', B6: 2 } }] };
  const chart = chartXml([
    seriesXml(0, textsXml('cat', 'S!$A$5:$A$6', ['x', 'y']), numbersXml('val', 'S!$B$5:$B$6', [1, 2])),
  ]);

  it('show the moved cells, and stay where they are beside them', async () => {
    const parts = withParts(spec, { sheets: { 0: { charts: [chart] } } });
    const { text } = await insertedIn({ ...spec, parts }, COLUMNS);
    expect(text(chartPath(0))).toContain('<c:f>S!$A$8:$A$9</c:f>');
    expect(text(chartPath(0))).toContain('<c:f>S!$B$8:$B$9</c:f>');
    expect(text('xl/drawings/drawing1.xml')).toContain('<xdr:row>0</xdr:row>');
  });

  it('move with whole rows, and keep their size', async () => {
    const parts = withParts(spec, { sheets: { 0: { charts: [chart, chart] } } });
    const { text } = await insertedIn({ ...spec, parts }, ROWS);
    const rows = [...text('xl/drawings/drawing1.xml').matchAll(/<xdr:row>(\d+)</g)].map(([, row]) => row);
    expect(rows).toEqual(['0', '15', '19', '34']);
  });
});

describe('what a sheet says of its cells', () => {
  it.each<[string, string, string]>([
    ['merged cells', '<mergeCells count="1"><mergeCell ref="A6:C7"/></mergeCells>', '<mergeCell ref="A9:C10"/>'],
    [
      'a protected range',
      '<protectedRanges><protectedRange name="P" sqref="A5 D5"/></protectedRanges>',
      'sqref="A8 D5"',
    ],
    [
      'a scenario',
      '<scenarios><scenario name="x" count="1"><inputCells r="A5" val="1"/></scenario></scenarios>',
      '<inputCells r="A8" val="1"/>',
    ],
    ['a filter', '<autoFilter ref="A1:C9"/>', '<autoFilter ref="A1:C12"/>'],
    [
      'a link within the workbook',
      '<hyperlinks><hyperlink ref="D1" location="S!A9" display="go"/></hyperlinks>',
      'location="S!A12"',
    ],
    [
      'the cell of a link',
      '<hyperlinks><hyperlink ref="A9" location="S!D1"/></hyperlinks>',
      '<hyperlink ref="A12" location="S!D1"/>',
    ],
    ['a watch', '<cellWatches><cellWatch r="B9"/></cellWatches>', '<cellWatch r="B12"/>'],
    [
      'ignored errors',
      '<ignoredErrors><ignoredError sqref="A1:A9" numberStoredAsText="1"/></ignoredErrors>',
      'sqref="A1:A12"',
    ],
    [
      'a data bar that is wider',
      '<conditionalFormatting sqref="A5:E6"><cfRule type="dataBar" priority="1"/></conditionalFormatting>',
      'sqref="A8:C9 D5:E6"',
    ],
    [
      'a rule of an extension',
      '<extLst><ext><x14:conditionalFormatting xmlns:x14="a"><x14:cfRule><xm:f xmlns:xm="b">$B$9</xm:f></x14:cfRule><xm:sqref xmlns:xm="b">A5</xm:sqref></x14:conditionalFormatting></ext></extLst>',
      '<xm:f xmlns:xm="b">$B$12</xm:f></x14:cfRule><xm:sqref xmlns:xm="b">A8</xm:sqref>',
    ],
    [
      'a sparkline',
      '<extLst><ext><x14:sparkline xmlns:x14="a"><xm:f xmlns:xm="b">S!A5:C5</xm:f><xm:sqref xmlns:xm="b">D5</xm:sqref></x14:sparkline></ext></extLst>',
      '<xm:f xmlns:xm="b">S!A8:C8</xm:f><xm:sqref xmlns:xm="b">D5</xm:sqref>',
    ],
  ])('follows: %s', async (_, before, after) => {
    expect(await insertedText(before, COLUMNS)).toContain(after);
  });

  it('leaves elements alone that are called like properties of every object', async () => {
    const unknown = '<extLst><ext><constructor ref="A9"/><valueOf ref="A9"/></ext></extLst>';
    expect(await insertedText(unknown, COLUMNS)).toContain(unknown);
  });

  it('follows: page breaks, where whole rows are new', async () => {
    const breaks = '<rowBreaks count="2" manualBreakCount="2"><brk id="2" man="1"/><brk id="5" man="1"/></rowBreaks>';
    expect(await insertedText(breaks, ROWS)).toContain('<brk id="2" man="1"/><brk id="8" man="1"/>');
    expect(await insertedText(breaks, COLUMNS)).toContain('<brk id="2" man="1"/><brk id="5" man="1"/>');
  });

  it('follows: notes, their boxes, threads, linked shapes and controls', async () => {
    const { text } = await insertedIn(EXTRA_SHEET, COLUMNS);
    expect(text('xl/comments1.xml')).toContain(`<comment ref="A8"`);
    expect(text('xl/threadedComments/threadedComment1.xml')).toContain('ref="A8"');
    const vml = text('xl/drawings/vmlDrawing1.vml');
    expect(vml).toContain('<x:Anchor>1, 15, 6, 2, 3, 15, 11, 4</x:Anchor>');
    expect(vml).toContain('<x:Row>7</x:Row>');
    expect(vml).toContain('<x:FmlaLink>$A$12</x:FmlaLink>');
    expect(text('xl/drawings/drawing1.xml')).toContain('textlink="S!$B$12"');
    expect(text('xl/ctrlProps/ctrlProp1.xml')).toContain('fmlaLink="S!$C$8"');
  });

  it('keeps heights and formats of rows where columns move, and moves them with whole rows', async () => {
    const rows = `<row r="4" ht="30" customHeight="1"><c r="A4"><v>1</v></c><c r="E4"><v>2</v></c></row>`;
    expect((await insertedIn(CELL(rows), COLUMNS)).text(SHEET)).toContain(
      '<row r="4" ht="30" customHeight="1"><c r="E4"><v>2</v></c></row><row r="7"><c r="A7"><v>1</v></c></row>',
    );
    expect((await insertedIn(CELL(rows), ROWS)).text(SHEET)).toContain(
      '<row r="7" ht="30" customHeight="1"><c r="A7"><v>1</v></c><c r="E7"><v>2</v></c></row>',
    );
  });

  it('gives whole new rows the height and the formats of the row above', async () => {
    const rows = `<row r="3" ht="30" customHeight="1"><c r="E3" s="1"><v>2</v></c></row><row r="4"><c r="A4"><v>1</v></c></row>`;
    const xml = (await insertedIn({ ...CELL(rows), formats: ['0.00'] }, ROWS)).text(SHEET);
    for (const row of [4, 5, 6])
      expect(xml).toContain(`<row r="${row}" ht="30" customHeight="1"><c r="E${row}" s="1"/></row>`);
  });

  it('gives rows and cells without addresses those that they have', async () => {
    const rows = '<row><c><v>1</v></c></row><row/><row/><row><c><v>4</v></c><c><f>A4</f><v>4</v></c></row>';
    const { model } = await insertedIn(CELL(rows), COLUMNS);
    expect(contentOf(model, 0)).toEqual({ A1: 1, A7: 4, B7: '=A7' });
  });
});
