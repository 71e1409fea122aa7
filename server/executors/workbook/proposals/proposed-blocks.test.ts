/** Which cells proposals treat as one block, and which as separate values. */
import { describe, expect, it } from 'vitest';
import { cellsOf, marksOf, proposalsFor, proposalsOf } from '#test/support/proposed-marks.ts';

describe('blocks of values', () => {
  it('takes values with formulas among them one by one', async () => {
    const proposals = await proposalsOf([
      ['Income', 'Amount'],
      ['Salary', 100_000],
      ['Tax', '=-0.2*B2'],
      ['Bonus', 5_000],
      ['Gifts', 1_000],
      ['Net income', '=SUM(B2:B5)'],
    ]);
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['B2 Salary', 'B4 Bonus', 'B5 Gifts']);
    expect(marksOf(proposals, 'output')).toContain('B6 Net_income');
  });

  it('leaves out first rows of a table that are calculated', async () => {
    const proposals = await proposalsOf(
      [
        ['Expense', 'Amount'],
        ['All', '=SUM(B3:B5)'],
        ['Rent', 900],
        ['Food', 400],
        ['Travel', 200],
      ],
      { tables: [{ name: 'Spent', ref: 'A1:B5', columns: ['Expense', 'Amount'] }] },
    );
    expect(marksOf(proposals, 'input')).toEqual(['A3:B5 Spent']);
  });

  it('takes several columns of values as one table, though formulas read them one by one', async () => {
    const proposals = await proposalsOf([
      ['Stay', 'Occupancy', 'Rate'],
      ['One night', 0.78, 185],
      ['Two nights', 0.76, 190],
      ['Three nights', 0.7, 195],
      [null],
      ['Revenue', '=365*B2*C2', '=365*B3*C3', '=365*B4*C4'],
    ]);
    expect(marksOf(proposals, 'input').map((mark) => mark.split(' ')[0])).toEqual(['A2:C4']);
  });

  it('takes cells that formulas add up as one block, though few are filled in', async () => {
    const days = [1, 2, 3, 4, 5];
    const sums = ['B', 'C', 'D', 'E', 'F'].map((col) => `=SUM(${col}2:${col}4)`);
    const proposals = await proposalsOf([
      ['Activity', ...days],
      ['Teaching', 2, null, null, 6],
      ['Preparing', null, null, 1],
      ['Marking', null, 3],
      ['Total', ...sums],
    ]);
    expect(proposals.filter(({ role }) => role === 'input').map(({ range }) => range)).toEqual(['B2:F4']);
  });

  it('takes no cells without labels as a block, though formulas add them up', async () => {
    const proposals = await proposalsOf([
      [2, null, null, null],
      [null, null, 3, null],
      ['=SUM(A1:A2)', '=SUM(B1:B2)', '=SUM(C1:C2)', '=SUM(D1:D2)'],
    ]);
    expect(proposals.map(({ range }) => range)).not.toContain('A1:D2');
  });

  it('proposes scenarios that formulas search', async () => {
    const proposals = await proposalsOf([
      ['Scenario', 'Base', null, 'Scenario', 'Price', 'Volume', 'Cost'],
      ['Price', '=VLOOKUP(B1,D2:G4,2,FALSE)', null, 'Base', 79, 1_000, 20],
      ['Volume', '=VLOOKUP(B1,D2:G4,3,FALSE)', null, 'High', 82, 1_200, 19],
      ['Revenue', '=B2*B3', null, 'Low', 75, 900, 21],
    ]);
    expect(proposals.filter(({ role }) => role === 'input').map(({ range }) => range)).toContain('D2:G4');
  });

  it('takes a label with a text as its value for no headers', async () => {
    const proposals = await proposalsFor({
      sheets: [
        {
          name: 'Form',
          cells: cellsOf([
            ['Asset class', 'Gold'],
            ['Years', 10],
            ['Frequency', 'Yearly'],
            ['Result', '=IF(B1="Gold",B2,0)&B3'],
          ]),
        },
      ],
    });
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['B1 Asset_class', 'B2 Years', 'B3 Frequency']);
  });

  it('starts another block where the headers continue past the heading', async () => {
    const proposals = await proposalsOf([
      ['School', 'Purpose of the trip'],
      ['Day', 'Miles', 'Hotel', 'Total'],
      ['Monday', 20, 90, '=B3*0.3+C3'],
      ['Tuesday', 35, 95, '=B4*0.3+C4'],
      ['Wednesday', 12, 80, '=B5*0.3+C5'],
    ]);
    expect(proposals.filter(({ role }) => role === 'input').map(({ range }) => range)).toEqual(['A3:C5']);
  });

  it('ends a block at a total without a label, and at a value that has its own label', async () => {
    const proposals = await proposalsOf([
      ['Tactic', 'Cost', 'Leads', 'Return'],
      ['Mail', 120, 23, '=(C2*$D$6-B2)/B2'],
      ['Search', 89, 10, '=(C3*$D$6-B3)/B3'],
      ['Press', 12, 5, '=(C4*$D$6-B4)/B4'],
      [null, '=SUM(B2:B4)', '=SUM(C2:C4)'],
      [null, 'Average sale', null, 545],
    ]);
    expect(marksOf(proposals, 'input').map((mark) => mark.split(' ')[0])).toEqual(['A2:C4', 'D6']);
  });

  it('continues a block in which formulas continue typed-in years', async () => {
    const rows = [4, 5, 6, 7, 8].map((row) => [`=A${row - 1}+1`, 100 * row, `=B${row}*0.1`]);
    const proposals = await proposalsOf([
      ['Year', 'Sales', 'Tax'],
      [2024, 200, '=B2*0.1'],
      [2025, 300, '=B3*0.1'],
      ...rows,
    ]);
    expect(proposals.filter(({ role }) => role === 'input').map(({ range }) => range)).toEqual(['B2:B8']);
    expect(proposals.map(({ range }) => range)).toContain('C2:C8');
  });

  it('ends a block at a total whose label is to the left of the headers', async () => {
    const proposals = await proposalsOf([
      [null, null, 'Income', 'Saved', null, 'Paid'],
      ['January', null, '=2*F2', '=3*F2', null, 100],
      ['February', null, '=2*F3', '=3*F3', null, 120],
      ['March', null, '=2*F4', '=3*F4', null, 140],
      ['Total', null, '=SUM(C2:C4)', '=SUM(D2:D4)'],
    ]);
    expect(proposals.filter(({ role }) => role === 'output').map(({ range }) => range)).toContain('C2:D4');
  });

  it('starts another block where the headers are repeated', async () => {
    const proposals = await proposalsOf([
      ['Week 1', 'Date', 'Start', 'End', 'Break', 'Hours'],
      ['Monday', 45_000, 9, 17, 1, '=D2-C2-E2'],
      ['Tuesday', 45_001, 9, 17, 1, '=D3-C3-E3'],
      ['Week 2', 'Date', null, null, null, 'Hours'],
      ['Monday', 45_007, 9, 17, 1, '=D5-C5-E5'],
      ['Tuesday', 45_008, 9, 17, 1, '=D6-C6-E6'],
    ]);
    const inputs = proposals.filter(({ role }) => role === 'input').map(({ range }) => range);
    expect(inputs).toContain('A2:E3');
  });

  it('proposes a list that counts if the author named it', async () => {
    const cells = cellsOf([['Supply'], [100], [200], [300], [null], ['Shipped', '=SUM(A2:A4)']]);
    const isProposed = async (names: Record<string, string>): Promise<boolean> =>
      (await proposalsFor({ sheets: [{ name: 'Sheet1', cells }], names })).some(
        ({ range, preselected }) => range === 'A2:A4' && preselected,
      );
    expect(await isProposed({ Supply: 'Sheet1!$A$2:$A$4' })).toBe(true);
    expect(await isProposed({})).toBe(false);
  });

  it('takes formulas apart that are on either side of a formula for a text', async () => {
    const cells = cellsOf([
      ['Currency', 'NZD'],
      ['Days', 30],
      ['Rate', 1.5],
      ['Due', '=B2*2', null, '=B3*B2'],
    ]);
    const proposals = await proposalsFor({
      sheets: [{ name: 'Sheet1', cells: { ...cells, C4: { formula: 'B1', value: 'NZD' } } }],
    });
    const ranges = proposals.filter(({ role }) => role === 'output').map(({ range }) => range);
    expect(ranges).toEqual(expect.arrayContaining(['B4', 'D4']));
  });

  it('ends a block at a result whose label stands in a column of numbers', async () => {
    const proposals = await proposalsOf([
      ['Rate', 0.1],
      [null],
      ['Period', 'Payment'],
      [1, '=100*(1+$B$1)^A4'],
      [2, '=100*(1+$B$1)^A5'],
      [3, '=100*(1+$B$1)^A6'],
      ['Present value', '=NPV(B1,B4:B6)'],
    ]);
    expect(marksOf(proposals, 'output')[0]).toBe('B7 Present_value');
  });

  it('names a column of formulas that continue from a value by the text above that value', async () => {
    const proposals = await proposalsOf([
      ['Growth', 0.1],
      [null],
      [null, 'Revenue'],
      [2024, 300],
      [2025, '=B4*(1+$B$1)'],
      [2026, '=B5*(1+$B$1)'],
      [2027, '=B6*(1+$B$1)'],
    ]);
    expect(marksOf(proposals, 'output')).toEqual(['B5:B7 Revenue']);
  });

  it('takes a last column of totals for itself', async () => {
    const proposals = await proposalsOf([
      ['Supplier', 'Sugar', 'Flour', 'Total'],
      ['North', '=1*20', '=2*20', '=SUM(B2:C2)'],
      ['South', '=3*A9', '=4*A9', '=SUM(B3:C3)'],
      ['West', '=5*A9', '=6*A9', '=SUM(B4:C4)'],
    ]);
    expect(proposals.find(({ range }) => range === 'D2:D4')).toMatchObject({ role: 'output', name: 'Total' });
  });

  it('names values by words on their right where nothing else does', async () => {
    const proposals = await proposalsOf([
      [5, 'number of employees'],
      ['=A1*2', 'number of shoes'],
    ]);
    expect(marksOf(proposals, 'input')).toEqual(['A1 number_of_employees']);
    expect(marksOf(proposals, 'output')).toEqual(['A2 number_of_shoes']);
  });
});

