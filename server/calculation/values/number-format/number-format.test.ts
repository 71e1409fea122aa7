import { describe, expect, it } from 'vitest';
import { numberFormat } from './number-format.ts';

const show = (value: number, code: string, date1904 = false): string =>
  numberFormat(code)?.number(value, date1904) ?? '#VALUE!';

const SPAN = 314_159 / 100_000;

/** [value, code, shown]; the expected texts were observed in Excel. */
type Row = [number, string, string];

const NUMBERS: Row[] = [
  [12.344, '0.00', '12.34'],
  [2.675, '0.00', '2.68'],
  [1.005, '0.00', '1.01'],
  [12.3, '000.00', '012.30'],
  [12.3, '###.##', '12.3'],
  [12, '#.#', '12.'],
  [0, '#', ''],
  [0, '#.##', '.'],
  [0.25, '#.00', '.25'],
  [12.3, '"before "¥#.00', 'before ¥12.30'],
  [-12.3, '\\a $#.00" profit"', '-a $12.30 profit'],
  [1234567, '#,###', '1,234,567'],
  [1234567, ',#', ',1234567'],
  [1234567, '0,0000000', '01,234,567'],
  [1234567, '?,?????????', '    1,234,567'],
  [1234567, '0,', '1235'],
  [1234567, '#,.#,', '1.2'],
  [123.45, '0,0.00%%', '1,234,500.00%%'],
  [0.00035, '#,##0.00%', '0.04%'],
  [12345.6789, '00-00-00-00', '00-01-23-46'],
  [5551234567, '(000) 000-0000', '(555) 123-4567'],
  [1.1, '|??.??|', '| 1.1 |'],
  [-12345.6789, '$#,##0_);($#,##0)', '($12,346)'],
  [12345.6789, '$#,##0_);($#,##0)', '$12,346 '],
  [12, '* 0', '12'],
  [12.5, '[$€-407] #,##0.00', '€ 12.50'],
  [12.345, '[Red][>10]0.0;0.00', '12.3'],
  [1.2345e19, '0', '12345000000000000000'],
  [2 ** 60, '0', '1152921504606850000'],
];

/** Commas between digits, and before and after literals. */
const COMMAS: Row[] = [
  // A run of commas that neither groups nor divides is shown as one comma.
  [123123123, '0,q,w,,', '123123q,w,'],
  [123123123, ',,,#', ',123123123'],
  [123123123, '00,,q,,,q00', '1231231q,q23'],
  [123123123, '0,0,, q,w,,,w,,0,,0', '123,123,1 q,w,w,23'],
  [123123123, '###0,.00,', '123.12'],
  [890123.456789, '0,0.00.0', '890,123.45.7'],
  [890123.456789, '0,x#.00.0', '89012x3.45.7'],
  [890123.456789, '#,0x#.00.0', '890,12x3.45.7'],
  [890123.456789, '#x,0x#.00.0', '8901x,2x3.45.7'],
  [890123.456789, '#x,0,#.00.0', '890,1x,23.45.7'],
  [890123.456789, ',#.00.0', ',890123.45.7'],
  [890123.456789, '#.###x,##', '890123.456x,79'],
  [890123.456789, '#.###,x##', '890123.456x79'],
  [890123.456789, '#.###,x,##', '890123.456x,79'],
  [890123.456789, '#,\\k', '890k'],
  [1.000000001, '00###.##.0000.00', '001..0000.00'],
  [1234567.555, '#,##000########', '00,01,234,568'],
  [1234, '5000700', '5012734'],
  [890123.456789, '#.#####00#0', '890123.45678900'],
];

