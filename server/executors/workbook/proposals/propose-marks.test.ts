import { describe, expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { cellsOf, marksOf, proposalsFor, proposalsOf } from '#test/support/proposed-marks.ts';

const LOAN: CellSpec[][] = [
  ['Mortgage calculator'],
  ['Loan amount ($):', 200_000],
  ['Interest rate (p.a.)', 0.05],
  ['Years *', 20],
  [null],
  ['Number of payments', '=B4*12'],
  ['Monthly payment', '=PMT(B3/12,B6,-B2)'],
  ['Total interest', '=B7*B6-B2'],
];

describe('single values', () => {
  it('proposes typed-in values that formulas read, and the results nobody reads', async () => {
    const proposals = await proposalsOf(LOAN);
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['B2 Loan_amount', 'B3 Interest_rate', 'B4 Years']);
    expect(marksOf(proposals, 'output').slice(0, 2).toSorted()).toEqual(['B7 Monthly_payment', 'B8 Total_interest']);
    expect(
      proposals
        .filter(({ preselected }) => preselected)
        .map(({ range }) => range)
        .toSorted(),
    ).toEqual(['B2', 'B3', 'B4', 'B7', 'B8']);
  });

  it('takes the unit from brackets behind the label or from the cell on the right', async () => {
    const proposals = await proposalsOf([...LOAN, ['Area', 12, 'm²'], ['Cost', '=B9*B2']]);
    const unitOf = (range: string) => proposals.find((proposal) => proposal.range === range)?.unit;
    expect([unitOf('B2'), unitOf('B3'), unitOf('B4'), unitOf('B9')]).toEqual(['$', 'p.a.', undefined, 'm²']);
  });

  it('says why, with the number of formulas that read a cell', async () => {
    const [rate] = (await proposalsOf(LOAN)).filter(({ range }) => range === 'B2');
    expect(rate?.reason).toEqual({ code: 'readByFormulas', readers: 2, label: 'Loan amount', labelAt: 'left' });
  });

  it('finds labels some columns to the left, and above where values stand side by side', async () => {
    const proposals = await proposalsOf([
      ['Weight', 'Height', 'Index'],
      [80, 1.8, '=A2/B2^2'],
      [null],
      ['Distance', null, null, 5],
      ['Time', null, null, '=D4*2'],
    ]);
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['A2 Weight', 'B2 Height', 'D4 Distance']);
    expect(marksOf(proposals, 'output').toSorted()).toEqual(['C2 Index', 'D5 Time']);
  });

  it('proposes blank cells that formulas read where a label names them', async () => {
    const proposals = await proposalsOf([
      ['Hours', null],
      ['Wage', '=B1*20'],
    ]);
    expect(marksOf(proposals, 'input')).toEqual(['B1 Hours']);
  });

  it('proposes texts of a form, though less likely, where their label ends with a colon', async () => {
    const proposals = await proposalsOf([
      ['Customer:', 'Meier'],
      ['Note', 'Draft'],
      ['Hours:', 3],
      ['Pay:', '=B3*20'],
    ]);
    expect(marksOf(proposals, 'input')).toEqual(['B3 Hours', 'B1 Customer']);
    expect(proposals.find(({ range }) => range === 'B1')).toMatchObject({ preselected: false });
  });

  it('proposes the first cell of merged cells', async () => {
    const proposals = await proposalsOf(
      [
        ['Name of the buyer', 5, null, null],
        ['Double', '=B1*2'],
      ],
      {
        merges: ['B1:D1'],
      },
    );
    expect(marksOf(proposals, 'input')).toEqual(['B1 Name_of_the_buyer']);
  });

  it('takes a formula that reads no cell for a typed-in value, unless it depends on time', async () => {
    const proposals = await proposalsOf([
      ['Power', '=85/2'],
      ['Start', '=TODAY()'],
      ['End', '=B2+B1'],
    ]);
    expect(marksOf(proposals, 'input')).toEqual(['B1 Power']);
  });

  it('does not take the first number of a column that counts on for an input', async () => {
    const rows: CellSpec[][] = [
      ['Rate', 0.05],
      ['Period', 'Balance'],
      [1, '=100*(1+$B$1)^A3'],
    ];
    for (let row = 4; row < 12; row++) rows.push([`=A${row - 1}+1`, `=100*(1+$B$1)^A${row}`]);
    expect(marksOf(await proposalsOf(rows), 'input')).toEqual(['B1 Rate']);
  });

  it('ranks cells with a data validation first, and texts among them', async () => {
    const proposals = await proposalsOf(
      [
        ['Scenario', 'Base'],
        ['Volume', 10],
        ['Result', '=IF(B1="Base",1,2)*B2'],
      ],
      { validations: [{ ref: 'B1', type: 'list', formula1: '"Base,High"' }] },
    );
    const [first] = proposals.filter(({ role }) => role === 'input');
    expect(first).toMatchObject({ range: 'B1', preselected: true, kind: 'Text', reason: { code: 'validation' } });
  });
});

