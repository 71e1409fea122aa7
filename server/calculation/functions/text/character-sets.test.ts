import { describe, expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const MAC = { origin: { program: 'Microsoft Macintosh Excel' } };

describe('CHAR and CODE', () => {
  it.each([
    ['=CHAR(65)', 'A', 'A'],
    ['=CHAR(128)', '€', 'Ä'],
    ['=CHAR(240)', 'ð', '\uf8ff'],
    ['=CHAR(255)', 'ÿ', 'ˇ'],
    ['=CODE("Ä")', 196, 128],
    ['=CODE("€")', 128, 219],
    ['=CODE("A")', 65, 65],
    ['=CODE("中")', 63, 95],
    ['=CHAR(256)', '#VALUE!', '#VALUE!'],
  ])('know the characters of the machine the workbook was saved on: %s is %s, on a Mac %s', (formula, windows, mac) => {
    expect(evaluate(formula)).toBe(windows);
    expect(evaluate(formula, {}, MAC)).toBe(mac);
  });
});
