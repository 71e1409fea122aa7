/** Which cells below each other are fields of their own, and which are a list, a column to fill in or records. */
import { describe, expect, it } from 'vitest';
import { cellsOf, marksOf, proposalsFor, proposalsOf } from '#test/support/proposed-marks.ts';

describe('named cells', () => {
  it('are separate inputs, though another name groups them', async () => {
    const proposals = await proposalsFor({
      sheets: [
        {
          name: 'Loan',
          cells: cellsOf([
            ['Loan amount', 10_000],
            ['Interest rate', 0.05],
            ['Years', 15],
            [null],
            ['Monthly payment', '=IF(SUM(Given)>0,PMT(Rate/12,Years*12,-Amount),0)'],
          ]),
        },
      ],
      names: { Given: 'Loan!$B$1:$B$3', Amount: 'Loan!$B$1', Rate: 'Loan!$B$2', Years: 'Loan!$B$3' },
    });
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['B1 Loan_amount', 'B2 Interest_rate', 'B3 Years']);
  });
});

describe('blank cells', () => {
  it('are one column to fill in if they only have a header', async () => {
    const proposals = await proposalsOf([
      ['Day', 'Hours due', null, null, 'Correction'],
      [1, '=IF(E2<>"",E2,8)'],
      [2, '=IF(E3<>"",E3,8)'],
      [3, '=IF(E4<>"",E4,8)'],
      [4, '=IF(E5<>"",E5,8)'],
      ['Total', '=SUM(B2:B5)'],
    ]);
    expect(marksOf(proposals, 'input')).toContain('E2:E5 Correction');
  });

  it('are one table if they have headers side by side', async () => {
    const proposals = await proposalsOf([
      ['Hours', null, null, null, 'Start', 'End', 'Break'],
      ['=F2-E2-G2'],
      ['=F3-E3-G3'],
      ['=F4-E4-G4'],
    ]);
    expect(proposals.filter(({ role }) => role === 'input').map(({ range }) => range)).toEqual(['E2:G4']);
  });

  it('are all rows of an Excel table that nobody filled in', async () => {
    const proposals = await proposalsOf(
      [['Item', 'Amount'], [null], [null], [null], [null], ['Subtotal', '=SUM(Lines[Amount])']],
      { tables: [{ name: 'Lines', ref: 'A1:B5', columns: ['Item', 'Amount'] }] },
    );
    expect(marksOf(proposals, 'input')).toEqual(['A2:B5 Lines']);
  });

  it('are separate inputs if each has a label', async () => {
    const proposals = await proposalsOf([
      ['Length', null],
      ['Width', null],
      ['Height', null],
      ['Volume', '=B1*B2*B3'],
    ]);
    expect(marksOf(proposals, 'input')).toEqual(['B1 Length', 'B2 Width', 'B3 Height']);
  });
});

describe('columns under headers', () => {
  it('are records if several texts describe each value, though formulas read the values one by one', async () => {
    const proposals = await proposalsOf([
      ['Last name', 'First name', 'Wage'],
      ['Sy', 'Henry', 5],
      ['Sial', 'Ronny', 4],
      ['Dela', 'Juan', 3],
      [null],
      ['Pay of Henry', null, '=40*$C$2'],
      ['Pay of Ronny', null, '=35*$C$3'],
      ['Pay of Juan', null, '=20*$C$4'],
    ]);
    expect(proposals.filter(({ role }) => role === 'input').map(({ range }) => range)).toEqual(['A2:C4']);
  });

  it('begin below their headers, though a text down their left is merged with them', async () => {
    const proposals = await proposalsOf(
      [
        ['Income', 'Source', 'Planned', 'Actual', 'Difference'],
        [null, 'Salary', 3_000, 3_100, '=D2-C2'],
        [null, 'Rent', 500, 480, '=D3-C3'],
        [null, 'Interest', 20, 25, '=D4-C4'],
        [null, 'Other', 10, 5, '=D5-C5'],
        [null, 'Total', '=SUM(C2:C5)', '=SUM(D2:D5)', '=SUM(E2:E5)'],
      ],
      { merges: ['A1:A5'] },
    );
    expect(proposals.filter(({ role }) => role === 'input').map(({ range }) => range)).toEqual(['B2:D5']);
  });

  it('leave a first value to itself from which formulas continue', async () => {
    const proposals = await proposalsOf([
      ['Concentration', 'Volume', 'Well'],
      [10, 250, 1],
      ['=A2/$A$7', '=$B$7', 2],
      ['=A3/$A$7', '=$B$7', 4],
      ['=A4/$A$7', '=$B$7', 8],
      [null],
      [2, 90],
      [null],
      ['Rest', '=B2-B7'],
      ['Strength', '=A2*$B$7'],
    ]);
    const inputs = proposals.filter(({ role }) => role === 'input').map(({ range }) => range);
    const outputs = proposals.filter(({ role }) => role === 'output').map(({ range }) => range);
    expect(inputs).toEqual(expect.arrayContaining(['A2', 'B2']));
    expect(outputs).toContain('A3:B5');
  });

  it('name calculated columns after the last one if it is the result of the others', async () => {
    const proposals = await proposalsOf([
      ['Person', 'Gross', 'Tax', 'Insurance', 'Net pay'],
      ['Ada', 3_000, '=B2*0.2', '=B2*0.1', '=B2-C2-D2'],
      ['Bob', 2_000, '=B3*0.2', '=B3*0.1', '=B3-C3-D3'],
      ['Eve', 4_000, '=B4*0.2', '=B4*0.1', '=B4-C4-D4'],
    ]);
    expect(marksOf(proposals, 'output')).toEqual(['C2:E4 Net_pay']);
  });
});

it('names equal labels after the texts above their groups', async () => {
  const proposals = await proposalsOf([
    ['Mission one', null, null, 'Mission two'],
    ['Points', 4, null, 'Points', 5],
    ['Bonus', 2, null, 'Bonus', 1],
    ['Mission three', null, null, null, null],
    ['Points', 7],
    ['Final score', '=B2*B3+E2*E3+B5'],
  ]);
  expect(marksOf(proposals, 'input').toSorted()).toEqual([
    'B2 Mission_one_Points',
    'B3 Mission_one_Bonus',
    'B5 Mission_three_Points',
    'E2 Mission_two_Points',
    'E3 Mission_two_Bonus',
  ]);
});
