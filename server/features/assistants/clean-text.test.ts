import { expect, test } from 'vitest';
import { cleanText, distinctKeys, visibleText, visibleValue } from './clean-text.ts';

test('a name is one line without anything invisible', () => {
  expect(cleanText('  Loan\u200B \n\t sche\u202Edule\u{E0041} ', 100)).toBe('Loan schedule');
  expect(cleanText('Zinssätze für 日本 €', 100)).toBe('Zinssätze für 日本 €');
  expect(cleanText('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(cleanText('\uD800\u0000', 10)).toBe('');
  // SQL Server counts an emoji as two characters.
  expect(cleanText('😀'.repeat(60), 100)).toBe(`${'😀'.repeat(49)}…`);
});

test('a value keeps its lines', () => {
  expect(visibleText('a\r\n\tb\u2066c')).toBe('a\r\n\tbc');
  expect(visibleValue([['a\u200B', 1, null], { error: '#N/A' }])).toEqual([['a', 1, null], { error: '#N/A' }]);
});

test('keys are distinct and plain', () => {
  expect(distinctKeys(['Interest Rate', 'interest_rate', 'Größe', '日本', '__proto__', ''])).toEqual([
    'interest_rate',
    'interest_rate_2',
    'grosse',
    'value_4',
    'proto',
    'value_6',
  ]);
  const long = distinctKeys(['x'.repeat(200), 'x'.repeat(300)]);
  expect(new Set(long).size).toBe(2);
  expect(long.every((key) => key.length <= 60)).toBe(true);
});