describe('names', () => {
  it('puts the heading before a label that comes again, and stays unique', async () => {
    const proposals = await proposalsOf([
      ['Old house'],
      ['Price', 100],
      ['Fee', 5],
      [null],
      ['New house'],
      ['Price', 200],
      ['Fee', 7],
      [null],
      ['Difference', '=B6-B2-B3+B7'],
    ]);
    const names = proposals.filter(({ role }) => role === 'input').map(({ name }) => name);
    expect(names.toSorted()).toEqual(['New_house_Fee', 'New_house_Price', 'Old_house_Fee', 'Old_house_Price']);
    expect(new Set(names).size).toBe(names.length);
  });

  it('take symbols such as C_L', async () => {
    const proposals = await proposalsOf([
      ['C_L', 4.5],
      ['C_T', 9],
      ['C_P', '=2*B2-B1'],
    ]);
    expect(marksOf(proposals, 'input')).toEqual(['B1 C_L', 'B2 C_T']);
    expect(marksOf(proposals, 'output')).toEqual(['B3 C_P']);
  });

  it('take the words before a symbol', async () => {
    const proposals = await proposalsOf([
      ['Length', 'L', 5, 'm'],
      ['Load', 'q', 12, 'kN/m'],
      ['Moment', 'M', '=C2*C1^2/8', 'kNm'],
    ]);
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['C1 Length', 'C2 Load']);
    expect(marksOf(proposals, 'output')).toEqual(['C3 Moment']);
  });

  it('leaves out what no defined name may have, and avoids those the workbook has', async () => {
    const proposals = await proposalsFor({
      sheets: [
        {
          name: 'Sheet1',
          cells: cellsOf([
            ['R&D cost / unit', 3],
            ['Größe', 4],
            ['Sum', '=B1+B2'],
          ]),
        },
      ],
      names: { in_Größe: 'Sheet1!$B$2' },
    });
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['B1 R_D_cost_unit', 'B2 Größe_2']);
  });

  it('gives sections where the sheet has several', async () => {
    const proposals = await proposalsOf([
      ['Income'],
      ['Salary', 100],
      [null],
      ['Costs'],
      ['Rent', 50],
      [null],
      ['Left over', '=B2-B5'],
    ]);
    const sectionOf = (range: string) => proposals.find((proposal) => proposal.range === range)?.section;
    expect([sectionOf('B2'), sectionOf('B5')]).toEqual(['Income', 'Costs']);
  });
});

