import { expect, it } from 'vitest';
import { withBookNames } from './book-names.ts';

const LINKS = ['file:///C:\\My%20Data\\Old Prices.xlsx', 'Rates.xlsx', "https://example.org/a/Tom's.xlsx", '100%.xlsx'];

it.each([
  ["=SUM('[1]A & B'!A1:B2)*2", "=SUM('C:\\My Data\\[Old Prices.xlsx]A & B'!A1:B2)*2"],
  ['=[1]Sheet1!A1', "='C:\\My Data\\[Old Prices.xlsx]Sheet1'!A1"],
  ['=[2]Sheet1!$A$1+[2]Sheet1!B2', '=[Rates.xlsx]Sheet1!$A$1+[Rates.xlsx]Sheet1!B2'],
  ["='[2]It''s'!A1", "='[Rates.xlsx]It''s'!A1"],
  ['=[3]S!A1', "='https://example.org/a/[Tom''s.xlsx]S'!A1"],
  ['=[4]S!A1', "='[100%.xlsx]S'!A1"],
  ['=[9]S!A1', '=[9]S!A1'],
  ['="[1]S!A1"&Table1[[1]]', '="[1]S!A1"&Table1[[1]]'],
  ['=A1', '=A1'],
])('%s is shown as %s', (formula, shown) => expect(withBookNames(formula, LINKS)).toBe(shown));
