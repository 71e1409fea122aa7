import { describe, expect, it } from 'vitest';
import { parseCell } from '#shared/codecs/cell-address.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import { evaluate } from '../testing/evaluate.ts';
import { parseFormula } from './parser.ts';
import { printFormula } from './printer.ts';
import { relativeKey } from './relative-key.ts';
import { isFilledDown, rowTemplate } from './row-template.ts';
import { shownFormula } from './shown-formula.ts';

const at = { row: 4, col: 4 };

/** As typed, and as Excel saves them. */
const SPELLINGS = [
  ['ROWS(A1:.A10)', 'ROWS(_xlfn._TRO_TRAILING(A1:A10))'],
  ['ROWS(A1.:A10)', 'ROWS(_xlfn._TRO_LEADING(A1:A10))'],
  ['ROWS(A1.:.A10)', 'ROWS(_xlfn._TRO_ALL(A1:A10))'],
  ['ROWS(A:.A)', 'ROWS(_xlfn._TRO_TRAILING(A:A))'],
  ['SUM(A.:.$B)', 'SUM(_xlfn._TRO_ALL(A:$B))'],
  ['COLUMNS(1:.1)', 'COLUMNS(_xlfn._TRO_TRAILING(1:1))'],
  ['COLUMNS(1.:$3)', 'COLUMNS(_xlfn._TRO_LEADING(1:$3))'],
  ['SUM(Sheet1!A1:.A10)', 'SUM(_xlfn._TRO_TRAILING(Sheet1!A1:A10))'],
  ["SUM('My (1) sheet'!A.:A)", "SUM(_xlfn._TRO_LEADING('My (1) sheet'!A:A))"],
  ['ROWS($A$1:.$A$10)', 'ROWS(_xlfn._TRO_TRAILING($A$1:$A$10))'],
] as const;

describe.each(SPELLINGS)('%s, which files hold as %s,', (typed, stored) => {
  it('is one formula in both spellings', () => {
    expect(printFormula(parseFormula(typed, at), at)).toBe(stored);
    expect(printFormula(parseFormula(stored, at), at)).toBe(stored);
    expect(shownFormula(stored)).toBe(`=${typed}`);
  });
});

it('names with points stay names', () => {
  for (const text of ['a.b+rate.', '.a', 'A1:rate.x']) expect(printFormula(parseFormula(text, at), at)).toBe(text);
  expect(parseFormula('1.+.5', at)).toMatchObject({ left: { value: 1 }, right: { value: 0.5 } });
});

it('formulas typed with them are taken for filled down only where they are', () => {
  const key = (text: string, cell: string): string | null => relativeKey(text, parseCell(cell)!);
  expect(key('SUM($A1.:$A10)', 'D1')).not.toBe(key('SUM($A1.:$A11)', 'D2'));
  expect(key('SUM(A1:.A10)', 'D1')).not.toBe(key('SUM(A2:.A10)', 'D2'));
  const isFilled = (first: string, second: string): boolean => {
    const template = rowTemplate(first, 0);
    const bytes = new TextEncoder().encode(second);
    return template !== null && isFilledDown(template, bytes, 0, bytes.length, 1);
  };
  expect(isFilled('SUM(A1:.A10)', 'SUM(A2:.A10)')).toBe(false);
  expect(isFilled('SUM(A1.:A10)', 'SUM(A1.:A11)')).toBe(false);
  expect(isFilled('SUM(_xlfn._TRO_ALL(A1:A10))', 'SUM(_xlfn._TRO_ALL(A2:A11))')).toBe(true);
});

describe('a trim reference leaves out blank rows and columns', () => {
  const CELLS = { A1: 1, A2: 2, A3: 3, C1: 5, F4: 7, G5: '=""', H3: 4, 'Other!B2': 8 };
  it.each([
    // As Excel saved them.
    ['ROWS(A1:.A10)', 3],
    ['ROWS(A1.:A10)', 10],
    ['ROWS(A1.:.A10)', 3],
    ['ROWS(A:.A)', 3],
    ['SUM(A1:.C10)', 11],
    ['SUM(Sheet1!A1:.A10)', 6],
    ['ROWS($A$1:.$A$10)', 3],
    // After the values, before them and around them, in rows and columns.
    ['ROWS(E1:.F10)', 4],
    ['COLUMNS(E1:.H10)', 4],
    ['ROWS(E2.:F10)', 7],
    ['COLUMNS(E1.:H10)', 3],
    ['ROW(E1.:.F10)', 4],
    ['ROWS(F.:.F)', 1],
    // A formula that returns an empty text is not blank.
    ['ROWS(G1:.G10)', 5],
    ['ROWS(B1:.B10)', '#REF!'],
    ['SUM(Other!A.:.C)', 8],
    ['SUM(A1:.A10*2)', 12],
    ['A1:.A10*2', [[2], [4], [6]]],
    ['SUM(OFFSET(A1:.A10,1,0,2))', 5],
    ['SUM(A1:.A10:C1)', 11],
    ['COUNTIF(A:.A,">1")', 2],
    ['XLOOKUP(2,A:.A,A:.A)', 2],
    ['SUM(used)', 6],
    ['_xlfn._TRO_ALL({1,2})', '#VALUE!'],
    ['SUM(_xlfn._TRO_ALL(#REF!))', '#REF!'],
  ])('=%s', (formula, expected) => {
    const names = { used: '=_xlfn._TRO_ALL(Sheet1!$A$1:$A$10)' };
    expect(evaluate(`=${formula}`, CELLS, { names })).toEqual(expected);
  });

  it('in a formula of the old kind', () => {
    expect(evaluate('=SUM(_xlfn._TRO_TRAILING(A:A))', CELLS, { isOld: true })).toBe(6);
    expect(evaluate('=_xlfn._TRO_TRAILING(A:A)', CELLS, { isOld: true, at: 'D2' })).toBe(2);
  });

  it('and is calculated again where a cell beyond the values is written or cleared', () => {
    const cells = { A1: 1, A2: 2, C1: '=ROWS(_xlfn._TRO_TRAILING(A1:A10))', C2: '=SUM(A:.A)' };
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    model.recalculate();
    const values = (): unknown[] => [model.value(0, 0, 2), model.value(0, 1, 2)];
    expect(values()).toEqual([2, 3]);
    model.setCells([{ sheet: 0, row: 6, col: 0, value: 4 }]);
    model.recalculate();
    expect(values()).toEqual([7, 7]);
    model.setCells([1, 6].map((row) => ({ sheet: 0, row, col: 0, value: null })));
    model.recalculate();
    expect(values()).toEqual([1, 1]);
  });

  it('and is shown as it is typed by FORMULATEXT', () => {
    const cells = { A1: '=SUM( _xlfn._TRO_ALL(B1:B9) )', A2: '=_xlfn.SINGLE(B1:B9)+SUM(_xlfn.ANCHORARRAY(C1))' };
    expect(evaluate('=FORMULATEXT(A1)', cells)).toBe('=SUM( B1.:.B9 )');
    expect(evaluate('=FORMULATEXT(A2)', cells)).toBe('=@B1:B9+SUM(C1#)');
  });
});

