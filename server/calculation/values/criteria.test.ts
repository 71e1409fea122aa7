import { describe, expect, it, test } from 'vitest';
import { cellError } from './cell-value.ts';
import type { CellValue } from './cell-value.ts';
import { parseCriterion } from './criteria.ts';
import { hasWildcards, unescapeWildcards, wildcardSearch, wildcardTest } from './wildcard.ts';

const VALUES: CellValue[] = [5, '5', 6, -1, 'apple', 'Apple pie', 'a*b', '', null, true, false, cellError('#N/A')!];
const met = (criterion: CellValue): CellValue[] => VALUES.filter((value) => parseCriterion(criterion).test(value));

describe('a criterion is met by', () => {
  it.each<[CellValue, CellValue[]]>([
    [5, [5, '5']],
    ['5', [5, '5']],
    ['=5', [5, '5']],
    ['>=5', [5, 6]],
    ['<5', [-1]],
    ['<>5', VALUES.filter((value) => value !== 5)],
    ['apple', ['apple']],
    ['APPLE*', ['apple', 'Apple pie']],
    ['a~*b', ['a*b']],
    ['?????', ['apple']],
    ['*', ['5', 'apple', 'Apple pie', 'a*b', '']],
    ['<>apple', VALUES.filter((value) => value !== 'apple')],
    ['>apple', ['Apple pie']],
    ['', ['', null]],
    ['=', [null]],
    ['<>', VALUES.filter((value) => value !== null)],
    [true, [true]],
    ['FALSE', [false]],
    ['#N/A', [cellError('#N/A')!]],
    [null, []],
  ])('%j', (criterion, expected) => {
    expect(met(criterion)).toEqual(expected);
  });

  it('a date written as text, by its serial day', () => {
    expect(parseCriterion('>=1/15/2024').test(45306)).toBe(true);
    expect(parseCriterion('>=1/15/2024').test(45305)).toBe(false);
  });
});

test('wildcards match whole texts without regard to case, and take no longer for many stars', () => {
  expect(['abc', 'ABXC', 'ac', 'abcd'].filter(wildcardTest('a*c'))).toEqual(['abc', 'ABXC', 'ac']);
  expect(wildcardTest('a?c')('a?c')).toBe(true);
  expect(wildcardTest('a~?c')('abc')).toBe(false);
  expect(wildcardTest('*')('')).toBe(true);
  expect(wildcardTest('ab*ba')('aba')).toBe(false);
  expect(wildcardTest(`${'a*'.repeat(5000)}b`)('a'.repeat(20_000))).toBe(false);
});

test('wildcards are searched for from a place on', () => {
  expect(wildcardSearch('b?d', 'abcdbxd')).toBe(1);
  expect(wildcardSearch('b?d', 'abcdbxd', 2)).toBe(4);
  expect(wildcardSearch('c*x', 'abcdbxd')).toBe(2);
  expect(wildcardSearch('z', 'abc')).toBe(-1);
  // As in Excel: '~' never stands for itself, even if the next character needs no escape.
  expect(wildcardTest('a~b')('ab')).toBe(true);
  expect(wildcardTest('a~b')('a~b')).toBe(false);
  expect(wildcardTest('~')('~')).toBe(false);
  expect(hasWildcards('a~b')).toBe(true);
  expect(unescapeWildcards('a~*b~~')).toBe('a*b~');
});
