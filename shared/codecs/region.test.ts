/** A displayed value, typed back in the same region, yields the same value. */
import { describe, expect, it } from 'vitest';
import { cellProblem, displayCell, editText, readCellText, type CellKind } from './cell-text.ts';
import { formatCellValue } from './format-value.ts';
import { toSerial } from './serial-date.ts';
import { regionOf } from './text-region.ts';

const REGIONS = ['en-US', 'en-GB', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE', 'en-IN', 'pl-PL', 'ja-JP', 'pt-BR'].map(
  regionOf,
);

const NUMBER_FORMATS = [
  'General',
  '0',
  '0.0',
  '0.00',
  '0.000',
  '0.0000',
  '#,##0',
  '#,##0.0',
  '#,##0.00',
  '#,##0.000',
  '0.##',
  '0%',
  '0.0%',
  '0.000%',
  '"$"#,##0.00',
  '#,##0.00 "kg"',
  '[$€-407]#,##0.00',
  '#,##0.00 [$€-407]',
  '[$-409]#,##0.00',
  '#,##0.00;(#,##0.00)',
  '#,##0.00;[Red]-#,##0.00',
  '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  '0.00E+00',
];
/** Values that each of the formats shows without loss. */
const NUMBERS = [0, 1, -1, 7, 12, 123, 1000, 1500, -1500, 12_345, 1_234_567, 0.5, 1.5, -2.5, 1500.5];
const DECIMALS = [0.125, 1.125, 12.345, 1.234];

const DATE_FORMATS = [
  'General',
  'm/d/yyyy',
  'mm-dd-yy',
  'mm/dd/yyyy',
  '[$-409]m/d/yyyy',
  'dd/mm/yyyy',
  'd.m.yyyy',
  'dd.mm.yy',
  'yyyy-mm-dd',
  'yy/mm/dd',
  'd-mmm-yy',
  'dd mmmm yyyy',
  'mmmm d, yyyy',
  '[$-409]d-mmm-yyyy',
  '[$-407]dd. mmmm yyyy',
  'm/d/yyyy h:mm',
  'mm/dd/yyyy hh:mm:ss',
  'dd/mm/yyyy h:mm AM/PM',
  'h:mm',
  'h:mm:ss',
  '[h]:mm',
];
const DAYS = [
  [2026, 4, 3],
  [2026, 3, 4],
  [2026, 12, 25],
  [2026, 1, 1],
  [1999, 11, 10],
].map(([year, month, day]) => toSerial({ year: year!, month: month!, day: day! })!);

function kindOf(usage: CellKind['usage'], format: string, region: CellKind['region']): CellKind {
  return { usage, format, maxSize: null, region: region!, canAsk: true };
}

