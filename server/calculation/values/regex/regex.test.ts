import { describe, expect, it } from 'vitest';
import { compileRegex, RegexLimitError } from './regex.ts';

const PATTERNS = [
  'a*b',
  '(a|b)*c',
  '(ab)+',
  '(a+)+$',
  'x?y{2,3}',
  '[a-c]+d',
  '^a.*b$',
  '(?:a|ab)(?:c|bcd)(d*)',
  '\\bfoo\\b',
  '(\\w+)\\s\\1',
  '(?=a)a.',
  '(?<=a)b',
  '(?<!a)b',
  '(?!b).',
  'a*?b',
  '(a|b)+?c',
  '((a)|b)*',
  '(a*)*',
  '(a*)+b',
  '[^a]+',
  '\\d{2,}',
  '(?<n>a)b',
  'a{0}b',
  '(a|b|c){2}',
  '(.)(.)\\2\\1',
  '(?:(a)|b)*c',
  'a.c',
  '\\.',
  '[\\]a-]+',
  '.*b',
  '(.*)b',
];
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'ba',
  'abc',
  'aab',
  'aaab',
  'abab',
  'ababc',
  'xyy',
  'xyyy',
  'abcd',
  'foo bar',
  'xfoo',
  'foo foo',
  '12',
  '123',
  'a1',
  'abba',
  'cabd',
  'a.b',
  'a-]b',
  'abcabc',
  'aabbcc',
  'b\nab\nb',
];

describe('regular expressions', () => {
  it.each(PATTERNS)('%s matches what the RegExp of the language matches', (pattern) => {
    const regex = compileRegex(pattern, false)!;
    for (const text of TEXTS) {
      const expected = Array.from(text.matchAll(new RegExp(pattern, 'g')), (match) => [match.index, match[0]]);
      const found = regex.all(text).map(({ start, end }) => [start, text.slice(start, end)]);
      expect(found, text).toEqual(expected);
    }
  });

  it.each([
    ['[[:alpha:]]+', '1ab2', 'ab'],
    ['\\p{Lu}+', 'aÄB', 'ÄB'],
    ['a++b', 'aab', 'aab'],
    ['(?>a|ab)c', 'abc', undefined],
    ['(?i)AB(?-i)c', 'abc', 'abc'],
    ['(?i:X)y', 'Xy', 'Xy'],
    ['\\Qa.b\\E', 'xa.b', 'a.b'],
    ['\\x41\\x{1F600}', 'A😀', 'A😀'],
    ['foo\\Kbar', 'foobar', 'bar'],
    ['(?P<q>.)-\\k<q>', 'a-a', 'a-a'],
    ['(?x) a # the letter\n b', 'ab', 'ab'],
    ['.', '😀', '😀'],
    ['(?m)^b$', 'a\nb\nc', 'b'],
    ['(?s)a.b', 'a\nb', 'a\nb'],
    ['\\R', 'a\r\nb', '\r\n'],
  ])('%s has what PCRE2 has', (pattern, text, found) => {
    const match = compileRegex(pattern, false)!.first(text);
    expect(match ? text.slice(match.start, match.end) : undefined).toBe(found);
  });

  it.each([
    '(',
    'a)',
    '[a',
    '*a',
    '(?R)',
    '\\1',
    'a{3,2}',
    '[z-a]',
    '\\p{Nothing}',
    '[[:constructor:]]',
    '(?(1)a|b)',
    '\\',
  ])('%s is refused', (pattern) => {
    expect(compileRegex(pattern, false)).toBeNull();
  });

  it.each([
    ['(a+)+$', `${'a'.repeat(50)}b`],
    ['(a|aa)+$', `${'a'.repeat(50)}b`],
    ['(?:(?:(?:a)b)*c)*d', 'ababababc'.repeat(3000)],
    ['(x+x+)+y', 'x'.repeat(60)],
  ])('%s without end is given up', (pattern, text) => {
    const regex = compileRegex(pattern, false)!;
    expect(() => regex.first(text)).toThrow(RegexLimitError);
  });

  it('is as good as new after it was given up', () => {
    const regex = compileRegex('(a+)+$', false)!;
    expect(() => regex.first(`${'a'.repeat(50)}b`)).toThrow(RegexLimitError);
    expect(regex.first('baa')).toEqual({ start: 1, end: 3, groups: ['aa'] });
  });

  it('finds nothing in a long text by a pattern that begins with anything', () => {
    expect(compileRegex('.*x', false)!.first('a'.repeat(32_000))).toBeNull();
  });
});
