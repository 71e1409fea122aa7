import { describe, expect, it } from 'vitest';
import { parseCell } from '#shared/codecs/cell-address.ts';
import { workbookParts } from '#test/support/build-workbook.ts';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { cellAt, cellsIn, savedValue } from './cell-index.ts';
import { isoToSerial } from './iso-date.ts';
import { readWorkbook } from './read-workbook.ts';
import type { WorkbookParts } from './relationships.ts';
import type { FormulaModel, WorkbookModel } from './workbook-model.ts';
import { parseNumber } from './xml-number.ts';
import { encodeUtf8 } from './xml-text.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET1 = 'xl/worksheets/sheet1.xml';

function parts(files: Record<string, string | Uint8Array>): WorkbookParts {
  const bytes = (content: string | Uint8Array) => (typeof content === 'string' ? encodeUtf8(content) : content);
  const byPath = new Map(Object.entries(files).map(([path, content]) => [path, bytes(content)]));
  return { paths: [...byPath.keys()], part: (path) => byPath.get(path) };
}

const read = (spec: WorkbookSpec): WorkbookModel => readWorkbook(parts(workbookParts(spec)));
const readSheetXml = (xml: string, further: Record<string, string> = {}): WorkbookModel =>
  read({ sheets: [{ name: 'S' }], parts: { [SHEET1]: xml, ...further } });
const readRows = (rows: string): WorkbookModel =>
  readSheetXml(`<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`);
const readSheetSpec = (sheet: Omit<SheetSpec, 'name'>): WorkbookModel => read({ sheets: [{ name: 'S', ...sheet }] });

