/** A workbook with a validation of every kind, against which inputs are checked. */
import type { ValidationSpec, WorkbookSpec } from './build-workbook.ts';

const rule = (ref: string, type: string, more: Partial<ValidationSpec> = {}): ValidationSpec => ({
  ref,
  type,
  ...more,
});

/** Serial numbers of 1 January and 31 December 2026. */
export const JAN_1 = 46_023;
export const DEC_31 = 46_387;

export const RULED: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        B1: 10,
        B2: { value: 0.1, style: 1 },
        B3: { value: JAN_1 + 30, style: 2 },
        B4: { value: 0.5, style: 3 },
        B5: 'ABC',
        B6: 2,
        B7: 5,
        B8: 5,
        B9: 'North',
        B10: 'Oslo',
        B11: 5,
        B12: 5,
        D1: 'Oslo',
        D2: 'Bergen',
        E1: 'Rome',
        E2: 'Bari',
        G1: 100,
        I1: 'From',
        J1: 'To',
        I2: 1,
        J2: 2,
        I3: 3,
        J3: 4,
        B14: { formula: 'SUM(B1:B8)', value: 22.6 },
      },
      tables: [{ name: 'Spans', ref: 'I1:J3', columns: ['From', 'To'] }],
      validations: [
        rule('B1', 'whole', { formula1: '1', formula2: '40' }),
        rule('B2', 'decimal', { formula1: '0', formula2: '0.25' }),
        rule('B3', 'date', { formula1: String(JAN_1), formula2: String(DEC_31) }),
        rule('B4', 'time', { operator: 'greaterThanOrEqual', formula1: '0.354166666666667' }),
        rule('B5', 'textLength', { operator: 'greaterThan', formula1: '2' }),
        rule('B6', 'custom', { formula1: 'MOD(B6,2)=0', errorTitle: 'Odd', error: 'Only even numbers of boxes' }),
        rule('B7', 'decimal', { operator: 'lessThanOrEqual', formula1: 'B1' }),
        rule('B8', 'whole', { operator: 'lessThan', formula1: '$G$1', errorStyle: 'warning', error: 'Rather many' }),
        rule('B9', 'list', { formula1: '"North,South"' }),
        rule('B10', 'list', { formula1: 'INDIRECT(B9)' }),
        rule('B11', 'decimal', { operator: 'lessThan', formula1: '[1]Other!$A$1' }),
        rule('B12', 'whole', { operator: 'lessThan', formula1: '$G$1', showError: false }),
        rule('J2:J3', 'custom', { formula1: 'J2>I2' }),
        rule('I2:I3', 'whole', { operator: 'greaterThan', formula1: '0' }),
      ],
    },
  ],
  formats: ['0.00%', 'dd/mm/yyyy', 'hh:mm'],
  names: {
    in_Years: 'S!$B$1',
    in_Rate: 'S!$B$2',
    in_Day: 'S!$B$3',
    in_Opening: 'S!$B$4',
    in_Code: 'S!$B$5',
    in_Boxes: 'S!$B$6',
    in_Grace: 'S!$B$7',
    in_Many: 'S!$B$8',
    in_Region: 'S!$B$9',
    in_City: 'S!$B$10',
    in_Linked: 'S!$B$11',
    in_Silent: 'S!$B$12',
    in_Spans: 'Spans',
    out_Total: 'S!$B$14',
    North: 'S!$D$1:$D$2',
    South: 'S!$E$1:$E$2',
  },
};
