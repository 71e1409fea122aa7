import { describe, expect, test } from 'vitest';
import { compareOutput, type ActualOutput } from './compare-outputs.ts';
import { checkIssue, runCheck } from './property-checks.ts';

const OUTPUTS: ActualOutput[] = [
  { Name: 'Schedule', columns: ['Month', 'Interest Paid'], Value: '[[1,10.5],[2,9.5],["all",null]]' },
  { Name: 'Total_Interest', columns: [], Value: '20' },
  { Name: 'Rate', columns: [], Value: '{"error":"#N/A"}' },
];
const check = (Expression: string, Tolerance = 0) => runCheck({ Name: 'C', Expression, Tolerance }, OUTPUTS);

describe('a property check', () => {
  test.each([
    ['SUM(Schedule[Interest Paid]) = Total_Interest', true, '20 = 20'],
    ['=SUM(Schedule[Interest Paid]) - Total_Interest = 0', true, '0 = 0'],
    ['MAX(Schedule[Interest Paid]) < 10', false, '10.5 < 10'],
    ['COUNT(Schedule[Month]) >= 2', true, '2 >= 2'],
    ['ROUND(out_Total_Interest / 3, 2) = 6.67', true, '6.67 = 6.67'],
    ['ROUND(-2.5, 0) = -3', true, '-3 = -3'],
    ['0.1 + 0.2 = 30%', true, '0.3 = 0.3'],
    ['Total_Interest <> 20', false, '20 <> 20'],
  ])('%s', (expression, Holds, Message) => {
    expect(check(expression)).toEqual({ Name: 'C', Holds, Message });
  });

  test('holds within its tolerance and not beyond', () => {
    expect(check('Total_Interest = 20.01', 0.01).Holds).toBe(true);
    expect(check('Total_Interest = 20.02', 0.01).Holds).toBe(false);
  });

  test.each([
    ['Nothing = 1', 'There is no output Nothing'],
    ['SUM(Schedule[Fee]) = 1', 'The output Schedule has no column Fee'],
    ['Rate = 1', 'The output Rate holds an error'],
    [
      'Schedule[Interest Paid] = 1',
      'There are several values where one is needed: use SUM, MIN, MAX, COUNT or AVERAGE',
    ],
  ])('fails where it cannot be calculated: %s', (expression, Message) => {
    expect(check(expression)).toEqual({ Name: 'C', Holds: false, Message });
  });

  test.each(['SUM(Total)', 'A1 = 2', 'WEBSERVICE("x") = 1', '1 = = 2', '(1 = 1) = 1'])(
    'is refused: %s',
    (expression) => {
      expect(checkIssue(expression, OUTPUTS)).not.toBeNull();
    },
  );

  test.each([
    ['Nothing = 1', 'There is no output Nothing'],
    ['1 = SUM(Schedule[Fee])', 'The output Schedule has no column Fee'],
    ['Total_Interest = Rate', null],
    ['SUM(Schedule[interest_paid]) = out_total_interest', null],
  ])('is saved only where its outputs are there: %s', (expression, issue) => {
    expect(checkIssue(expression, OUTPUTS)).toBe(issue);
  });
});

describe('outputs and what is expected of them', () => {
  const expected = (value: unknown, Tolerance = 0, RelativeTolerance = 0) => ({
    Name: 'Schedule',
    Value: JSON.stringify(value),
    Tolerance,
    RelativeTolerance,
  });
  const differences = (value: unknown, ...tolerances: number[]) =>
    compareOutput(expected(value, ...tolerances), OUTPUTS[0]).map(({ Cell, Expected, Actual }) => [
      Cell,
      Expected,
      Actual,
    ]);

  test('are compared cell by cell, by the titles of their columns', () => {
    expect(
      differences([
        [1, 10.5],
        [2, 9.5],
        ['all', null],
      ]),
    ).toEqual([]);
    expect(
      differences([
        [1, 10.4],
        [2, 9.5],
        ['All', ''],
      ]),
    ).toEqual([
      ['row 1, column Interest Paid', '10.4', '10.5'],
      ['row 3, column Month', 'All', 'all'],
    ]);
    expect(differences([[1, 10.5]])).toEqual([
      ['row 2', 'no such row', '[2,9.5]'],
      ['row 3', 'no such row', '["all",null]'],
    ]);
  });

  test('may differ by the tolerance of a number, or its share of what is expected', () => {
    const rows = [
      [1, 10.4],
      [2, 9.5],
      ['all', null],
    ];
    expect(differences(rows, 0.1)).toEqual([]);
    expect(differences(rows, 0.09)).toHaveLength(1);
    expect(differences(rows, 0, 0.01)).toEqual([]);
  });

  test('are reported if there is no such output, and errors by their code', () => {
    expect(compareOutput(expected(1), undefined)).toMatchObject([{ Actual: 'There is no such output' }]);
    const rate = { ...expected({ error: '#N/A' }), Name: 'Rate' };
    expect(compareOutput(rate, OUTPUTS[2])).toEqual([]);
    expect(compareOutput({ ...rate, Value: '1' }, OUTPUTS[2])).toMatchObject([{ Expected: '1', Actual: '#N/A' }]);
  });
});