const SIGNS: Row[] = [
  [-1 / 3, '0', '0'],
  [-1 / 3, '0.00', '-0.33'],
  [-2.7e-18, '#,##0_);(#,##0)', '(0)'],
  [-5, '0;', ''],
  [0, '0.0;(0.0);"zero"', 'zero'],
  [5, '"only text"', 'only text'],
  [-11, '[<-10]#" Wow"', '-11 Wow'],
  [-9, '[<-10]#" Wow"', '-9'],
  // A second section for only some negative numbers determines itself how they look.
  [-10, '"A-"0;[=-10]"B-"0;"C-"0', 'B-10'],
  [-10, '"A-"0;[<-5]"B-"0;"C-"0', 'B-10'],
  [-1, '"A-"0;[<-5]"B-"0;"C-"0', '-C-1'],
  [-1, '"A-"0;[<=-0.5]"B-"0;"C-"0', 'B-1'],
  [-1, '"A-"0;[<=0]"B-"0;"C-"0', '-B-1'],
  [-1, '"A-"0;[<0.5]"B-"0;"C-"0', '-B-1'],
  [10, '[>=10]#" Big"', '10 Big'],
  [9.5, '[>=10]#" Big"', '9.5'],
  [-5, '[>100]0;0.00', '-5.00'],
  [75, '[>100]"a";[>50]"b";"c"', 'b'],
  [7, '[>100]"a";[>50]"b";"c"', 'c'],
];

const EXPONENTS: Row[] = [
  [1234.5, '0.00E+00', '1.23E+03'],
  [12345, '##0.0E+0', '12.3E+3'],
  [999999, '##0.0E+0', '1.0E+6'],
  [9.999, '0.0E+0', '1.0E+1'],
  [1e-7, '0.00E-00', '1.00E-07'],
  [123456.789, '|#%e-#|', '|1%e5|'],
  [0.0000123456789, '|0000.0000|e-|0|', '|1234.5679|e|-8|'],
  [1.2345678e142, '|#.#|e+|?????|', '|1.2|e|+  142|'],
  [0, '|#,######.####|e-|#|', '|0,000,000.|e|0|'],
];

const FRACTIONS: Row[] = [
  [0.5, '# ?/?', ' 1/2'],
  [5, '# ?/?', '5    '],
  [5.25, '# ?/?', '5 1/4'],
  [0.3, '# ?/?', ' 2/7'],
  [SPAN, '# ??/16', '3  2/16'],
  [Math.PI, '# ???/???', '3  16/113'],
  [0.99, '# ?/?', '1    '],
  [3.75, '?/?', '15/4'],
  [23.75, '|#-#-#\\:#/#|', '|-2-3:3/4|'],
  [0.75, '|?\\:?=/=0|', '|  3=/=4|'],
  [0, '|#\\:? ?0#/000', '|:0  00/001'],
  [1, '|0\\:#=/=?|', '|1      |'],
  [0.1234, '0 00/100', '0 12/100'],
];

const DATES: Row[] = [
  [44561.75, 'm/d/yyyy h:mm AM/PM', '12/31/2021 6:00 PM'],
  [41181, 'ddd--/--mmm--/++yyy', 'Sat--/--Sep--/++2012'],
  [41181, 'dddd/mmmm/yyyyy', 'Saturday/September/2012'],
  [41181, 'mmmmm', 'S'],
  [60, 'yyyy-mm-dd', '1900-02-29'],
  [1, 'dddd', 'Sunday'],
  [0, 'm/d/yyyy', '1/0/1900'],
  [-1, 'yyyy', '#VALUE!'],
  [2958466, 'yyyy', '#VALUE!'],
  [44561.5, 'h AM/PM', '12 PM'],
  [44561, 'h AM/PM', '12 AM'],
  [44561.6, 'hh:mm:ss a/p', '02:24:00 p'],
  [44561.999999, 'yyyy-mm-dd hh:mm:ss', '2022-01-01 00:00:00'],
  [44561.999999, 'yyyy-mm-dd', '2021-12-31'],
  [SPAN, '[h]:m:s.000', '75:23:53.376'],
  [SPAN, '[m]:ss', '4523:53'],
  // Elapsed times alone have no limits; parts of negative ones cannot be shown.
  [-1, '[h]', '-24'],
  [-1, '[m]', '-1440'],
  [-1, '[h]:m', '#VALUE!'],
  [-1, '[m]:s', '#VALUE!'],
  [-1, '[s].000', '#VALUE!'],
  [-SPAN, '[hh]:mm:ss.0', '#VALUE!'],
  [71_003_160, '[hh]', '1704075840'],
  [2_958_466, 'h', '#VALUE!'],
  [SPAN, '"It was "[h]" [yes, "h"] hours and "mm:ss', 'It was 75 [yes, 75] hours and 23:53'],
  [SPAN, 's" secs and "[m]" mins"', '53 secs and 4523 mins'],
  [0.5, 'ss.0000', '#VALUE!'],
  [44561, '[$-407]dddd, d. mmmm', 'Freitag, 31. Dezember'],
  [44561, '[$-40C]mmmm', 'décembre'],
  [44561, '[$-F800]dddd, mmmm dd, yyyy', 'Friday, December 31, 2021'],
  [44561, '[$-409]d-mmm-yy;@', '31-Dec-21'],
  [44561, 'bbbb', '2564'],
];