describe('the text of INDIRECT may be a trim reference', () => {
  const CELLS = { A2: 2, A3: 3, B1: '="C2:."&"C9"', C4: 5, "It's (1)!A1": 1, "It's (1)!A4": 4 };
  it.each([
    ['ROWS(INDIRECT("A:.A"))', 3],
    ['SUM(INDIRECT("A.:.A"))', 5],
    ['ROWS(INDIRECT("A.:.A"))', 2],
    ['ROW(INDIRECT("$A$1.:A9"))', [[2], [3], [4], [5], [6], [7], [8], [9]]],
    ['INDIRECT("A1.:.A9")*10', [[20], [30]]],
    ['ROWS(INDIRECT("Sheet1!A1:.C9"))', 4],
    ['COLUMNS(INDIRECT("2.:.$3"))', 1],
    [`ROWS(INDIRECT("'It''s (1)'!A:.A"))`, 4],
    ['ROWS(INDIRECT(B1))', 3],
    ['ROWS(INDIRECT("A01:.A09"))', 3],
    ['ROWS(INDIRECT("R1C1:.R9C1",FALSE))', 3],
    ['ROWS(INDIRECT("Sheet1!R1C1.:.R9C1",FALSE))', 2],
    ['ROWS(INDIRECT("C1.:C1",FALSE))', 1_048_575],
    // Without a value, and what is no reference.
    ['ROWS(INDIRECT("D1:.D9"))', '#REF!'],
    ['INDIRECT("A:.9")', '#REF!'],
    ['INDIRECT("A1:..A9")', '#REF!'],
    ['INDIRECT("A1:.")', '#REF!'],
    ['INDIRECT("Nosheet!A1:.A9")', '#REF!'],
    ['INDIRECT("[1]Sheet1!A1:.A9")', '#REF!'],
    // What files contain for one is a call, and nobody can type it.
    ['INDIRECT("_xlfn._TRO_ALL(A1:A9)")', '#REF!'],
    ['INDIRECT("TRIMRANGE(A1:A9)")', '#REF!'],
  ])('=%s', (formula, expected) => {
    expect(evaluate(`=${formula}`, CELLS)).toEqual(expected);
  });

  it('and reads the blank cells that it leaves out', () => {
    const cells = { A1: 1, B1: '=SUM(INDIRECT("A1:.A10"))' };
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    model.recalculate();
    const whole = { sheet: 0, block: { top: 0, left: 0, bottom: 9, right: 0 } };
    expect(model.referencesOf!(0, 0, 1)).toContainEqual(whole);
    model.setCells([{ sheet: 0, row: 6, col: 0, value: 4 }]);
    model.recalculate();
    expect(model.value(0, 0, 1)).toBe(5);
  });
});

describe('a text of more than 255 characters, which files hold in parts,', () => {
  const parts = ['a'.repeat(250), `say ""hi"",""x""`, 'end'].map((part) => `"${part}"`).join(',');
  const stored = `LEN(_xlfn._LONGTEXT(${parts}))`;

  it('is one text', () => {
    expect(evaluate(`=${stored}`)).toBe(250 + 'say "hi","x"'.length + 3);
    expect(evaluate('=_xlfn._LONGTEXT("a""b","c")')).toBe('a"bc');
  });

  it('is written as it is stored, and shown in one', () => {
    expect(printFormula(parseFormula(stored, at), at)).toBe(stored);
    const shown = `=LEN("${'a'.repeat(250)}say ""hi"",""x""end")`;
    expect(shownFormula(stored)).toBe(shown);
    expect(evaluate('=FORMULATEXT(A1)', { A1: `=${stored}` })).toBe(shown);
  });
});
