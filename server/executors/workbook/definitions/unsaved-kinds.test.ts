/** Types of cells without saved values, inferred from the results of their formulas. */
import { describe, expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { defined, output, read } from '#test/support/read-definitions.ts';

const formats = ['dd/mm/yyyy', '0.00'];
const DAY = { value: 45000, style: 1 };

describe('a file without saved values', () => {
  const one = async (formula: string, cells: Record<string, CellSpec> = {}) =>
    (await output('S!$C$1', { cells: { ...cells, C1: { formula } } }, { formats })).Info.CellUsages[0];

  it.each([
    ['2+3', 'Number'],
    ['1/0', 'Number'],
    ['"a"&"b"', 'Text'],
    ['1>2', 'Boolean'],
    ['DATE(2026,1,31)', 'Date'],
    ['EDATE(A2,1)', 'Date'],
    ['A2', 'Date'],
    ['A2+30', 'Date'],
    ['A2-A3', 'Number'],
    ['IF(A1="","",A1*2)', 'Number'],
    ['IF(A1="","",A2)', 'Date'],
    ['MAX(A2:A3)', 'Date'],
    ['VLOOKUP(1,E1:F2,2,FALSE)', 'Number'],
    ['NA()', 'Text'],
  ])('has =%s as a %s', async (formula, kind) => {
    expect(await one(formula, { A2: DAY, A3: DAY, E1: 1, F1: 5 })).toBe(kind);
  });

  it('has inputs with formulas, calculated columns and outputs of arrays of the kind their formulas come to', async () => {
    const sheet = {
      name: 'S',
      cells: {
        A1: { formula: '2+3' },
        A3: 'Amount',
        B3: 'Double',
        A4: 4,
        B4: { formula: 'Lines[[#This Row],[Amount]]*2' },
        D1: { formula: 'ROW(1:3)*2', array: 'D1:D3' },
      },
      tables: [
        {
          name: 'Lines',
          ref: 'A3:B4',
          columns: ['Amount', { name: 'Double', formula: 'Lines[[#This Row],[Amount]]*2' }],
        },
      ],
    };
    const names = { in_X: 'S!$A$1', in_Lines: 'Lines', out_All: 'S!$D$1:$D$3' };
    const { definition, findings } = await read({ sheets: [sheet], names });
    const { inputs, outputs } = definition!;
    expect(inputs.map(({ Info }) => Info.CellUsages)).toEqual([['Number'], ['Number', 'Number']]);
    expect(inputs[0]!.Info).toMatchObject({ Specifications: ['Suggested'], DefaultValue: '5' });
    expect(outputs[0]!.Info.CellUsages).toEqual(['Number']);
    expect(findings.map(({ Cell, Message }) => `${Cell} ${Message}`)).toEqual([
      "A1 The input 'X' is treated as a Number, because its formula results in a number; the file has no saved value.",
      "B4 The input 'Lines' (Double) is treated as a Number, because its formula results in a number; the file has no saved value.",
      "D1 The output 'All' is treated as a Number, because its formula results in a number; the file has no saved value.",
    ]);
  });

  it('keeps its kinds of blanks where its formulas depend on themselves', async () => {
    const cells = { A1: { formula: 'A1+1' }, C1: { formula: '2*3' } };
    const { outputs } = await defined({ sheets: [{ name: 'S', cells }], names: { out_C: 'S!$C$1' } });
    expect(outputs[0]!.Info.CellUsages).toEqual(['Number']);
  });
});

it('keeps numbers that Excel saved without a date format numbers', async () => {
  const { Info } = await output('S!$C$1', { cells: { C1: { formula: 'EDATE(A1,1)', value: 45000 } } });
  expect(Info.CellUsages).toEqual(['Number']);
});