const GENERAL: Row[] = [
  [1 / 3, 'General', '0.333333333'],
  [1.2345678912, 'General', '1.234567891'],
  [10000000000, 'General', '10000000000'],
  [123456789012, 'General', '1.23457E+11'],
  [112345900000, 'General', '1.12346E+11'],
  [1e-9, 'General', '0.000000001'],
  [-2.5e-9, 'General', '-2.5E-09'],
  [1.123459e-10, 'General', '1.12346E-10'],
  [0.000012, 'General', '0.000012'],
  [-0.000012345, 'General', '-0.000012345'],
  [0.0000123456, 'General', '1.23456E-05'],
  [0.00001234567, 'General', '1.23457E-05'],
  [0.000001234, 'General', '0.000001234'],
  [0.0000012345, 'General', '1.2345E-06'],
  [0.00000012, 'General', '0.00000012'],
  [0.000123456789, 'General', '0.000123457'],
  // Halves are rounded up although the binary value is lower, as with other formats.
  [1.000015e-7, 'General', '1.00002E-07'],
  [9.999995e-12, 'General', '1E-11'],
  [9.999995e25, 'General', '1E+26'],
  [0.1 + 0.2, 'General', '0.3'],
  [12.5, 'General" kg"', '12.5 kg'],
  [12.5, '@', '12.5'],
];

const REFUSED: Row[] = [
  [1, 'mm###', '#VALUE!'],
  [1, '"open', '#VALUE!'],
  [1, '0n', '#VALUE!'],
  [1, 'x.hh:mm', '#VALUE!'],
  [1, '[nonsense]0', '#VALUE!'],
  [1, '0;0;0;0;0', '#VALUE!'],
  [1, ';-0;"zero"@;"X"', '#VALUE!'],
];

describe('number formats show numbers as Excel does', () => {
  for (const [title, rows] of Object.entries({
    NUMBERS,
    COMMAS,
    SIGNS,
    EXPONENTS,
    FRACTIONS,
    DATES,
    GENERAL,
    REFUSED,
  })) {
    it.each(rows)(`${title.toLowerCase()}: %d as %s is %j`, (value, code, shown) => {
      expect(show(value, code)).toBe(shown);
    });
  }

  it('counts days of a 1904 book from 1904, and shows earlier ones as negative', () => {
    expect(show(1, 'yyyy-mm-dd', true)).toBe('1904-01-02');
    expect(show(0, 'dddd', true)).toBe('Friday');
    expect(show(-1, 'm/d/yyyy', true)).toBe('-1/2/1904');
  });

  it.each([
    ['@', 'jello', 'jello'],
    ['\\@@\\@', 'jello', '@jello@'],
    [';;;-@-@-', 'jello', '-jello-jello-'],
    ['0;0;0;"hi"', 'jello', 'hi'],
    ['0.00', 'jello', 'jello'],
    ['0;@" units"', 'five', 'five units'],
  ])('texts: %s makes %s into %s', (code, text, shown) => {
    expect(numberFormat(code)!.text(text)).toBe(shown);
  });

  it('finds the nearest fraction for every number of hundredths', () => {
    for (let hundredths = 1; hundredths < 100; hundredths += 1) {
      const value = hundredths / 100;
      const [top, bottom] = show(value, '?/?').split('/').map(Number) as [number, number];
      let best = 1;
      for (let below = 1; below <= 9; below += 1)
        best = Math.min(best, Math.abs(Math.round(value * below) / below - value));
      expect(Math.abs(top / bottom - value)).toBeCloseTo(best, 12);
    }
  });
});
