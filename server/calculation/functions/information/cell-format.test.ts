import { expect, it } from 'vitest';
import { formatCode } from './cell.ts';

// Source: Microsoft, CELL, 'CELL format codes'.
it.each([
  ['General', 'G'],
  ['0', 'F0'],
  ['#,##0', ',0'],
  ['0.00', 'F2'],
  ['#,##0.00', ',2'],
  ['$#,##0_);($#,##0)', 'C0'],
  ['$#,##0_);[Red]($#,##0)', 'C0-'],
  ['"$"#,##0.00_);\\("$"#,##0.00\\)', 'C2'],
  ['0%', 'P0'],
  ['0.00%', 'P2'],
  ['0.00E+00', 'S2'],
  ['# ?/?', 'G'],
  ['m/d/yy', 'D4'],
  ['m/d/yy h:mm', 'D4'],
  ['d-mmm-yy', 'D1'],
  ['d-mmm', 'D2'],
  ['mmm-yy', 'D3'],
  ['mm/dd', 'D5'],
  ['h:mm AM/PM', 'D7'],
  ['h:mm:ss AM/PM', 'D6'],
  ['h:mm', 'D9'],
  ['h:mm:ss', 'D8'],
])('CELL("format") of %s is %s', (code, expected) => {
  expect(formatCode(code)).toBe(expected);
});
