import { describe, expect, test } from 'vitest';
import { findNames, printName, withNames, type ExpressionName } from './expression-names.ts';

const names = (formula: string): ExpressionName[] => findNames(formula).map(({ name }) => name);

describe('the names of an expression', () => {
  test('are inputs, outputs and columns', () => {
    expect(names('Inputs.[Month] & [Sum up].[Total] + SUM([List].[Rows][Amount])')).toEqual([
      { kind: 'Input', name: 'Month', column: null },
      { kind: 'Output', step: 'Sum up', name: 'Total', column: null },
      { kind: 'Output', step: 'List', name: 'Rows', column: 'Amount' },
    ]);
    expect(names('inputs.[Papers][Name]')).toEqual([{ kind: 'Input', name: 'Papers', column: 'Name' }]);
  });

  test('may contain every character', () => {
    const every: ExpressionName = { kind: 'Output', step: 'It\'s [all] #1 @ "x"', name: ']', column: "'" };
    expect(names(`1+${printName(every)}`)).toEqual([every]);
    expect(names("[Customer's list].[Item #1]")).toEqual([
      { kind: 'Output', step: "Customer's list", name: 'Item #1', column: null },
    ]);
    expect(names('[A].[B][]')).toEqual([{ kind: 'Output', step: 'A', name: 'B', column: '' }]);
  });

  test('are not found in texts, and not in other brackets', () => {
    expect(names('"[A].[B]" & "say ""[A].[B]"""')).toEqual([]);
    expect(names('LAMBDA(x,[y],x)(1) + Table1[Amount] + [A] + [A].5 + [A.[B]')).toEqual([]);
  });

  test('are exchanged without touching the rest', () => {
    const renamed = withNames(' = [A].[B]&"[A].[B]"+Inputs.[C] ', (name) =>
      name.kind === 'Output' ? { ...name, step: 'A [2]' } : null,
    );
    expect(renamed).toBe(' = [A \'[2\']].[B]&"[A].[B]"+Inputs.[C] ');
  });
});
