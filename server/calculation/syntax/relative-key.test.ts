import { expect, test } from 'vitest';
import { parseCell } from '#shared/codecs/cell-address.ts';
import { parseFormula } from './parser.ts';
import { printRelative } from './printer.ts';
import { relativeKey } from './relative-key.ts';

const keyAt = (text: string, cell: string): string | null => relativeKey(text, parseCell(cell)!);

test.each([
  ['A1+$B$2*C$3', 'D1', 'A2+$B$2*C$3', 'D2'],
  ['SUM(A1:B2)', 'C1', 'SUM(B5:C6)', 'D5'],
  ["'It''s A1'!B2&\"A1\"", 'C2', "'It''s A1'!B9&\"A1\"", 'C9'],
  ['SUMIFS($A:$A,$B:$B,C1)', 'D1', 'SUMIFS($A:$A,$B:$B,C2)', 'D2'],
  ['LOG10(A1)+T[[#This Row],[A1]]', 'B1', 'LOG10(A2)+T[[#This Row],[A1]]', 'B2'],
])('%s in %s is %s in %s', (first, at, second, other) => {
  expect(keyAt(first, at)).not.toBeNull();
  expect(keyAt(first, at)).toBe(keyAt(second, other));
});

test.each([
  ['A1', 'B1', 'A1', 'B2'],
  ['LOG10(A1)', 'B1', 'LOG11(A2)', 'B2'],
  ['A:A', 'C1', 'A:A', 'D1'],
  ['1:1', 'A3', '1:1', 'A4'],
  ['"A1"', 'B1', '"A2"', 'B2'],
  ['T1[x]', 'B1', 'T2[x]', 'B2'],
  ['AB1!C3', 'D1', 'AB2!C3', 'D2'],
])('%s in %s is not %s in %s', (first, at, second, other) => {
  const keys = [keyAt(first, at), keyAt(second, other)];
  expect(keys[0] === keys[1] && keys[0] !== null).toBe(false);
});

test('formulas with one key have one tree', () => {
  const texts = [
    'A1',
    '$A1',
    'A$1:B2',
    'A:B',
    '$A:$B',
    '1:2',
    'Jan1:Mar1!A1',
    "'a b'!A1",
    'A1:INDEX(B:B,3)',
    'A1:.B2',
    '$A1.:.$B9',
    'A.:.$B',
    'x1.y+A1',
    'SUM(A1 B1)',
  ];
  const trees = new Map<string, string>();
  for (const text of texts) {
    for (const cell of ['A1', 'B1', 'A2', 'C7']) {
      const key = keyAt(text, cell);
      if (key === null) continue;
      const tree = printRelative(parseFormula(text, parseCell(cell)!));
      expect(trees.get(key) ?? tree).toBe(tree);
      trees.set(key, tree);
    }
  }
});
