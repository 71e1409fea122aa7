import { expect, test } from 'vitest';
import { escapeFormula, escapeFormulaButNumber } from './csv-formulas.ts';

test('texts that a spreadsheet program would run get an apostrophe', () => {
  for (const text of ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '\rx', '\nx', '|x']) {
    expect(escapeFormula(text)).toBe(`'${text}`);
    expect(escapeFormulaButNumber(text)).toBe(`'${text}`);
  }
  for (const text of ['', 'a=b', '1-2', 'North']) expect(escapeFormula(text)).toBe(text);
});

test('numbers keep their sign if they are exempt', () => {
  for (const text of ['-5', '+1,234.50']) {
    expect(escapeFormulaButNumber(text)).toBe(text);
    expect(escapeFormula(text)).toBe(`'${text}`);
  }
  expect(escapeFormulaButNumber('-5+cmd')).toBe("'-5+cmd");
});
