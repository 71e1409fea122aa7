/** Realistic workbooks, each with any number of lines in its table; everything below the table moves accordingly. */
import type { CellSpec, WorkbookSpec } from './build-workbook.ts';

export interface GrowingKind {
  /** Builds the workbook with this many lines. */
  make(lines: number): WorkbookSpec;
  input: string;
  /** The values of a line (from 0); null if its formula calculates the value. */
  line(index: number): unknown[];
}

type Cells = Record<string, CellSpec>;

/** Formulas without saved results. */
const formula = (text: string): CellSpec => ({ formula: text, value: 0 });

/** `first` is the row of the first line, numbered as in Excel. */
function table(
  first: number,
  lines: number,
  line: (index: number) => unknown[],
  formulas: (row: number) => (string | null)[],
): Cells {
  const cells: Cells = {};
  for (let index = 0; index < lines; index++) {
    const row = first + index;
    const texts = formulas(row);
    for (const [at, value] of line(index).entries()) {
      const address = `${String.fromCharCode(65 + at)}${row}`;
      const text = texts[at];
      if (text != null) cells[address] = formula(text);
      else if (value !== null) cells[address] = value as CellSpec;
    }
  }
  return cells;
}

/**
 * Lines, followed by subtotal, discount, tax and total; terms across all columns; a cover sheet and a name that refer
 * to the total.
 */
export const QUOTE: GrowingKind = {
  input: 'Lines',
  line: (index) => [`Position ${index}`, index + 1, 12.5, null],
  make: (lines) => {
    const last = 7 + lines;
    const cover: Cells = {
      A1: formula('Total_Due'),
      A2: formula(`Quote!D${last + 4}/MAX(Quote!D8:D${last})`),
    };
    return {
      sheets: [
        {
          name: 'Quote',
          cells: {
            A1: 'Quote',
            A3: 'Customer',
            B3: 'ACME',
            A4: 'Discount',
            B4: 0.1,
            A5: 'Tax',
            B5: 0.19,
            A7: 'Position',
            B7: 'Qty',
            C7: 'Price',
            D7: 'Amount',
            ...table(
              8,
              lines,
              (index) => QUOTE.line(index),
              (row) => [null, null, null, `B${row}*C${row}`],
            ),
            [`A${last + 1}`]: 'Subtotal',
            [`D${last + 1}`]: formula(`SUM(D8:D${last})`),
            [`A${last + 2}`]: 'Discount',
            [`D${last + 2}`]: formula(`-D${last + 1}*$B$4`),
            [`A${last + 3}`]: 'Tax',
            [`D${last + 3}`]: formula(`(D${last + 1}+D${last + 2})*$B$5`),
            [`A${last + 4}`]: 'Total',
            [`D${last + 4}`]: formula(`SUM(D${last + 1}:D${last + 3})`),
            [`A${last + 6}`]: 'Valid for 30 days',
          },
          tables: [
            {
              name: 'Lines',
              ref: `A7:D${last}`,
              columns: [
                'Position',
                'Qty',
                'Price',
                { name: 'Amount', formula: 'Lines[[#This Row],[Qty]]*Lines[[#This Row],[Price]]' },
              ],
            },
          ],
          merges: [`A${last + 6}:D${last + 6}`, 'A1:D1'],
          notes: { [`D${last + 4}`]: 'with tax' },
          validations: [
            { ref: `B8:B${last}`, type: 'whole', operator: 'between', formula1: '1', formula2: `$D$${last + 4}` },
          ],
        },
        {
          name: 'Cover',
          cells: cover,
        },
      ],
      names: { in_Lines: 'Lines', out_Total: `Quote!$D$${last + 4}`, Total_Due: `Quote!$D$${last + 4}` },
    };
  },
};

/** Days with hours, the totals row of the table, overtime below it, and a summary on another sheet. */
export const TIMESHEET: GrowingKind = {
  input: 'Days',
  line: (index) => [45_000 + index, 8, 17 - (index % 3), null],
  make: (lines) => {
    const last = 3 + lines;
    const month: Cells = {
      A1: formula(`Times!D${last + 1}+Times!$D$${last + 2}`),
      A2: formula(`SUM(Times!D4:D${last + 1})`),
    };
    return {
      sheets: [
        {
          name: 'Times',
          cells: {
            A1: 'Timesheet',
            F1: 8,
            A3: 'Day',
            B3: 'From',
            C3: 'To',
            D3: 'Hours',
            ...table(
              4,
              lines,
              (index) => TIMESHEET.line(index),
              (row) => [null, null, null, `C${row}-B${row}`],
            ),
            [`A${last + 1}`]: 'Total',
            [`D${last + 1}`]: formula('SUBTOTAL(109,Days[Hours])'),
            [`A${last + 2}`]: 'Overtime',
            [`D${last + 2}`]: formula(`D${last + 1}-COUNT(A4:A${last})*$F$1`),
            [`A${last + 3}`]: 'Longest day',
            [`D${last + 3}`]: formula('MAX(Days[Hours])'),
          },
          tables: [
            {
              name: 'Days',
              ref: `A3:D${last + 1}`,
              columns: [
                'Day',
                'From',
                'To',
                {
                  name: 'Hours',
                  formula: 'Days[[#This Row],[To]]-Days[[#This Row],[From]]',
                  totalsFormula: 'SUBTOTAL(109,Days[Hours])',
                },
              ],
              totals: true,
            },
          ],
        },
        {
          name: 'Month',
          cells: month,
        },
      ],
      names: { in_Days: 'Days', out_Overtime: `Times!$D$${last + 2}` },
    };
  },
};

/** Tasks with end dates, the end of the project, and milestones in a second table below that look up tasks. */
export const PROJECT: GrowingKind = {
  input: 'Tasks',
  line: (index) => [`Task ${index}`, 45_000 + index * 2, 3 + (index % 4), null],
  make: (lines) => {
    const last = 2 + lines;
    return {
      sheets: [
        {
          name: 'Plan',
          cells: {
            A1: 'Plan',
            A2: 'Task',
            B2: 'Start',
            C2: 'Days',
            D2: 'End',
            ...table(
              3,
              lines,
              (index) => PROJECT.line(index),
              (row) => [null, null, null, `B${row}+C${row}`],
            ),
            [`A${last + 1}`]: 'End of the project',
            [`D${last + 1}`]: formula(`MAX(D3:D${last})`),
            [`A${last + 4}`]: 'Milestone',
            [`B${last + 4}`]: 'Task',
            [`C${last + 4}`]: 'Day',
            [`A${last + 5}`]: 'Half',
            [`B${last + 5}`]: 'Task 0',
            [`C${last + 5}`]: formula(`INDEX($D$3:$D$${last},MATCH(B${last + 5},$A$3:$A$${last},0))`),
            [`C${last + 7}`]: formula(`D${last + 1}-MIN(Stones[Day])`),
          },
          tables: [
            {
              name: 'Tasks',
              ref: `A2:D${last}`,
              columns: [
                'Task',
                'Start',
                'Days',
                { name: 'End', formula: 'Tasks[[#This Row],[Start]]+Tasks[[#This Row],[Days]]' },
              ],
            },
            { name: 'Stones', ref: `A${last + 4}:C${last + 5}`, columns: ['Milestone', 'Task', 'Day'] },
          ],
          validations: [{ ref: `B${last + 5}`, type: 'list', formula1: `$A$3:$A$${last}` }],
        },
      ],
      names: { in_Tasks: 'Tasks', out_End: `Plan!$D$${last + 1}`, out_Left: `Plan!$C$${last + 7}` },
    };
  },
};
