import { describe, expect, it } from 'vitest';
import { workbookParts } from '#test/support/build-workbook.ts';
import { MAIN, OFFICE, parts, read, readSheetSpec, readSheetXml, value } from '#test/support/read-sheets.ts';
import { readWorkbook } from './read-workbook.ts';
import type { WorkbookModel } from './workbook-model.ts';

describe('what surrounds the cells', () => {
  it('number formats: built in, custom, missing, by style; hidden columns', () => {
    const styles =
      `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="0.0&quot;x&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>` +
      '<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="200"/></cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode="no"/></dxf></dxfs></styleSheet>';
    const sheet = `<worksheet xmlns="${MAIN}"><cols><col min="2" max="9" style="2"/><col min="4" max="99999" hidden="true"/></cols><sheetData><row r="2" s="1" customFormat="1"><c s="3"/><c s="99"/></row></sheetData></worksheet>`;
    const model = readSheetXml(sheet, { 'xl/styles.xml': styles });
    expect(model.numberFormats).toEqual(['General', 'm/d/yyyy', '0.0"x"', 'General']);
    expect([...model.sheets[0]!.cells.styles]).toEqual([3, 0]);
    expect(model.sheets[0]!.columnStyles).toEqual([{ first: 1, last: 8, style: 2 }]);
    expect(model.sheets[0]!.hiddenColumns).toEqual([{ first: 3, last: 16_383 }]);
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
          errorTitle: 'Not one of them',
          error: 'Pick a or b',
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
      errorTitle: 'Not one of them',
      error: 'Pick a or b',
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
