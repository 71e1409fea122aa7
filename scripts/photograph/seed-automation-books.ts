/** Workbooks for the automation seed: a typical one, and one with the largest, longest and widest possible results. */
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';

const REGIONS = ['North', 'South', 'East', 'West'];
const WIDE_COLUMNS = 24;
const LONG_ROWS = 120;

/** Letter of a column, for a sheet with fewer than 27 columns. */
const letter = (index: number): string => String.fromCharCode(65 + index);

/** @param factor 1 gives correct numbers */
export function revenueBook(factor: number): WorkbookSpec {
  const cells: Record<string, CellSpec> = {
    A1: 'North',
    A2: { value: 120, style: 2 },
    A3: { value: 49.9, style: 1 },
    A4: { value: 46_356, style: 3 },
    B1: { formula: `A2*A3*${factor}`, value: 5988 * factor, style: 1 },
    B2: { formula: '1-31/A3', value: 1 - 31 / 49.9, style: 4 },
    B3: { formula: 'A2<900', value: true },
    D1: 'Region',
    E1: 'Units',
    F1: 'Revenue',
  };
  for (const [index, region] of REGIONS.entries()) {
    const row = index + 2;
    cells[`D${row}`] = region;
    cells[`E${row}`] = { formula: `$A$2/4`, value: 30, style: 2 };
    cells[`F${row}`] = { formula: `$B$1/4`, value: 1497 * factor, style: 1 };
  }
  return {
    formats: ['#,##0.00 "EUR"', '#,##0', 'dd/mm/yyyy', '0.0%'],
    sheets: [
      {
        name: 'Week',
        cells,
        tables: [{ name: 'Regions', ref: 'D1:F5', columns: ['Region', 'Units', 'Revenue'] }],
        validations: [{ ref: 'A1', type: 'list', formula1: `"${REGIONS.join()}"` }],
      },
      stepSheet([{ Step: 'Plausible', Action: 'Check', Cell: 'Week!B3', Message: 'More units than were ever sold' }]),
    ],
    names: {
      in_Region: 'Week!$A$1',
      in_Units: 'Week!$A$2',
      in_Price: 'Week!$A$3',
      in_Day: 'Week!$A$4',
      out_Revenue: 'Week!$B$1',
      out_Margin: 'Week!$B$2',
      out_Regions: 'Regions[]',
    },
  };
}

export function limitsBook(): WorkbookSpec {
  const cells: Record<string, CellSpec> = {
    A1: 1,
    B1: { formula: 'A1*1.23456789E+300', value: 1.234_567_89e300 },
    B2: { formula: 'A1*-98765432109.87', value: -98_765_432_109.87, style: 1 },
    B3: { formula: 'A1*0.00000012', value: 0.000_000_12 },
    B4: {
      formula: 'REPT("What was agreed with the auditors; ",40)',
      value: 'What was agreed with the auditors; '.repeat(40),
    },
    B5: { formula: 'REPT("x",200)', value: 'x'.repeat(200) },
    B6: { formula: 'A1*0', value: 0 },
    B7: { formula: 'IF(A1=1,"","x")', value: '' },
    B8: { formula: 'A1=1', value: true },
  };
  const columns = Array.from({ length: WIDE_COLUMNS }, (_, at) =>
    at === 0 ? 'Company and country of its seat' : `Period ${at}`,
  );
  const wide: Record<string, CellSpec> = {};
  for (const [at, title] of columns.entries()) {
    wide[`${letter(at)}1`] = title;
    for (let row = 2; row <= LONG_ROWS + 1; row += 1) {
      wide[`${letter(at)}${row}`] =
        at === 0
          ? `Müller-Lüdenscheidt Vermögensverwaltung ${row - 1}, Lëtzebuerg`
          : { formula: `S!$A$1*${row * at * 1000}`, value: row * at * 1000, style: 1 };
    }
  }
  const ref = `A1:${letter(WIDE_COLUMNS - 1)}${LONG_ROWS + 1}`;
  return {
    formats: ['#,##0.00 "EUR";[Red]-#,##0.00 "EUR"'],
    sheets: [
      { name: 'S', cells },
      { name: 'Wide', cells: wide, tables: [{ name: 'Companies', ref, columns }] },
    ],
    names: {
      in_Factor: 'S!$A$1',
      out_Very_large: 'S!$B$1',
      out_Discounted_cash_flow_of_all_subsidiaries_before_minority_interests_and_tax: 'S!$B$2',
      out_Tiny: 'S!$B$3',
      out_Remark: 'S!$B$4',
      out_Unbroken: 'S!$B$5',
      out_Nothing: 'S!$B$6',
      out_Blank: 'S!$B$7',
      out_Is_final: 'S!$B$8',
      out_Companies: 'Companies[]',
    },
  };
}
