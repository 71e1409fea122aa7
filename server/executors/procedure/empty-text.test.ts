import { expect, test } from 'vitest';
import { writtenText } from './empty-text.ts';

test.each([
  ["''", ''],
  ["'''", "'"],
  ["''''", "''"],
  ["'", "'"],
  ["'a'", "'a'"],
  ["'' ", "'' "],
])('%j is the text %j', (written, text) => {
  expect(writtenText(written, { base: 'nvarchar' })).toBe(text);
});

test('of types that are no texts nothing is changed', () => {
  expect(writtenText("''", { base: 'uuid' })).toBe("''");
});
