/**
 * Types of cells that do not reveal their own type. They are inferred from formulas that use the cells, and from the
 * results of formulas.
 */
import { describe, expect, it } from 'vitest';
import type { CellSpec, SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { defined, portal, read } from '#test/support/read-definitions.ts';

const NAMES = { in_X: 'S!$A$1' };
const usagesOf = async (sheet: Partial<SheetSpec>, more: Partial<WorkbookSpec> = {}): Promise<string[]> => {
  const { inputs } = await defined({ sheets: [{ name: 'S', ...sheet }], names: NAMES, ...more });
  return inputs[0]!.Info.CellUsages;
};
/** Returns the type of the blank cell A1, with this formula in C1 and these cells beside it. */
const kindIn = async (formula: string, cells: Record<string, CellSpec> = {}, more: Partial<WorkbookSpec> = {}) =>
  (await usagesOf({ cells: { ...cells, C1: { formula, value: 0 } } }, more))[0];

const formats = ['dd/mm/yyyy', '0.00'];
const DAY = { value: 45000, style: 1 };

describe('a blank cell without a format', () => {
  it.each([
    ['SUM(A1:A2)', 'Number'],
    ['SUM(A:A)', 'Number'],
    ['A1*2', 'Number'],
    ['10-A1', 'Number'],
    ['-A1', 'Number'],
    ['A1%', 'Number'],
    ['ROUND(A1,2)', 'Number'],
    ['PMT(A1/12,12,-100)', 'Number'],
    ['IF(A1>100,1,2)', 'Number'],
    ['IF(A1=5,1,2)', 'Number'],
    ['IF(A1>B1,1,2)', 'Number'],
    ['IF(B1="",0,A1)*2', 'Number'],
    ['IFERROR(A1,0)+1', 'Number'],
    ['SUMPRODUCT(A1:A3,B1:B3)', 'Number'],
    ['SUM(FILTER(A1:A9,B1:B9>0))', 'Number'],
    ['LET(x,A1,x*2)', 'Number'],
    ['SUM(MAP(A1:A3,LAMBDA(v,v*2)))', 'Number'],
    ['COUNTIF(A1:A9,">5")', 'Number'],
    ['SUMIF(B1:B9,"x",A1:A9)', 'Number'],
    ['DATE(A1,1,1)', 'Number'],
    ['INDEX(B1:B9,A1)', 'Number'],
    ['CHOOSE(A1,"a","b")', 'Number'],
    ['LEFT("abc",A1)', 'Number'],
    ['LOOKUP(A1,{0,60,90},{"F","D","A"})', 'Number'],
    ['LOOKUP(A1,{0,"F";60,"D";90,"A"})', 'Number'],
    ['VLOOKUP(A1,{"N",1;"S",2},2,FALSE)', 'Text'],
    ['HLOOKUP(A1,{1,2;"N","S"},2,FALSE)', 'Number'],
    ['OR(A1={1,2,3})', 'Number'],
    ['LAMBDA(x,x+1)(A1)', 'Number'],
    ['YEAR(A1)', 'Date'],
    ['EDATE(A1,3)', 'Date'],
    ['NETWORKDAYS(A1,B1)', 'Date'],
    ['DATEDIF(A1,TODAY(),"y")', 'Date'],
    ['A1-TODAY()', 'Date'],
    ['IF(A1<TODAY(),1,2)', 'Date'],
    ['XIRR(B1:B3,A1:A3)', 'Date'],
    ['TEXT(A1,"mmm yyyy")', 'Date'],
    ['AND(A1,B1>2)', 'Boolean'],
    ['IF(A1,1,2)', 'Boolean'],
    ['IF(A1=TRUE,1,2)', 'Boolean'],
    ['LEFT(A1,2)', 'Text'],
    ['"Dear "&A1', 'Text'],
    ['IF(A1="yes",1,2)', 'Text'],
    ['COUNTIF(A1:A9,"north")', 'Text'],
    ['COUNTA(A1:A9)', 'Text'],
    ['ROWS(A1:A9)', 'Text'],
    ['IF(A1="",1,2)', 'Text'],
    ['B1*2', 'Text'],
  ])('in =%s is a %s', async (formula, kind) => {
    expect(await kindIn(formula)).toBe(kind);
  });

  it.each([
    ['a number', 'IF(A1=B1,1,2)', { B1: 7 }, 'Number'],
    ['a text', 'IF(A1=B1,1,2)', { B1: 'north' }, 'Text'],
    ['a day', 'IF(A1>B1,1,2)', { B1: DAY }, 'Date'],
    ['a column of numbers, under its title', 'VLOOKUP(A1,E1:F4,2,FALSE)', { E1: 'No', E2: 1, E3: 2, E4: 3 }, 'Number'],
    ['a column of days', 'MATCH(A1,E1:E2,0)', { E1: DAY, E2: DAY }, 'Date'],
    ['a column of texts', 'XLOOKUP(A1,E1:E2,F1:F2)', { E1: 'a', E2: 'b' }, 'Text'],
    ['a column of numbers, by a criterion', 'SUMIFS(F1:F2,E1:E2,A1)', { E1: 1, E2: 2 }, 'Number'],
    ['a column of days, by a criterion', 'COUNTIFS(E1:E2,">="&A1)', { E1: DAY, E2: DAY }, 'Date'],
    ['what is greater', 'SUMIFS(F1:F2,E1:E2,">"&A1)', {}, 'Number'],
  ])('compared with %s takes its kind', async (_, formula, cells, kind) => {
    expect(await kindIn(formula, cells, { formats })).toBe(kind);
  });

  it('is what formulas do with cells that hand it on', async () => {
    const cells = {
      B1: { formula: 'A1', value: 0 },
      B2: { formula: 'IF(B1="",0,B1)', value: 0 },
      B3: { formula: 'B2*2', value: 0 },
    };
    expect(await usagesOf({ cells })).toEqual(['Number']);
    const days = { B1: { formula: 'A1', value: 0 }, B2: { formula: 'EOMONTH(+B1,0)', value: 0 } };
    expect(await usagesOf({ cells: days })).toEqual(['Date']);
  });

  it('is what cells show that hand it on', async () => {
    expect(await usagesOf({ cells: { B1: { formula: 'A1', value: 0, style: 1 } } }, { formats })).toEqual(['Date']);
    expect(await usagesOf({ cells: { B1: { formula: 'A1', value: 0, style: 2 } } }, { formats })).toEqual(['Number']);
    // A date, to which days are added.
    expect(await usagesOf({ cells: { B1: { formula: 'A1+30', value: 30, style: 1 } } }, { formats })).toEqual(['Date']);
    // In Excel, =A1 of a blank cell returns 0.
    expect(await usagesOf({ cells: { B1: { formula: 'A1', value: 0 } } })).toEqual(['Text']);
  });

  it('is found on other sheets and by its name', async () => {
    const sheets = [{ name: 'S' }, { name: 'Calc', cells: { A1: { formula: 'in_X/4', value: 0 } } }];
    expect((await defined({ sheets, names: NAMES })).inputs[0]!.Info.CellUsages).toEqual(['Number']);
    const names = { in_X: 'S!$A$1', Rates: 'S!$A$1:$A$9' };
    const summed = [{ name: 'S' }, { name: 'Calc', cells: { A1: { formula: 'SUM(Rates)', value: 0 } } }];
    expect((await defined({ sheets: summed, names })).inputs[0]!.Info.CellUsages).toEqual(['Number']);
  });

  it('is read in array formulas and in formulas filled down', async () => {
    expect(await usagesOf({ cells: { C1: { formula: 'SUM(A1:A3*B1:B3)', value: 0, array: 'C1' } } })).toEqual([
      'Number',
    ]);
    const cells = {
      C1: { formula: '$A$1*B1', value: 0, shared: 0, sharedOver: 'C1:C3' },
      C2: { value: 0, shared: 0 },
      C3: { value: 0, shared: 0 },
    };
    expect(await usagesOf({ cells })).toEqual(['Number']);
  });

  it('takes no kind from a block that is summed as a whole, where another formula says more', async () => {
    const cells = { C1: { formula: 'SUM(A1:B9)', value: 0 }, C2: { formula: 'IF(A1="yes",1,2)', value: 0 } };
    expect(await usagesOf({ cells })).toEqual(['Text']);
    expect(await usagesOf({ cells: { C1: cells.C1 } })).toEqual(['Number']);
  });

  it('of a table is found by column, its own rows and the table whole', async () => {
    const sheet = {
      cells: {
        A1: 'Item',
        B1: 'Rate',
        C1: 'Paid',
        D1: 'Share',
        A2: null,
        B2: null,
        C2: null,
        D2: { formula: 'Lines[[#This Row],[Rate]]*2', value: 0 },
        F1: { formula: 'YEAR(MAX(Lines[Paid]))', value: 1900 },
        F2: { formula: 'COUNTIF(Lines[Paid],">"&TODAY())', value: 0 },
      },
      tables: [
        {
          name: 'Lines',
          ref: 'A1:D2',
          columns: ['Item', 'Rate', 'Paid', { name: 'Share', formula: 'Lines[[#This Row],[Rate]]*2' }],
        },
      ],
    };
    const names = { in_Lines: 'Lines' };
    const { inputs } = await defined({ sheets: [{ name: 'S', ...sheet }], names });
    expect(inputs[0]!.Info.CellUsages).toEqual(['Text', 'Number', 'Date', 'Number']);
  });

  it('keeps what its cells, its format, its validation or the Portal sheet say', async () => {
    const C1 = { formula: 'A1*2', value: 0 };
    expect(await usagesOf({ cells: { A1: 'x', C1 } })).toEqual(['Text']);
    expect(await usagesOf({ cells: { A1: { value: null, style: 1 }, C1 } }, { formats: ['@'] })).toEqual(['Text']);
    expect(await usagesOf({ cells: { A1: { value: null, style: 1 }, C1 } }, { formats })).toEqual(['Date']);
    const validations = [{ ref: 'A1', type: 'textLength', operator: 'lessThan', formula1: '5' }];
    expect(await usagesOf({ cells: { C1 }, validations })).toEqual(['Text']);
    const rows = [
      ['Name', 'CellUsages'],
      ['X', 'Text'],
    ];
    const sheets = [
      { name: 'S', cells: { C1 } },
      { name: 'Portal', ...portal('PortalInputs', rows) },
    ];
    const { definition, findings } = await read({ sheets, names: NAMES });
    expect(definition!.inputs[0]!.Info.CellUsages).toEqual(['Text']);
    expect(findings).toEqual([]);
  });

  it('may stay blank in a list, as it is in the file', async () => {
    const { inputs } = await defined({
      sheets: [{ name: 'S', cells: { C1: { formula: 'SUM(A1:A9)', value: 0 } } }],
      names: { in_X: 'S!$A$1:$A$9' },
    });
    expect(inputs[0]!.Info).toMatchObject({ CellUsages: ['Number'], Blanks: [true] });
  });
});

describe('data validations', () => {
  it.each<[string, string, string]>([
    ['whole', 'A1', 'Number'],
    ['decimal', 'A1*2', 'Number'],
    ['textLength', 'A1', 'Number'],
    ['date', 'A1', 'Date'],
    ['time', 'A1', 'Date'],
    ['custom', 'B1>A1', 'Number'],
    ['custom', 'B1=A1', 'Text'],
    ['list', '$A$1:$A$3', 'Text'],
  ])('of %s with %s make a blank cell they read a %s one', async (type, formula1, usage) => {
    const validations = [{ ref: 'B1', type, operator: 'greaterThan', formula1 }];
    expect(await usagesOf({ cells: { C1: 1 }, validations })).toEqual([usage]);
  });

  it('read relative references from their own first cell, and say less than formulas', async () => {
    const validations = [{ ref: 'B1:B9', type: 'whole', operator: 'greaterThan', formula1: 'A2' }];
    expect(await usagesOf({ cells: { C1: 1 }, validations })).toEqual(['Text']);
    expect(
      await usagesOf(
        { cells: { C1: { formula: 'YEAR(A2)', value: 1900 } }, validations },
        { names: { in_X: 'S!$A$2' } },
      ),
    ).toEqual(['Date']);
    const { findings } = await read({
      sheets: [{ name: 'S', cells: { C1: 1 }, validations }],
      names: { in_X: 'S!$A$3' },
    });
    expect(findings.map(({ Message }) => Message)).toEqual([
      "The input 'X' is treated as a Number, because the data validation of S!B2 uses it as a number.",
    ]);
  });

  it('of numbers leave a day a day, and of lengths leave a number a number', async () => {
    const least = { ref: 'A1', type: 'decimal', operator: 'greaterThan', formula1: '0' };
    expect(
      await usagesOf({ cells: { A1: { value: 1.5, style: 1 } }, validations: [least] }, { formats: ['[h]:mm'] }),
    ).toEqual(['Date']);
    const length = { ...least, type: 'textLength', formula1: '4' };
    expect(await usagesOf({ cells: { A1: 12345 }, validations: [length] })).toEqual(['Number']);
    expect(
      await usagesOf({ cells: { A1: { value: 12345, style: 1 } }, validations: [length] }, { formats: ['@'] }),
    ).toEqual(['Text']);
    expect(await usagesOf({ cells: { C1: 1 }, validations: [length] })).toEqual(['Text']);
  });
});

describe('an input without kind in cells and formulas, with a list on the Portal sheet', () => {
  const picked = (PickerSource: string, cells: Record<string, CellSpec> = {}) =>
    read({
      sheets: [
        { name: 'S', cells: { B1: 10, B2: 20, C1: DAY, D1: 'a', ...cells } },
        {
          name: 'Portal',
          ...portal('PortalInputs', [
            ['Name', 'PickerSource'],
            ['X', PickerSource],
          ]),
        },
      ],
      names: NAMES,
      formats,
    });

  it.each([
    ['S!$B$1:$B$2', 'Number'],
    ['*S!$B$1:$B$2', 'Number'],
    ['"1,2.5"', 'Number'],
    ['S!$C$1:$C$1', 'Date'],
    ['S!$D$1:$D$1', 'Text'],
  ])('%s takes the kind of what it is picked from', async (source, usage) => {
    const { definition } = await picked(source);
    expect(definition!.inputs[0]!.Info).toMatchObject({ CellUsages: [usage], Pickers: [{ Type: 'List' }] });
  });

  it('is reported, and keeps the type that formulas give it', async () => {
    const { findings, definition } = await picked('S!$B$1:$B$2');
    expect(findings.map(({ Message }) => Message)).toEqual([
      "The input 'X' is treated as a Number, because its list S!$B$1:$B$2 holds numbers.",
    ]);
    expect(definition!.inputs[0]!.Info.Pickers[0]!.PreventOtherValues).toBe(true);
    const said = await picked('S!$B$1:$B$2', { E1: { formula: 'LEFT(A1,1)', value: '' } });
    expect(said.definition!.inputs[0]!.Info.CellUsages).toEqual(['Text']);
  });
});