/** Returns a number rounded to what the format shows. */
const shownOf = (value: number, format: string): number => {
  const digits = /E/.test(format) ? null : (/\.([0#]+)/.exec(format)?.[1]?.length ?? (format === 'General' ? 9 : 0));
  if (digits === null) return Number(value.toExponential(2));
  return Number(value.toFixed(digits + (format.includes('%') ? 2 : 0)));
};

describe.each(REGIONS)('in $Id', (region) => {
  it.each(NUMBER_FORMATS)('numbers in %s', (format) => {
    for (const value of [...NUMBERS, ...DECIMALS]) {
      const expected = shownOf(value, format);
      if (Math.abs(expected - value) > 1e-9) continue;
      const kind = { ...kindOf('Number', format, region), held: value };
      const shown = displayCell(value, kind);
      expect(readCellText(shown, kind).cell, `${value} is shown as ${shown}`).toBeCloseTo(value, 9);
      const edited = editText(value, kind);
      expect(readCellText(edited, { ...kind, isTyped: true }).cell, `${value} is edited as ${edited}`).toBe(value);
    }
  });

  it.each(DATE_FORMATS)('dates in %s', (format) => {
    const kind = kindOf('Date', format, region);
    const clock = format.includes('h') ? 0.5 : 0;
    for (const day of DAYS) {
      const value = /y/.test(format) || format === 'General' ? day + clock : clock;
      for (const shown of [
        displayCell(value, kind),
        editText(value, kind),
        formatCellValue(value, format, 'Date', region),
      ]) {
        const read = readCellText(shown, { ...kind, held: value });
        expect(read.cell, `${value} is shown as ${shown}: ${JSON.stringify(read)}`).toBeCloseTo(value, 6);
      }
    }
  });
});

const read = (text: string, usage: 'Number' | 'Date', region: string, more: Partial<CellKind> = {}) =>
  readCellText(text, { ...kindOf(usage, usage === 'Date' ? 'm/d/yyyy' : 'General', regionOf(region)), ...more });
const valuesOf = (reading: ReturnType<typeof readCellText>): unknown[] =>
  reading.choices?.map(({ cell }) => cell) ?? [reading.cell];

describe('a number', () => {
  it.each<[string, string, unknown[]]>([
    ['1.500', 'de-DE', [1500]],
    ['1,500', 'en-US', [1500]],
    ['250.000,00', 'de-DE', [250_000]],
    ['1.250.000', 'de-DE', [1_250_000]],
    ['12.5', 'de-DE', [12.5]],
    ['12,5', 'en-US', [12.5]],
    ['0.125', 'en-US', [0.125]],
    ['1234.567', 'en-US', [1234.567]],
    ['1.5001', 'en-US', [1.5001]],
    ['1.500', 'en-US', [1.5, 1500]],
    ['1.500', 'en-GB', [1.5, 1500]],
    ['1,500', 'de-DE', [1.5, 1500]],
    ['1,500', 'fr-FR', [1.5, 1500]],
    ['1.500', 'fr-FR', [1.5, 1500]],
    ['1,500', 'de-CH', [1500, 1.5]],
    ['€ 1.500', 'en-US', [1.5, 1500]],
    ['-1.500', 'en-US', [-1.5, -1500]],
  ])('%j in %s can be %j', (text, region, values) => {
    expect(valuesOf(read(text, 'Number', region))).toEqual(values);
  });

  it('is what it was where the cell is typed as it was shown, or shows three decimals', () => {
    expect(read('1.500', 'Number', 'en-US', { held: 1.5 }).cell).toBe(1.5);
    expect(read('1.500', 'Number', 'en-US', { format: '0.000' }).cell).toBe(1.5);
  });

  it('that is asked about is no value until somebody has answered', () => {
    const kind = kindOf('Number', 'General', regionOf('en-US'));
    const { cell, choices } = readCellText('1.500', kind);
    expect([displayCell(cell, kind), editText(cell, kind)]).toEqual(['1.500', '1.500']);
    expect(cellProblem(cell, kind)).toBe('Value can mean 1.5 or 1500: specify which one');
    const [, thousands] = choices!;
    expect(readCellText(String(cell), { ...kind, region: thousands!.region, canAsk: false }).cell).toBe(1500);
  });

  it('of more than 15 digits keeps them, and is shown with the marks of the region', () => {
    const exact = { ...kindOf('Number', 'General', regionOf('de-DE')), isExact: true };
    const { cell } = readCellText('12.345.678.901.234.567,25', exact);
    expect(cell).toBe('12345678901234567.25');
    expect([displayCell(cell, exact), cellProblem(cell, exact)]).toEqual(['12345678901234567,25', null]);
    expect(readCellText('1,500', exact).choices?.map((choice) => choice.cell)).toEqual([1.5, 1500]);
  });
});

describe('a date', () => {
  const day = (month: number, date: number): number => toSerial({ year: 2026, month, day: date })!;
  it.each<[string, string, unknown[]]>([
    ['03/04/2026', 'en-US', [day(3, 4)]],
    ['03/04/2026', 'en-GB', [day(4, 3)]],
    ['03/04/26', 'en-US', [day(3, 4)]],
    ['12/25/2026', 'en-US', [day(12, 25)]],
    ['13/02/2026', 'en-US', [day(2, 13)]],
    ['12/25/2026', 'de-DE', [day(12, 25)]],
    ['03.04.2026', 'de-DE', [day(4, 3)]],
    ['3. April 2026', 'de-DE', [day(4, 3)]],
    ['2026-04-03', 'en-US', [day(4, 3)]],
    ['03/04/2026', 'sv-SE', [day(4, 3), day(3, 4)]],
    ['13/04/2026', 'sv-SE', [day(4, 13)]],
  ])('%j in %s can be %j', (text, region, values) => {
    expect(valuesOf(read(text, 'Date', region))).toEqual(values);
  });

  it('in an order that is not the one of the region is asked about, though it has one reading', () => {
    expect(read('13/02/2026', 'Date', 'en-US').choices).toHaveLength(1);
    expect(read('12/25/2026', 'Date', 'de-DE').choices).toHaveLength(1);
    expect(read('13/04/2026', 'Date', 'sv-SE').choices).toBeUndefined();
  });
});
