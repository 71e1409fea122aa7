/** Problematic values: wrong types, too large, too deep, or with characters that often cause errors. */
import type { SeededRandom } from '#test/support/seeded-random.ts';

/** JSON that no JavaScript value is serialized to: 1e400, a duplicate field, ten thousand brackets. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const nested = (open: string, close: string, depth: number): RawJson =>
  new RawJson(open.repeat(depth) + close.repeat(depth));

const STRINGS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff\ud800y',
  '\ufeff',
  '\u202egnp.exe',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(20),
  'İıſK',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' or 1=1; drop table Users; --",
  '"; select pg_sleep(30); --',
  '%',
  '%_[a-z]!',
  '\\',
  '../../../../etc/passwd',
  'C:\\Windows\\win.ini',
  'file:///etc/passwd',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://127.0.0.1/","x")',
  'a\r\nSet-Cookie: x=1',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '1e999',
  '0x10',
  '１２',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '0000-00-00',
  '{"a":',
  '[[[[[[',
  '(((((((((((((((((((',
  "Region = 'North' AND",
  'x'.repeat(51),
  'x'.repeat(300),
  'x'.repeat(5_000),
  'ü'.repeat(70_000),
];

const NUMBERS: readonly unknown[] = [
  0,
  -1,
  1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  -1e308,
  5e-324,
  new RawJson('-0'),
  new RawJson('1e400'),
  new RawJson('1.0000000000000000000000000001'),
  new RawJson('9'.repeat(400)),
];

const SHAPES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  new RawJson('{"__proto__":{"IsUserAdmin":true}}'),
  new RawJson('{"constructor":{"prototype":{"IsUserAdmin":true}}}'),
  nested('[', ']', 500),
  nested('[', ']', 20_000),
  nested('{"a":', '}', 500),
  Array.from({ length: 3000 }, (_, at) => at),
  { toString: 1, valueOf: null, toJSON: 'x' },
  { length: 4_294_967_295 },
];

export const hostileValue = (random: SeededRandom): unknown => random.pick(random.pick([STRINGS, NUMBERS, SHAPES]));

export const hostileString = (random: SeededRandom): string => random.pick(STRINGS);

/** Like JSON.stringify, but inserts raw JSON unchanged. */
export function toJson(value: unknown): string {
  const raw: string[] = [];
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof RawJson)) return item;
    raw.push(item.text);
    return `@raw:${raw.length - 1}@`;
  });
  return (text ?? 'null').replaceAll(/"@raw:(\d+)@"/g, (_, at: string) => raw[Number(at)]!);
}
