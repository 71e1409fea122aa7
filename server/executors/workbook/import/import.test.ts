import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { toSerial } from '#shared/codecs/serial-date.ts';
import { buildWorkbook, type CellSpec } from '#test/support/build-workbook.ts';
import { ImportError } from './decode-text.ts';
import type { ReadOptions } from './file-rows.ts';
import { readRows } from './file-rows.ts';
import { parseFileDate } from './parse-dates.ts';
import { findSeparator, parseFileNumber } from './parse-numbers.ts';
import type { Notation, TargetColumn } from './typed-rows.ts';
import { typeRows } from './typed-rows.ts';

const options = (more: Partial<ReadOptions> = {}): ReadOptions => ({
  headerRow: 1,
  encoding: null,
  delimiter: null,
  sheet: null,
  ...more,
});
const AS_WRITTEN: Notation = { decimalSeparator: null, dateFormat: null, region: null };
const column = (name: string, usage: TargetColumn['usage'] = 'Text', isCalculated = false): TargetColumn => ({
  name,
  usage,
  isGuessed: false,
  isCalculated,
});
const utf16 = (text: string, bigEndian = false): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

describe('a text file', () => {
  const text = 'Name;City\r\nJürgen;Köln\r\n';
  it.each<[string, Uint8Array, string | null]>([
    ['UTF-8', Buffer.from(text), null],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), null],
    ['UTF-8 with a mark, whatever the step says', Buffer.from(`\ufeff${text}`), 'windows-1252'],
    ['UTF-16 with a mark', utf16(`\ufeff${text}`), null],
    ['UTF-16 big-endian with a mark', utf16(`\ufeff${text}`, true), null],
    ['UTF-16 without a mark', utf16(text), null],
    ['UTF-16 as the step says', utf16(text), 'UTF-16'],
    ['Windows-1252', Buffer.from(text, 'latin1'), null],
    ['Windows-1252 as the step says', Buffer.from(text, 'latin1'), 'windows-1252'],
  ])('is read in %s', async (_, bytes, encoding) => {
    const file = await readRows(bytes, options({ encoding }));
    expect(file).toEqual({
      headers: ['Name', 'City'],
      rows: [{ row: 2, cells: ['Jürgen', 'Köln'] }],
      isText: true,
      delimiter: ';',
    });
  });

  it('that is not in the encoding named is refused', async () => {
    await expect(readRows(Buffer.from('K\xf6ln', 'latin1'), options({ encoding: 'UTF-8' }))).rejects.toThrow(
      'the file is not encoded in UTF-8',
    );
  });

  it.each([',', ';', '\t', '|'])('parts its columns by %j, quoted ones apart', async (delimiter) => {
    const line = ['A', '"B,;\t|"', 'C'].join(delimiter);
    expect((await readRows(Buffer.from(`${line}\n1\n`), options())).headers).toEqual(['A', 'B,;\t|', 'C']);
  });

  it('keeps the row numbers of the file over blank rows, quoted line breaks and rows before the header', async () => {
    const text = 'Report of May\n\nA,B\n1,"two\nlines"\n\n , \n3,4\n';
    const { headers, rows } = await readRows(Buffer.from(text), options({ headerRow: 3, delimiter: ',' }));
    expect(headers).toEqual(['A', 'B']);
    expect(rows).toEqual([
      { row: 4, cells: ['1', 'two\nlines'] },
      { row: 8, cells: ['3', '4'] },
    ]);
  });

  it.each([
    ['', 'the file is empty'],
    ['\n\n', 'row 1 of the file contains no column names'],
    ['A,B\n"open', 'cannot be read as csv: a quotation mark (") starts a value that never ends'],
    ['\0\x01\x02\x03', 'neither a text file nor an Excel workbook'],
    ['%PDF-1.4\n1 0 obj\n', 'neither a text file nor an Excel workbook'],
  ])('%j is refused', async (text, message) => {
    await expect(readRows(Buffer.from(text), options())).rejects.toThrow(message);
    await expect(readRows(Buffer.from(text), options())).rejects.toThrow(ImportError);
  });
});

