import { describe, expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { numberToEnglishText } from './coerce.ts';

/** Texts of numbers as observed in Excel. Source: the examples of Apache POI's NumberToTextConverter. */
const TEXTS: [number, string][] = [
  [7.56, '7.56'],
  [123.4567890123455, '123.456789012345'],
  [1234567.8901234567, '1234567.89012346'],
  [123499.9999999999, '123500'],
  [0.00012345678901234567, '0.000123456789012346'],
  [0.000012345678901234568, '1.23456789012346E-05'],
  [0.0000123456789, '0.0000123456789'],
  [0.000000056789012345, '0.000000056789012345'],
  [5.67890123456e-8, '5.67890123456E-08'],
  [1.234999999999999e-8, '0.00000001235'],
  [1.234999999999999e-20, '1.235E-20'],
  [-9.999999999999999e-9, '-0.00000001'],
  [-9.999999999999999e-19, '-0.000000000000000001'],
  [-9.999999999999999e-20, '-1E-19'],
  [1234567890123456.8, '1234567890123460'],
  [-12345678901234567000, '-12345678901234600000'],
  [-123456789012345680000, '-1.23456789012346E+20'],
  [9.999999999999999e20, '1E+21'],
  [2e-50, '2E-50'],
];

describe('numbers as texts', () => {
  it.each(TEXTS)('%d is %s', (value, text) => expect(numberToEnglishText(value)).toBe(text));

  it('has no noise after the last digit of a small number', () => {
    expect(numberToEnglishText(7.5e-9)).toBe('0.0000000075');
    expect(evaluate('=LEN(A1)&"; "&A1', { A1: 7.5e-9 })).toBe('12; 0.0000000075');
  });

  it('has 15 significant digits at most, from which the same number is read', () => {
    const random = seededRandom(anySeed());
    for (let round = 0; round < 5000; round += 1) {
      const length = random.between(1, 15);
      const first = random.between(1, 9);
      const rest = Array.from({ length: length - 1 }, () => random.between(0, 9)).join('');
      const value = Number(`${random.pick(['', '-'])}${first}.${rest}e${random.between(-300, 300)}`);
      const text = numberToEnglishText(value);
      const digits = text.replace(/E.*|[-.]/g, '').replace(/^0+|0+$/g, '');
      const hint = `${value} of seed ${random.seed}`;
      expect(Number(text), hint).toBe(value);
      expect(digits.length, hint).toBeLessThanOrEqual(length);
      expect(text, hint).toMatch(/^-?(\d{1,20}|(?=[\d.]{1,20}$)\d+\.\d*[1-9]|\d(\.\d*[1-9])?E[+-]\d{2,3})$/);
    }
  });
});
