import { expect, it } from 'vitest';
import { cellsInText } from './cells-in-text.ts';

const cellsOf = (text: string) => cellsInText(text).flatMap(({ cell }) => (cell ? [`${cell.Sheet}|${cell.Cell}`] : []));

it('cells are found in a line, sheets in quotes too', () => {
  const text = "Output 'Sum' has the error #DIV/0! in Data!B4: =A1/'Old & new'!$C$12. It's first in 'O''Neil'!A1";
  expect(cellsOf(text)).toEqual(['Data|B4', 'Old & new|C12', "O'Neil|A1"]);
  expect(
    cellsInText(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

it('the first cell of a block is a reference, and other texts are not', () => {
  expect(cellsOf('Not so (S!G2:G3)')).toEqual(['S|G2']);
  expect(cellsOf('Done! A1 was written, S!SUM(1), S!A0, Hello!World')).toEqual([]);
});