describe('formulas that show others', () => {
  it('make nothing an output that they only repeat or show as text', async () => {
    const proposals = await proposalsOf([
      ['Price', 12],
      ['Quantity', 3],
      ['Profit', '=B1*B2', '=FORMULATEXT(B3)'],
      [null],
      ['Overview', '=B3'],
    ]);
    const profit = proposals.find(({ range }) => range === 'B3');
    expect(profit).toMatchObject({ role: 'output', preselected: true });
    expect(proposals.map(({ range }) => range)).not.toContain('C3');
    expect(marksOf(proposals, 'output')[0]).toBe('B3 Profit');
  });
});

describe('rows of formulas', () => {
  it('are outputs one by one in a model over months', async () => {
    const proposals = await proposalsOf([
      ['Month', 'January', 'February', 'March'],
      ['Revenue', '=100*1.1', '=B2*1.1', '=C2*1.1'],
      ['Costs', '=B2*0.4', '=C2*0.4', '=D2*0.4'],
      ['Net profit', '=B2-B3', '=C2-C3', '=D2-D3'],
    ]);
    expect(marksOf(proposals, 'output')[0]).toBe('B4:D4 Net_profit');
  });
});

describe('array formulas', () => {
  it('takes the cells that one fills as one output, and none of them as an input', async () => {
    const cells = cellsOf([
      ['Values', null, 'Doubled'],
      [1, null, null],
      [2, null, null],
      [3, null, null],
    ]);
    cells['C2'] = { formula: 'A2:A4*2', value: 2, array: 'C2:C4', dynamic: true };
    cells['C3'] = 4;
    cells['C4'] = 6;
    const proposals = await proposalsFor({ sheets: [{ name: 'S', cells }] });
    expect(marksOf(proposals, 'output')).toEqual(['C2:C4 Doubled']);
    expect(marksOf(proposals, 'input')).toEqual(['A2:A4 Values']);
  });
});

describe('defined names', () => {
  it('take values as a block that no formula reads, and name it', async () => {
    const rows = cellsOf([
      ['Made', null, 100, 200, 150],
      ['Sold', null, '=SUM(C1:E1)'],
      [null],
      [null, null, 90, 180, 120],
    ]);
    const proposals = await proposalsFor({
      sheets: [{ name: 'S', cells: rows }],
      names: { Demand: 'S!$C$4:$E$4', Hidden: 'S!$Z$1' },
    });
    expect(marksOf(proposals, 'input')).toContain('C4:E4 Demand');
  });
});

describe('copies of a sheet', () => {
  it('come after the sheet itself', async () => {
    const rows = cellsOf([
      ['Rate', 0.05],
      ['Total', '=B1*100'],
    ]);
    const proposals = await proposalsFor({ sheets: ['One', 'Two', 'Three'].map((name) => ({ name, cells: rows })) });
    expect(proposals.slice(0, 2).map(({ sheet }) => sheet)).toEqual(['One', 'One']);
  });
});
