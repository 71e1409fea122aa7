import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DesignPart } from '#shared/contract/designs.ts';
import { workbookParts, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { zipParts, type Parts } from '#test/support/zip-parts.ts';
import { createEngines } from '../engines.ts';
import { openDesign } from './open-design.ts';

const engines = createEngines(null);
const SHEET = 'xl/worksheets/sheet1.xml';

async function open(spec: WorkbookSpec, change: (parts: Parts) => void = () => undefined) {
  const parts = workbookParts(spec);
  change(parts);
  return openDesign(await zipParts(parts), { file: null, region: {} }, engines);
}

/** Inserts `xml` before the cells of the first sheet. */
const beforeCells = (xml: string) => (parts: Parts) => {
  parts[SHEET] = String(parts[SHEET]).replace('<sheetData', `${xml}<sheetData`);
};

const rowsOf = (bytes: Uint8Array): DesignPart['Rows'] => (JSON.parse(String(gunzipSync(bytes))) as DesignPart).Rows;

const STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<fonts><font><sz val="11"/><color theme="1"/></font><font><b/><i val="0"/><u/><sz val="14"/><color rgb="FFFF0000"/></font></fonts>' +
  '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor theme="4" tint="0.8"/></patternFill></fill></fills>' +
  '<borders><border/><border><left style="thin"><color indexed="10"/></left><bottom style="double"/></border></borders>' +
  '<cellXfs><xf/><xf numFmtId="9" fontId="1" fillId="2" borderId="1"><alignment horizontal="center" wrapText="1" indent="2"/></xf></cellXfs></styleSheet>';

test('fonts, fills, borders and alignment are read, with colours of the theme', async () => {
  const { looks, parts } = await open({ sheets: [{ name: 'S', cells: { A1: { value: 0.5, style: 1 } } }] }, (all) => {
    all['xl/styles.xml'] = STYLES;
  });
  const [[, cells]] = rowsOf(parts[0]![0]!) as [DesignPart['Rows'][number]];
  expect(looks[cells[0]![1]]).toEqual({
    Format: '0%',
    Bold: true,
    Italic: false,
    Underline: true,
    Strike: false,
    Size: 14,
    Color: '#ff0000',
    // Accent 1 of the Office theme (4472C4), 80 % lighter, which Excel calls DAE3F3.
    Fill: '#dae3f3',
    Align: 'center',
    VerticalAlign: 'bottom',
    Wrap: true,
    Indent: 2,
    Borders: [null, null, { Line: 'double', Color: '#000000' }, { Line: 'thin', Color: '#ff0000' }],
  });
});

test('a line of a border does not take the colour of a diagonal line, and colours of the palette are those of the workbook', async () => {
  const { looks, parts } = await open({ sheets: [{ name: 'S', cells: { A1: { value: 1, style: 1 } } }] }, (all) => {
    all['xl/styles.xml'] = STYLES.replace(
      '<bottom style="double"/>',
      '<bottom style="double"/><diagonal style="thin"><color rgb="FF00FF00"/></diagonal>',
    ).replace(
      '</styleSheet>',
      `<colors><indexedColors>${'<rgbColor rgb="00102030"/>'.repeat(11)}</indexedColors></colors></styleSheet>`,
    );
  });
  const [[, cells]] = rowsOf(parts[0]![0]!) as [DesignPart['Rows'][number]];
  expect(looks[cells[0]![1]]!.Borders).toEqual([
    null,
    null,
    { Line: 'double', Color: '#000000' },
    { Line: 'thin', Color: '#102030' },
  ]);
});

test('sizes, hidden and frozen parts are read as pixels and numbers', async () => {
  const { sheets } = await open({ sheets: [{ name: 'S', cells: { A1: 1, A3: 2 }, hiddenRows: [3] }] }, (parts) => {
    const view =
      '<sheetViews><sheetView showGridLines="0" rightToLeft="1"><pane xSplit="1" ySplit="2" state="frozen"/></sheetView></sheetViews>';
    const columns =
      '<cols><col min="2" max="3" width="20.7109375" customWidth="1"/><col min="5" max="5" width="9" hidden="1"/></cols>';
    beforeCells(`${view}<sheetFormatPr defaultRowHeight="15"/>${columns}`)(parts);
    parts[SHEET] = String(parts[SHEET]).replace('<row r="1"', '<row r="1" ht="30" customHeight="1"');
  });
  expect(sheets[0]).toMatchObject({
    ShowsGridLines: false,
    IsRightToLeft: true,
    FrozenRows: 2,
    FrozenColumns: 1,
    DefaultWidth: 64,
    DefaultHeight: 20,
    // The pixel width that Excel shows for 20 characters.
    Widths: [
      [1, 2, 145],
      [4, 4, 0],
    ],
    Heights: [
      [0, 0, 40],
      [2, 2, 0],
    ],
  });
});

test('formulas without saved values are calculated, errors and long texts are shown as such', async () => {
  const { parts } = await open({
    sheets: [
      {
        name: 'S',
        cells: { A1: 2, B1: { formula: 'A1*21' }, C1: { error: '#N/A' }, D1: 'x'.repeat(600), E1: true },
      },
    ],
  });
  const values = rowsOf(parts[0]![0]!)[0]![1].map(([, , value, formula]) => [value, formula]);
  expect(values).toEqual([
    [2, undefined],
    [42, 1],
    [{ error: '#N/A' }, undefined],
    [`${'x'.repeat(500)}…`, undefined],
    [true, undefined],
  ]);
});

test('a long sheet comes in parts, whole rows each', async () => {
  const cells = Object.fromEntries(
    Array.from({ length: 12_000 }, (_, row) => [
      [`A${row + 1}`, row],
      [`B${row + 1}`, row],
    ]).flat(),
  ) as Record<string, number>;
  const { sheets, parts } = await open({ sheets: [{ name: 'S', cells }] });
  expect(sheets[0]).toMatchObject({ Rows: 12_000, Columns: 2, Parts: [0, 5000, 10_000], RowsLeftOut: 0 });
  expect(parts[0]!.map((part) => rowsOf(part).length)).toEqual([5000, 5000, 2000]);
});

test('a file with more columns, sizes and merged cells than anybody makes is shown in part', async () => {
  const { sheets } = await open({ sheets: [{ name: 'S', cells: { A1: 1 } }] }, (parts) => {
    const columns = Array.from({ length: 150_000 }, (_, index) => {
      const at = (index % 16_384) + 1;
      return `<col min="${at}" max="${at}" width="${10 + (index % 7)}"/>`;
    });
    beforeCells(`<cols>${columns.join('')}</cols>`)(parts);
  });
  expect(sheets[0]!.Widths.length).toBeLessThanOrEqual(100_000);
});