function place(model: WorkbookModel, address: string, sheet = 0): number {
  const { row, col } = parseCell(address)!;
  return cellAt(model.sheets[sheet]!.cells, row, col);
}
function value(model: WorkbookModel, address: string, sheet = 0): unknown {
  const at = place(model, address, sheet);
  const saved = at < 0 ? undefined : savedValue(model.sheets[sheet]!.cells, at, model.strings);
  return typeof saved === 'object' && saved !== null ? saved.code : saved;
}
function formula(model: WorkbookModel, address: string): FormulaModel | undefined {
  const { cells } = model.sheets[0]!;
  return cells.formulaTable[cells.formulas[place(model, address)]!];
}
/** A sheet with a shared string table. */
const withStrings = (items: string, rows: string): WorkbookModel => {
  const spec = { sheets: [{ name: 'S' }] };
  const rels = String(workbookParts(spec)['xl/_rels/workbook.xml.rels']).replace(
    '</Relationships>',
    `<Relationship Id="rIdS" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
  );
  return readSheetXml(`<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`, {
    'xl/_rels/workbook.xml.rels': rels,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${items}</sst>`,
  });
};

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

  it('point to shared texts, rich ones put together, phonetic guides left out', () => {
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

describe('formulas', () => {
  it('that are shared point to one record, also before it comes', () => {
    const model = readRows(
      '<row r="1"><c r="A1"><f t="shared" si="1"/></c></row><row r="2"><c r="A2"><f t="shared" ref="A1:A3" si="1">B2*2</f></c></row>' +
        '<row r="3"><c r="A3"><f t="shared" si="1"></f></c><c r="B3"><f t="shared" si="1">C3</f></c></row>',
    );
    expect(formula(model, 'A2')).toEqual({
      kind: 'shared',
      text: 'B2*2',
      cell: { row: 1, col: 0 },
      block: { top: 0, left: 0, bottom: 2, right: 0 },
    });
    expect(formula(model, 'A1')).toBe(formula(model, 'A2'));
    expect(formula(model, 'A3')).toBe(formula(model, 'A2'));
    expect(formula(model, 'B3')).toMatchObject({ kind: 'normal', text: 'C3' });
  });

  it('that were filled down are one record, which is kept where its text first stands', () => {
    const cell = (address: string, text: string): string => `<c r="${address}"><f>${text}</f></c>`;
    const model = readRows(
      `<row r="1">${cell('A1', 'B1*C$1')}${cell('D1', 'B1&amp;"&lt;B1"')}</row>` +
        `<row r="2">${cell('A2', 'B2*C$1')}${cell('D2', 'B2&amp;"&lt;B1"')}</row>` +
        `<row r="3"><c r="A3"><v>5</v></c>${cell('D3', 'B3&amp;"&lt;B3"')}</row>` +
        `<row r="4">${cell('A4', 'B4*C$1')}${cell('D4', 'B4&amp;"&lt;B3"')}</row>` +
        `<row r="5">${cell('A5', 'B4*C$1')}</row>`,
    );
    expect(formula(model, 'A1')).toEqual({ kind: 'filled', text: 'B1*C$1', cell: { row: 0, col: 0 } });
    expect(formula(model, 'A2')).toBe(formula(model, 'A1'));
    expect(formula(model, 'A4')).toBe(formula(model, 'A1'));
    expect(formula(model, 'A5')).toMatchObject({ kind: 'normal', text: 'B4*C$1' });
    expect(formula(model, 'D2')).toBe(formula(model, 'D1'));
    expect(formula(model, 'D3')).toMatchObject({ text: 'B3&"<B3"', cell: { row: 2, col: 3 } });
    expect(formula(model, 'D4')).toBe(formula(model, 'D3'));
  });

  it('tell arrays of old from dynamic ones', () => {
    const array = { formula: '_xlfn.SEQUENCE(2)', array: 'A1:A2', value: 1 };
    const model = readSheetSpec({ cells: { A1: { ...array, dynamic: true }, C1: { ...array, array: 'C1:C2' } } });
    expect(formula(model, 'A1')).toMatchObject({
      kind: 'dynamicArray',
      block: { top: 0, left: 0, bottom: 1, right: 0 },
    });
    expect(formula(model, 'C1')).toMatchObject({ kind: 'array', text: '_xlfn.SEQUENCE(2)' });
  });

  it('show what-if tables as Excel does', () => {
    const model = readRows(
      '<row r="1"><c r="A1"><f t="dataTable" ref="A1:B2" dt2D="1" dtr="1" r1="D1" r2="D2"/></c><c r="D1"><f t="dataTable" ref="D1:D2" dtr="0" r1="E1"/></c>' +
        '<c r="E1"><f t="dataTable" ref="E1:E2" dtr="1" r1="F1"/></c>' +
        '<c r="G1"><f t="dataTable" ref="G1:G2" dt2D="1" dtr="1" del2="1" r1="F1" r2="F1"/></c></row>',
    );
    expect(['A1', 'D1', 'E1', 'G1'].map((address) => formula(model, address)?.text)).toEqual([
      'TABLE(D1,D2)',
      'TABLE(,E1)',
      'TABLE(F1,)',
      'TABLE(F1,#REF!)',
    ]);
  });

  it('keep the value saved with them and lose a leading equals sign', () => {
    const model = readRows('<row><c t="str"><f>=A2&amp;"x"</f><v>yx</v></c></row>');
    expect(formula(model, 'A1')?.text).toBe('A2&"x"');
    expect(value(model, 'A1')).toBe('yx');
  });
});

describe('what surrounds the cells', () => {
  it('number formats: built in, custom, missing, by style', () => {
    const styles =
      `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="0.0&quot;x&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>` +
      '<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="200"/></cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode="no"/></dxf></dxfs></styleSheet>';
    const sheet = `<worksheet xmlns="${MAIN}"><cols><col min="2" max="9" style="2"/></cols><sheetData><row r="2" s="1" customFormat="1"><c s="3"/><c s="99"/></row></sheetData></worksheet>`;
    const model = readSheetXml(sheet, { 'xl/styles.xml': styles });
    expect(model.numberFormats).toEqual(['General', 'm/d/yyyy', '0.0"x"', 'General']);
    expect([...model.sheets[0]!.cells.styles]).toEqual([3, 0]);
    expect(model.sheets[0]!.columnStyles).toEqual([{ first: 1, last: 8, style: 2 }]);
    expect(model.sheets[0]!.rowStyles).toEqual(new Map([[1, 1]]));
  });

  it('visibility, hidden rows, merges, notes', () => {
    const model = read({
      sheets: [
        { name: 'A', cells: { A1: 1 }, hiddenRows: [3, 5], merges: ['A1:B2'], notes: { C3: 'say & do' } },
        { name: 'B', state: 'hidden' },
        { name: 'C & D', state: 'veryHidden' },
      ],
    });
    expect(model.sheets.map(({ name, visibility }) => [name, visibility])).toEqual([
      ['A', 'visible'],
      ['B', 'hidden'],
      ['C & D', 'veryHidden'],
    ]);
    expect([...model.sheets[0]!.hiddenRows]).toEqual([2, 4]);
    expect(model.sheets[0]!.merges).toEqual([{ top: 0, left: 0, bottom: 1, right: 1 }]);
    expect(model.sheets[0]!.notes).toEqual([{ row: 2, col: 2, text: 'say & do' }]);
  });

  it('the thread of a comment rather than its fallback', () => {
    const model = read({
      sheets: [{ name: 'S', notes: { A1: '[Threaded comment] Your version of Excel…', B1: 'plain' } }],
      parts: {
        'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships><Relationship Id="a" Type="${OFFICE}/comments" Target="../comments1.xml"/><Relationship Id="b" Type="http://schemas.microsoft.com/office/2017/10/relationships/threadedComment" Target="../threadedComments/t1.xml"/></Relationships>`,
        'xl/threadedComments/t1.xml':
          '<ThreadedComments><threadedComment ref="A1" id="1"><text>first</text></threadedComment><threadedComment ref="A1" id="2"><text>answer</text></threadedComment></ThreadedComments>',
      },
    });
    expect(model.sheets[0]!.notes.map(({ text }) => text)).toEqual(['first', 'plain']);
  });

  it('data validations, those in extensions too', () => {
    const model = readSheetSpec({
      validations: [
        {
          ref: 'A1:A3 C1',
          type: 'list',
          formula1: '"a,b"',
          allowBlank: true,
          promptTitle: 'Title',
          prompt: 'Pick_x000a_one',
        },
      ],
      extra:
        '<extLst><ext><x14:dataValidations xmlns:x14="a" xmlns:xm="b"><x14:dataValidation type="decimal" operator="lessThan" errorStyle="warning">' +
        '<x14:formula1><xm:f>Other!$A$1</xm:f></x14:formula1><xm:sqref>E5</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>',
    });
    const [extension, first] = model.sheets[0]!.validations;
    expect(first).toEqual({
      blocks: [
        { top: 0, left: 0, bottom: 2, right: 0 },
        { top: 0, left: 2, bottom: 0, right: 2 },
      ],
      type: 'list',
      operator: 'between',
      alert: 'stop',
      allowBlank: true,
      showsError: true,
      formula1: '"a,b"',
      formula2: '',
      promptTitle: 'Title',
      prompt: 'Pick\none',
    });
    expect(extension).toMatchObject({
      blocks: [{ top: 4, left: 4, bottom: 4, right: 4 }],
      type: 'decimal',
      operator: 'lessThan',
      alert: 'warning',
      formula1: 'Other!$A$1',
      showsError: false,
    });
  });

  it('tables with their formulas', () => {
    const columns = ['Qty', { name: 'Two\nlines', formula: 'T[[#This Row],[Qty]]*2', totalsFormula: 'SUM(T[Qty])' }];
    const model = readSheetSpec({ cells: { A1: 'Qty' }, tables: [{ name: 'T', ref: 'A1:B4', columns, totals: true }] });
    expect(model.tables).toEqual([
      {
        name: 'T',
        part: 'xl/tables/table1_1.xml',
        sheet: 0,
        block: { top: 0, left: 0, bottom: 3, right: 1 },
        headerRows: 1,
        totalsRows: 1,
        columns: [
          { name: 'Qty' },
          { name: 'Two\nlines', calculatedFormula: 'T[[#This Row],[Qty]]*2', totalsFormula: 'SUM(T[Qty])' },
        ],
      },
    ]);
  });

  it('names, the date system, iteration, macros', () => {
    const names = [
      { name: 'in_A', text: 'S!$A$1' },
      { name: 'local', text: '"x"&1', sheet: 0, hidden: true },
    ];
    const spec = {
      sheets: [{ name: 'S' }],
      names,
      date1904: true,
      calculation: 'iterate="1" iterateCount="7"',
      macros: true,
    };
    const model = read(spec);
    expect(model.names).toEqual([
      { name: 'in_A', sheet: null, text: 'S!$A$1', hidden: false },
      { name: 'local', sheet: 0, text: '"x"&1', hidden: true },
    ]);
    expect(model.date1904).toBe(true);
    expect(model.iteration).toEqual({ enabled: true, count: 7, delta: 0.001 });
    expect(model.hasMacros).toBe(true);
  });

  it('what the file says of where its values come from', () => {
    const traces = { headings: [], styleNames: [{ id: 0, name: 'Normal' }], moneyFormats: [] };
    const silent = {
      program: null,
      programPart: 'docProps/app.xml',
      calculatesOnLoad: false,
      isIncomplete: false,
      roundsToDisplay: false,
      traces,
    };
    expect(read({ sheets: [{ name: 'S' }] }).origin).toEqual(silent);
    const calculation = 'fullCalcOnLoad="1" calcCompleted="0" fullPrecision="0"';
    expect(read({ sheets: [{ name: 'S' }], calculation }).origin).toEqual({
      program: null,
      programPart: 'docProps/app.xml',
      calculatesOnLoad: true,
      isIncomplete: true,
      roundsToDisplay: true,
      traces,
    });
    const originIn = (properties: string, styles?: string): WorkbookModel['origin'] => {
      const files = workbookParts({ sheets: [{ name: 'S' }] });
      const relationship = `<Relationship Id="rIdP" Type="${OFFICE}/extended-properties" Target="docProps/app.xml"/>`;
      const rels = String(files['_rels/.rels']).replace('</Relationships>', `${relationship}</Relationships>`);
      if (styles !== undefined) files['xl/styles.xml'] = styles;
      return readWorkbook(parts({ ...files, '_rels/.rels': rels, 'docProps/app.xml': properties })).origin;
    };
    const programIn = (properties: string): string | null | undefined => originIn(properties)?.program;
    expect(programIn('<Properties><Application>LibreOffice/7.3</Application></Properties>')).toBe('LibreOffice/7.3');
    expect(programIn('<Properties><Application>')).toBe(null);
    expect(programIn('<Properties><Application>Microsoft Excel</Application><HeadingPairs>')).toBe('Microsoft Excel');
    const properties =
      '<Properties><HeadingPairs><vt:vector xmlns:vt="v"><vt:variant><vt:lpstr>Arkusze</vt:lpstr></vt:variant>' +
      '<vt:variant><vt:i4>1</vt:i4></vt:variant></vt:vector></HeadingPairs>' +
      '<TitlesOfParts><vt:vector xmlns:vt="v"><vt:lpstr>Листы</vt:lpstr></vt:vector></TitlesOfParts></Properties>';
    const styles =
      `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="8" formatCode="#,##0.00\\ &quot;zł&quot;"/>` +
      '<numFmt numFmtId="164" formatCode="0.0"/></numFmts><cellStyles count="2"><cellStyle name="Normalny" xfId="0" ' +
      'builtinId="0"/><cellStyle name="Mine" xfId="1"/></cellStyles></styleSheet>';
    expect(originIn(properties, styles)?.traces).toEqual({
      headings: ['Arkusze'],
      styleNames: [{ id: 0, name: 'Normalny' }],
      moneyFormats: [{ id: 8, code: '#,##0.00\\ "zł"' }],
    });
  });

  it('strict files, whose namespaces are others', () => {
    const files = workbookParts({ sheets: [{ name: 'S', cells: { A1: 5 } }] });
    const strict = Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        path,
        String(content)
          .replaceAll(OFFICE, 'http://purl.oclc.org/ooxml/officeDocument/relationships')
          .replaceAll(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main'),
      ]),
    );
    expect(value(readWorkbook(parts(strict)), 'A1')).toBe(5);
  });

  it('chart sheets, which keep their place among the sheets', () => {
    const files = workbookParts({ sheets: [{ name: 'Chart' }, { name: 'S', cells: { A1: 1 } }] });
    files['xl/_rels/workbook.xml.rels'] = String(files['xl/_rels/workbook.xml.rels']).replace(
      '/worksheet"',
      '/chartsheet"',
    );
    const model = readWorkbook(parts(files));
    expect(model.sheets.map(({ cells }) => cells.count)).toEqual([0, 1]);
  });
});
