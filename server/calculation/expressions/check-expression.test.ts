import { describe, expect, it } from 'vitest';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { ExpressionRead } from '#shared/rules/workflows/expression-types.ts';
import { findNames } from '#shared/rules/workflows/expression-names.ts';
import { checkExpression } from './check-expression.ts';

const single = (usage: CellUsage): ExpressionRead => ({
  shape: { RangeType: 'SingleCell', CellUsages: [usage], ColumnHeaderValues: [] },
  column: null,
});
const lines: ExpressionRead = {
  shape: {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Text', 'Number'],
    ColumnHeaderValues: ['Name', 'Amount'],
  },
  column: null,
};
const READS: Record<string, ExpressionRead> = {
  Total: single('Number'),
  Due: single('Date'),
  Code: single('Text'),
  Lines: lines,
};

const check = (formula: string) =>
  checkExpression(
    formula,
    findNames(formula).map(({ name: { name, column } }) => ({
      ...READS[name]!,
      column: column === null ? null : READS[name]!.shape.ColumnHeaderValues.indexOf(column),
    })),
  );

describe('the type of an expression', () => {
  it.each([
    ['[S].[Total]', 'Number'],
    ['[S].[Total]&"x"', 'Text'],
    ['[S].[Total]>[S].[Due]', 'Boolean'],
    ['[S].[Due]+30', 'Date'],
    ['[S].[Due]-[S].[Due]', 'Number'],
    ['EOMONTH([S].[Due],0)', 'Date'],
    ['IF([S].[Total]>1,[S].[Code],"")', 'Text'],
    ['SUM([S].[Lines][Amount])', 'Number'],
    ['[S].[Lines][Name]', 'Text'],
    ['LET(x,1,x)', null],
  ])('of %s is %s', (formula, kind) => {
    expect(check(formula)).toMatchObject({ kind });
  });
});

describe('is refused, with the cause and how to fix it:', () => {
  it.each([
    [
      'A1+1',
      'A1 is a cell, and a workflow has no cells. Write Inputs.[Name], [Step].[Output] or [Step].[Table][Column]',
    ],
    ['SUM($B$2:C9)', '$B$2:C9 is a cell'],
    ['SUM(A:A)', 'A:A is a cell'],
    ["'My sheet'!A1", 'is a cell'],
    ['[1]Sheet1!A1', 'is a cell'],
    ['Sheet1!Name', 'A workflow has no sheets.'],
    ['INDIRECT("A1")', 'INDIRECT reads cells'],
    ['SUM(Table1[Amount])', 'Table1[Amount] is not a value of the workflow.'],
    ['[Total]+1', '[Total] is not a value of the workflow.'],
    ['SUMM(1)', 'There is no function SUMM. Check its spelling'],
    ['Total+1', "There is no value 'Total'."],
    ['LET(x,x+1,x)', "There is no value 'x'."],
    ['LET(A1,1,A1)', 'LET must name a variable'],
    ['LAMBDA(x,y)(1)', "There is no value 'y'."],
    ['[S].[Total]+', 'The formula ends where a value is expected (character 13)'],
    ['([S].[Total]+[S].[Total]', 'A ) is expected (character 25)'],
    ['[S].[Total](1)', 'There is no function'],
    ['[S].[Total]5', "There is no value '[…]5'."],
    ['', 'The formula is missing'],
    ['=', 'The formula is missing'],
    ['1+\uE0000\uE001', 'It contains a character that formulas cannot use'],
  ])('%s', (formula, problem) => {
    expect(check(formula)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

it('knows the variables of LET and LAMBDA, and functions as values', () => {
  expect(check('LET(f,LAMBDA(x,[y],x),MAP([S].[Lines][Amount],LAMBDA(v,f(v))))')).not.toHaveProperty('problem');
  expect(check('REDUCE(0,[S].[Lines][Amount],SUM)')).not.toHaveProperty('problem');
});
