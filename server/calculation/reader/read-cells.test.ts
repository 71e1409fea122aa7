import { describe, expect, it } from 'vitest';
import { workbookParts } from '#test/support/build-workbook.ts';
import {
  MAIN,
  SHEET1,
  parts,
  readRows,
  readSheetSpec,
  readSheetXml,
  value,
  withStrings,
} from '#test/support/read-sheets.ts';
import { cellsIn } from './cell-index.ts';
import { isoToSerial } from './iso-date.ts';
import { readWorkbook } from './read-workbook.ts';
import { parseNumber } from './xml-number.ts';
import { encodeUtf8 } from './xml-text.ts';

describe('cells', () => {
  it('hold what their type says', () => {
    const model = readRows(
      '<row r="1"><c r="A1"><v>1.5</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="e"><v>#DIV/0!</v></c>' +
        '<c r="D1" t="str"><v>a&lt;b</v></c><c r="E1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>' +
        '<c r="F1" t="d"><v>2024-03-01T12:00:00</v></c><c r="G1"/><c r="H1" t="e"><v>#NEW!</v></c><c r="I1" t="n"><v> 7 </v></c>' +
        '<c r="J1"><v>NaN</v></c><c r="K1" t="str"><v></v></c><c r="L1"><v>&#49;2</v></c></row>',
    );
    const values = 'ABCDEFGHIJKL'.split('').map((letter) => value(model, `${letter}1`));
    expect(values).toEqual([1.5, true, '#DIV/0!', 'a<b', 'inline', 45_352.5, null, '#VALUE!', 7, '#NUM!', '', 12]);
  });

  it('point to shared texts: rich ones are joined, phonetic guides skipped', () => {
    const items =
      '<si><t xml:space="preserve"> a_x000D_\r\nb_x005F_x000D_ </t></si><si><r><rPr><b/></rPr><t>ri</t></r><r><t>ch</t></r></si>' +
      '<si><t>東</t><rPh sb="0" eb="1"><t>ひがし</t></rPh></si><si/>';
    const cells = [0, 1, 2, 3].map((index) => `<c t="s"><v>${index}</v></c>`).join('');
    const model = withStrings(items, `<row>${cells}</row>`);
    expect(['A1', 'B1', 'C1', 'D1'].map((address) => value(model, address))).toEqual([
      ' a\r\nb_x000D_ ',
      'rich',
      '東',
      '',
    ]);
  });

  it('find their place without addresses, and with a prefix', () => {
    const model = readSheetXml(
      `<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c r="D1"><x:v>2</x:v></x:c><x:c><x:v>3</x:v></x:c></x:row>` +
        '<x:row r="5"/><x:row><x:c><x:v>4</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    );
    expect(['A1', 'D1', 'E1', 'A6'].map((address) => value(model, address))).toEqual([1, 2, 3, 4]);
  });

  it('are in order, the last of two with one address counting, however the file has them', () => {
    const model = readRows(
      '<row r="3"><c r="B3"><v>1</v></c><c r="A3"><v>2</v></c></row><row r="1"><c r="C1"><v>3</v></c></row>' +
        '<row r="3"><c r="A3"><v>4</v></c></row>',
    );
    const { cells } = model.sheets[0]!;
    expect([...cells.rows]).toEqual([0, 2, 2]);
    expect([...cells.cols]).toEqual([2, 0, 1]);
    expect([...cells.values]).toEqual([3, 4, 1]);
  });

  it('are found by block', () => {
    const cells: Record<string, number> = {};
    for (const letter of 'ABCDE') for (const row of [1, 2, 4]) cells[letter + row] = row;
    const model = readSheetSpec({ cells }).sheets[0]!.cells;
    const found = [...cellsIn(model, { top: 1, left: 1, bottom: 3, right: 2 })];
    expect(found.map((at) => [model.rows[at], model.cols[at]])).toEqual([
      [1, 1],
      [1, 2],
      [3, 1],
      [3, 2],
    ]);
  });

  it.each([
    '0',
    '-12',
    '1234567890.12345',
    '0.1',
    '1E-5',
    '1e+21',
    '-0.30000000000000004',
    '123456789012345678',
    '.5',
    '5.',
    '1.7976931348623157E+308',
  ])('have the exact number %s', (text) => {
    const bytes = encodeUtf8(text);
    expect(parseNumber(bytes, 0, bytes.length)).toBe(Number(text));
  });

  it.each(['', '-', '.', '1.2.3', '0x10', '1 2', 'e5', '--1'])('have no number in %j', (text) => {
    const bytes = encodeUtf8(text);
    expect(parseNumber(bytes, 0, bytes.length)).toBeNaN();
  });

  it.each([
    ['1899-12-30', false, 0],
    ['1899-12-30T06:00:00', false, 0.25],
    ['1904-01-01T18:00:00', true, 0.75],
    ['1900-01-01', false, 1],
    ['1900-02-28', false, 59],
    ['1900-03-01', false, 61],
    ['2024-01-01', false, 45_292],
    ['1904-01-02', true, 1],
    ['18:00:00', false, 0.75],
    ['PT0H15M0.000S', false, 15 / 1440],
    ['PT1440H0M0.000S', false, 60],
    ['P1DT12H', false, 1.5],
    ['-PT6H', false, -0.25],
    ['2024-02-30', false, null],
    ['soon', false, null],
  ] as const)('hold the ISO date %s as a serial day', (text, date1904, serial) => {
    expect(isoToSerial(text, date1904)).toBe(serial);
  });
});

describe('values newer than the format', () => {
  const richFiles = (): Record<string, string | Uint8Array> => {
    const rich = 'http://schemas.microsoft.com/office/2017/06/relationships';
    const files: Record<string, string | Uint8Array> = workbookParts({ sheets: [{ name: 'S' }] });
    files['xl/_rels/workbook.xml.rels'] = String(files['xl/_rels/workbook.xml.rels']).replace(
      '</Relationships>',
      `<Relationship Id="v" Type="${rich}/rdRichValue" Target="richData/v.xml"/><Relationship Id="s" Type="${rich}/rdRichValueStructure" Target="richData/s.xml"/></Relationships>`,
    );
    return files;
  };

  it('are the names of linked data types behind the #VALUE! that the cell shows to older readers', () => {
    const files = richFiles();
    const entries = [1, 2, 0].map((i) => `<bk><extLst><ext><xlrd:rvb i="${i}"/></ext></extLst></bk>`).join('');
    files['xl/metadata.xml'] =
      `<metadata xmlns="${MAIN}"><metadataTypes><metadataType name="XLRICHVALUE"/></metadataTypes>` +
      `<futureMetadata name="XLRICHVALUE">${entries}</futureMetadata>` +
      '<valueMetadata>' +
      [0, 1, 2].map((v) => `<bk><rc t="1" v="${v}"/></bk>`).join('') +
      '</valueMetadata></metadata>';
    files['xl/richData/s.xml'] =
      '<rvStructures><s t="_linkedentitycore"><k n="%EntityId" t="s"/><k n="_DisplayString" t="s"/><k n="Price"/></s>' +
      '<s t="_linkedentity"><k n="%cvi" t="r"/></s><s t="_localImage"><k n="_rvRel"/></s></rvStructures>';
    files['xl/richData/v.xml'] =
      '<rvData><rv s="0"><v>a1</v><v>ACME &amp; CO. (XNAS:ACM)</v><v>182.5</v></rv><rv s="1"><v>0</v></rv><rv s="2"><v>0</v></rv></rvData>';
    files[SHEET1] = `<worksheet xmlns="${MAIN}"><sheetData><row>${[1, 2, 3]
      .map((vm) => `<c t="e" vm="${vm}"><v>#VALUE!</v></c>`)
      .join('')}</row></sheetData></worksheet>`;
    const model = readWorkbook(parts(files));
    const shown = 'ACME & CO. (XNAS:ACM)';
    expect(['A1', 'B1', 'C1'].map((address) => value(model, address))).toEqual([shown, '#VALUE!', shown]);
  });

  it('are errors behind the #VALUE! that the cell shows to older readers', () => {
    const files = richFiles();
    files['xl/metadata.xml'] =
      `<metadata xmlns="${MAIN}"><metadataTypes><metadataType name="XLDAPR"/><metadataType name="XLRICHVALUE"/></metadataTypes>` +
      '<futureMetadata name="XLRICHVALUE"><bk><extLst><ext><xlrd:rvb i="1"/></ext></extLst></bk></futureMetadata>' +
      '<cellMetadata><bk><rc t="1" v="0"/></bk></cellMetadata><valueMetadata><bk><rc t="2" v="0"/></bk></valueMetadata></metadata>';
    files['xl/richData/s.xml'] =
      '<rvStructures><s t="_image"><k n="a"/></s><s t="_error"><k n="colOffset" t="i"/><k n="errorType" t="i"/></s></rvStructures>';
    files['xl/richData/v.xml'] = '<rvData><rv s="0"><v>13</v></rv><rv s="1"><v>13</v><v>8</v></rv></rvData>';
    files[SHEET1] =
      `<worksheet xmlns="${MAIN}"><sheetData><row><c t="e" vm="1"><v>#VALUE!</v></c><c t="e"><v>#VALUE!</v></c></row></sheetData></worksheet>`;
    const model = readWorkbook(parts(files));
    expect([value(model, 'A1'), value(model, 'B1')]).toEqual(['#SPILL!', '#VALUE!']);
  });
});
