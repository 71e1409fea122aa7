import { describe, expect, it } from 'vitest';
import { formula, readRows, readSheetSpec, value } from '#test/support/read-sheets.ts';

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

  it('distinguish legacy arrays from dynamic ones', () => {
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