describe('an Excel file', () => {
  it('is read from the sheet named, else the first one that can be seen', async () => {
    const bytes = await buildWorkbook({
      sheets: [
        { name: 'Secret', state: 'hidden', cells: { A1: 'no' } },
        { name: 'May', cells: { A1: 'Id', C1: 'Sum', A2: 1, C2: { formula: 'A2', value: 2.5 }, A4: 'x', B4: true } },
        { name: 'June', cells: { B2: 'Id', B3: 7 } },
      ],
    });
    expect(await readRows(bytes, options())).toEqual({
      headers: ['Id', '', 'Sum'],
      rows: [
        { row: 2, cells: [1, null, 2.5] },
        { row: 4, cells: ['x', true] },
      ],
      isText: false,
      delimiter: '',
    });
    const june = await readRows(bytes, options({ sheet: 'june', headerRow: 2 }));
    expect(june.rows).toEqual([{ row: 3, cells: [null, 7] }]);
    await expect(readRows(bytes, options({ sheet: 'July' }))).rejects.toThrow(
      "no sheet 'July'; it has 'Secret', 'May'",
    );
  });

  it('of the 1904 system gives its days in the 1900 system', async () => {
    const sheets = [{ name: 'S', cells: { A1: 'Day', A2: { value: 0, style: 1 }, A3: 0 } }];
    const bytes = await buildWorkbook({ sheets, formats: ['yyyy-mm-dd'], date1904: true });
    expect((await readRows(bytes, options())).rows.map(({ cells }) => cells)).toEqual([[1462], [0]]);
  });

  it('of a program that saves no values of formulas is calculated', async () => {
    const cells = { A1: 'Id', B1: 'Amount', A2: 1, B2: { formula: '1000*2' }, A3: 2, B3: { formula: 'B2&""' } };
    const sheets = [
      { name: 'S', cells: { ...cells, B4: { formula: 'Other!A1' } } },
      { name: 'Other', cells: { A1: 7 } },
    ];
    const { rows } = await readRows(await buildWorkbook({ sheets }), options());
    expect(rows.map(({ cells }) => cells)).toEqual([
      [1, 2000],
      [2, '2000'],
      [null, 7],
    ]);
  });

  it('with formulas that have no values and cannot be calculated is refused, or has errors, and is never blank', async () => {
    const bytesOf = (cells: Record<string, CellSpec>) => buildWorkbook({ sheets: [{ name: 'S', cells }] });
    const circular = await bytesOf({ A1: 'Amount', A2: { formula: 'A3' }, A3: { formula: 'A2' } });
    await expect(readRows(circular, options())).rejects.toThrow('S!A2');
    const unknown = await bytesOf({ A1: 'Amount', A2: { formula: 'NOSUCHFUNCTION(1)' } });
    expect((await readRows(unknown, options())).rows).toEqual([{ row: 2, cells: [new CellError('#NAME?')] }]);
  });

  it('that cannot be read is refused with its own reason', async () => {
    await expect(readRows(Buffer.from('PK\x03\x04broken'), options())).rejects.toThrow(ImportError);
  });
});

describe('numbers of a text file', () => {
  it.each<[string[], string]>([
    [['1', '22'], '.'],
    [['1.5', '1,234'], '.'],
    [['1,234.50'], '.'],
    [['1,234,567'], '.'],
    [['1,5', '1.234'], ','],
    [['1.234,50'], ','],
    [['1.234.567'], ','],
    [['-1,25 €'], ','],
    [['1,234', '12'], 'unknown'],
    [['1.234', '12'], 'unknown'],
    [['0.234', '1,234'], '.'],
    [['1.5', '1,5'], 'both'],
  ])('%j have the decimal separator %s', (texts, separator) => expect(findSeparator(texts)).toBe(separator));

  it.each<[string, '.' | ',', number | null]>([
    ['1,234.56', '.', 1234.56],
    ['1.234,56', ',', 1234.56],
    [' -12.5 ', '.', -12.5],
    ['12.50-', '.', -12.5],
    ['(12.50)', '.', -12.5],
    ['$ 1,000', '.', 1000],
    ['12.3 %', '.', 0.123],
    ['1 234,5', ',', 1234.5],
    ["1'234.5", '.', 1234.5],
    ['1e3', '.', 1000],
    ['.5', '.', 0.5],
    ['12,34', '.', null],
    ['abc', '.', null],
    ['1.2.3', '.', null],
    ['', '.', null],
  ])('%j with %s is %s', (text, separator, value) => expect(parseFileNumber(text, separator)).toBe(value));
});

it('such as 1.234 are decimal where commas part the columns', () => {
  expect(findSeparator(['1.234', '12.500'], true)).toBe('.');
  expect(findSeparator(['1,234'], true)).toBe('unknown');
});

describe('dates of a text file', () => {
  it.each<[string, 'dmy' | 'mdy' | 'ymd', number | null]>([
    ['2026-01-05', 'dmy', 46027],
    ['2026-01-05T12:00:00Z', 'ymd', 46027.5],
    ['20260105', 'ymd', 46027],
    ['05/01/2026', 'dmy', 46027],
    ['01/05/2026', 'mdy', 46027],
    ['5-Jan-2026', 'dmy', 46027],
    ['05.01.2026 06:00', 'dmy', 46027.25],
    ['05/01/2026', 'ymd', null],
    ['31/02/2026', 'dmy', null],
    ['soon', 'dmy', null],
  ])('%j in %s is %s', (text, order, serial) => expect(parseFileDate(text, order)).toBe(serial));
});

