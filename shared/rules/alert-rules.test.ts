import { expect, test } from 'vitest';
import { matchesPattern } from './alert-rules.ts';

test.each([
  ['Month * close', 'month 07 CLOSE', true],
  ['Month*', 'Month', true],
  ['*close', 'Month close', true],
  ['*close', 'Month close 2', false],
  ['M?nth', 'Month', true],
  ['M?nth', 'Mnth', false],
  ['*a*b*', 'xaxxbx', true],
  ['*a*b', 'ab a', false],
  ['Report (v1.0)', 'Report (v1.0)', true],
  ['Report .*', 'Report x', false],
  ['', '', true],
  ['', 'x', false],
])('the pattern %j and the name %j', (pattern, name, isMatch) => {
  expect(matchesPattern(pattern, name)).toBe(isMatch);
});

test('a pattern of many stars takes no time', () => {
  expect(matchesPattern(`${'*a'.repeat(50)}b`, 'a'.repeat(1000))).toBe(false);
});
