/** Two workbooks; one starts runs of the other. */
import type { WorkbookSpec } from './build-workbook.ts';
import { stepSheet } from './step-portal.ts';

/** Fails if the amount is negative. */
export const INVOICE: WorkbookSpec = {
  formats: ['0.00'],
  sheets: [
    {
      name: 'Data',
      cells: {
        A1: 'x',
        B1: { value: 1, style: 1 },
        C1: { formula: 'B1*2', value: 2 },
        D1: { formula: 'B1>=0', value: true },
      },
    },
    stepSheet([{ Step: 'Amount', Action: 'Check', Cell: 'Data!D1', Message: 'The amount is negative' }]),
  ],
  names: { in_Customer: 'Data!$A$1', in_Amount: 'Data!$B$1', out_Double: 'Data!$C$1' },
};

export type Bills = [customer: string, amount: number][];

/** A workbook with a table of customers that starts an invoice for each of them. */
export function billing(
  rows: Bills,
  step: Record<string, string> = {},
  columns = ['Customer', 'Amount'],
): WorkbookSpec {
  const cells: Record<string, string | number> = { A1: columns[0]!, B1: columns[1]!, D1: 'x', E1: 1, F1: 1 };
  for (const [y, [customer, amount]] of rows.entries()) {
    cells[`A${y + 2}`] = customer;
    cells[`B${y + 2}`] = amount;
  }
  return {
    sheets: [
      { name: 'List', cells, tables: [{ name: 'Bills', ref: `A1:B${rows.length + 1}`, columns }] },
      stepSheet([
        { Step: 'Bill all', Action: 'Start', Activity: 'Invoice', Table: 'Bills', KeyColumn: columns[0]!, ...step },
      ]),
    ],
    names: { out_One: 'List!$F$1' },
  };
}
