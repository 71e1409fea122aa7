/** A loan with a payment schedule, as the sample has it, with a chosen number of formulas: seven per payment, and six. */
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';

const PER_ROW = 7;
const OTHERS = 6;
const FIRST = 5;

/** `formulas` is approximate. The term of the loan uses all rows. */
export function loanBook(formulas: number): WorkbookSpec {
  const rows = Math.round((formulas - OTHERS) / PER_ROW);
  const last = FIRST + rows - 1;
  const years = Math.floor(rows / 12);
  const cells: NonNullable<SheetSpec['cells']> = {
    B4: 250_000,
    B5: 0.0425,
    B6: years,
    B7: 'Monthly',
    B8: 46_418,
    B11: { formula: 'INDEX(Lists!$B$5:$B$8,MATCH(B7,Lists!$A$5:$A$8,0))' },
    B12: { formula: 'B6*B11' },
    B13: { formula: 'IF(B5=0,ROUND(B4/B12,2),ROUND(PMT(B5/B11,B12,-B4),2))' },
    B14: { formula: `ROUND(SUM(Schedule!$D$${FIRST}:$D$${last}),2)` },
    B15: { formula: `ROUND(SUM(Schedule!$E$${FIRST}:$E$${last}),2)` },
    B16: { formula: `INDEX(Schedule!$B$${FIRST}:$B$${last},MATCH(B12,Schedule!$A$${FIRST}:$A$${last},0))` },
  };
  return {
    sheets: [
      { name: 'Loan', cells },
      { name: 'Schedule', cells: schedule(rows) },
      {
        name: 'Lists',
        cells: { A5: 'Monthly', A6: 'Quarterly', A7: 'Half-yearly', A8: 'Yearly', B5: 12, B6: 4, B7: 2, B8: 1 },
      },
    ],
    names: {
      in_Amount: 'Loan!$B$4',
      in_Rate: 'Loan!$B$5',
      in_Years: 'Loan!$B$6',
      in_Frequency: 'Loan!$B$7',
      in_First_Payment: 'Loan!$B$8',
      out_Payment: 'Loan!$B$13',
      out_Total_Paid: 'Loan!$B$14',
      out_Total_Interest: 'Loan!$B$15',
      out_Last_Payment: 'Loan!$B$16',
    },
  };
}

function schedule(rows: number): NonNullable<SheetSpec['cells']> {
  const cells: NonNullable<SheetSpec['cells']> = {};
  for (let number = 1; number <= rows; number += 1) {
    const row = FIRST + number - 1;
    const formulas = {
      A: `IF(${number}<=Loan!$B$12,${number},"")`,
      B: `IF(A${row}="","",EDATE(Loan!$B$8,(A${row}-1)*12/Loan!$B$11))`,
      C: number === 1 ? 'Loan!$B$4' : `IF(A${row}="","",G${row - 1})`,
      D: `IF(A${row}="","",IF(A${row}=Loan!$B$12,ROUND(C${row}+E${row},2),MIN(Loan!$B$13,ROUND(C${row}+E${row},2))))`,
      E: `IF(A${row}="","",ROUND(C${row}*Loan!$B$5/Loan!$B$11,2))`,
      F: `IF(A${row}="","",ROUND(D${row}-E${row},2))`,
      G: `IF(A${row}="","",ROUND(C${row}-F${row},2))`,
    };
    for (const [column, formula] of Object.entries(formulas)) cells[`${column}${row}`] = { formula };
  }
  return cells;
}