describe('tables', () => {
  const INVOICE: CellSpec[][] = [
    ['Invoice'],
    [null],
    ['Item', 'Quantity', 'Unit price', 'Amount'],
    ['Bolts', 3, 2.5, '=B4*C4'],
    ['Nuts', 5, 1.5, '=B5*C5'],
    ['Washers', 9, 0.5, '=B6*C6'],
    [null, null, 'Total', '=SUM(D4:D6)'],
  ];

  it('makes the typed-in columns of a block with headers one input, and leaves its formulas to the workbook', async () => {
    const proposals = await proposalsOf(INVOICE);
    const [lines, total] = proposals;
    expect(lines).toMatchObject({ range: 'A4:C6', role: 'input', shape: 'table', hasHeaders: true });
    expect(lines!.reason).toMatchObject({ code: 'columnsWithFormulas' });
    expect(total).toMatchObject({ range: 'D7', role: 'output', name: 'Total' });
    expect(marksOf(proposals, 'input')).toEqual(['A4:C6 Invoice']);
  });

  it('takes the columns of an Excel table without a calculated formula', async () => {
    const proposals = await proposalsOf(INVOICE.slice(2, 6), {
      tables: [
        {
          name: 'Lines',
          ref: 'A1:D4',
          columns: ['Item', 'Quantity', 'Unit price', { name: 'Amount', formula: 'B2*C2' }],
        },
      ],
    });
    expect(marksOf(proposals, 'input')).toEqual(['A2:C4 Lines']);
    expect(proposals[0]!.reason).toMatchObject({ code: 'tableColumns', table: 'Lines' });
  });

  it('takes the whole Excel table, which then can have more rows, if there are results elsewhere', async () => {
    const columns = ['Item', 'Quantity', 'Unit price', { name: 'Amount', formula: 'B4*C4' }];
    const tables = [{ name: 'Lines', ref: 'A3:D6', columns }];
    const proposals = await proposalsOf(INVOICE, { tables });
    expect(marksOf(proposals, 'input')).toEqual(['A4:D6 Lines']);
    expect(marksOf(proposals, 'output')).toEqual(['D7 Total']);
    // A value instead of a formula belongs to nobody's column, so the table is not taken as a whole.
    const mixed = INVOICE.with(5, ['Washers', 9, 0.5, 4.5]);
    const others = await proposalsOf(mixed, {
      tables: [{ ...tables[0]!, columns: ['Item', 'Quantity', 'Unit price', 'Amount'] }],
    });
    expect(marksOf(others, 'input')).not.toContain('A4:D6 Lines');
  });

  it('makes a row of values over years one list', async () => {
    const proposals = await proposalsOf([
      ['Year', 2024, 2025, 2026, 2027],
      ['Revenue', 10, 12, 13, 15],
      ['Tax', '=B2*0.2', '=C2*0.2', '=D2*0.2', '=E2*0.2'],
    ]);
    expect(proposals.find(({ role }) => role === 'input')).toMatchObject({
      range: 'B2:E2',
      shape: 'list',
      name: 'Revenue',
    });
    expect(proposals.find(({ role }) => role === 'output')).toMatchObject({
      range: 'B3:E3',
      shape: 'list',
      name: 'Tax',
    });
  });

  it('keeps labelled values single that formulas read one by one, under whatever texts', async () => {
    const proposals = await proposalsOf([
      ['Label', 'Value'],
      ['Length', 3],
      ['Width', 4],
      ['Height', 5],
      ['Floor', '=B2*B3'],
      ['Volume', '=B5*B4'],
    ]);
    expect(marksOf(proposals, 'input').toSorted()).toEqual(['B2 Length', 'B3 Width', 'B4 Height']);
  });

  it('does not preselect a table that formulas only search in', async () => {
    const proposals = await proposalsOf([
      ['Class', 'B', null, 'Class', 'Factor'],
      ['Result', '=VLOOKUP(B1,D2:E4,2,FALSE)', null, 'A', 1],
      [null, null, null, 'B', 2],
      [null, null, null, 'C', 3],
    ]);
    expect(proposals.filter(({ range, preselected }) => range === 'D2:E4' && preselected)).toEqual([]);
  });

  it('proposes no cell twice', async () => {
    const ranges = (await proposalsOf([...INVOICE, ...LOAN])).map(({ range }) => range);
    expect(new Set(ranges).size).toBe(ranges.length);
  });
});