describe('the rows of a file', () => {
  const rows = async (text: string): ReturnType<typeof readRows> => readRows(Buffer.from(text), options());

  it('go into columns by name, in any order and case; calculated columns are left to their formulas', async () => {
    const targets = [
      column('Amount', 'Number'),
      column('Day', 'Date'),
      column('Tax', 'Number', true),
      column('Paid', 'Boolean'),
      column('Code'),
    ];
    const file = await rows(
      ' code ,DAY,Extra,amount,paid,Tax\n007,2026-01-05,x,"1,234.50",Yes,9\n,,,,,\n=1+1,,,,no,\n',
    );
    expect(typeRows(file, targets, AS_WRITTEN)).toEqual({
      rows: [
        [1234.5, 46027, null, true, '007'],
        [null, null, null, false, '=1+1'],
      ],
      problems: [],
      unused: ['Extra'],
    });
  });

  it('go as texts into columns whose kind was guessed where they are nothing else, but are not read in two ways', async () => {
    const file = await rows('Amount;Day\n20;2026-01-05\nn/a;soon\n1.234;01/02/2026\n');
    const guessed = [column('Amount', 'Number'), column('Day', 'Date')].map((one) => ({ ...one, isGuessed: true }));
    expect(typeRows(file, guessed, AS_WRITTEN)).toMatchObject({
      rows: [
        [20, 46027],
        ['n/a', 'soon'],
        [null, null],
      ],
      problems: [
        expect.stringContaining("'1.234' may be read in two ways"),
        expect.stringContaining("'01/02/2026' may be read in two ways"),
      ],
    });
  });

  it('that do not fit are all reported, with row and column', async () => {
    const file = await rows('Amount,Day,Paid\nabc,2026-02-30,maybe\n1.5,2026-01-05,true\n,31/31/2026,\n');
    const { problems } = typeRows(
      file,
      [column('Amount', 'Number'), column('Day', 'Date'), column('Paid', 'Boolean')],
      AS_WRITTEN,
    );
    expect(problems).toEqual([
      "row 2, column 'Amount' (A): 'abc' is not a number",
      "row 2, column 'Day' (B): '2026-02-30' is not a date",
      "row 2, column 'Paid' (C): 'maybe' is neither true nor false",
      "row 4, column 'Day' (B): '31/31/2026' is not a date",
    ]);
  });

  it.each([
    [101, '1 more cell does not fit its column'],
    [102, '2 more cells do not fit their columns'],
  ])('that do not fit are counted after the first hundred: %i', async (count, more) => {
    const file = await rows(`Amount\n${'abc\n'.repeat(count)}`);
    const { problems } = typeRows(file, [column('Amount', 'Number')], AS_WRITTEN);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe(more);
  });

  it('that could be read in two ways are not guessed', async () => {
    const file = await rows('Amount;Day\n1,234;01/02/2026\n12;03/03/2026\n');
    const targets = [column('Amount', 'Number'), column('Day', 'Date')];
    expect(typeRows(file, targets, AS_WRITTEN).problems).toEqual([
      "row 2, column 'Amount' (A): '1,234' may be read in two ways: the step's DecimalSeparator or the region of the workbook has to say which",
      "row 2, column 'Day' (B): '01/02/2026' may be read in two ways: the step's DateFormat or the region of the workbook has to say which",
    ]);
    const inGermany = typeRows(file, targets, { ...AS_WRITTEN, region: { decimal: ',', dayOrder: 'dmy' } });
    const inAmerica = typeRows(file, targets, { ...AS_WRITTEN, region: { decimal: '.', dayOrder: 'mdy' } });
    expect([inGermany.rows[0], inAmerica.rows[0]]).toEqual([
      [1.234, toSerial({ year: 2026, month: 2, day: 1 })],
      [1234, toSerial({ year: 2026, month: 1, day: 2 })],
    ]);
    // In Sweden the year comes first, which does not resolve this date.
    const inSweden = typeRows(file, targets, { ...AS_WRITTEN, region: { decimal: ',', dayOrder: 'ymd' } });
    expect(inSweden.problems).toEqual([expect.stringContaining("'01/02/2026' may be read in two ways")]);
    const said = typeRows(file, targets, { ...AS_WRITTEN, decimalSeparator: ',', dateFormat: 'mm/dd/yyyy' });
    expect(said).toMatchObject({
      problems: [],
      rows: [
        [1.234, 46024],
        [12, 46084],
      ],
    });
  });

  it('of a text file are not taken where a value stands beyond the last column name, as a decimal comma leaves it', async () => {
    const file = await rows('Amount,Price\n1,10,5\n2,20,\n3,30,75\n');
    const { problems } = typeRows(file, [column('Amount', 'Number'), column('Price', 'Number')], AS_WRITTEN);
    expect(problems).toEqual([
      "row 2, column C: there is no column name above '5'",
      "row 4, column C: there is no column name above '75'",
    ]);
  });

  it('cannot go anywhere without their columns', async () => {
    const file = await rows('A,B,B\n1,2,3\n');
    expect(() => typeRows(file, [column('C'), column('D')], AS_WRITTEN)).toThrow(
      "the file has no columns 'C', 'D'; it has 'A', 'B', 'B'",
    );
    expect(() => typeRows(file, [column('b')], AS_WRITTEN)).toThrow("the file has the column 'b' twice");
  });
});
