import { describe, expect, test } from 'vitest';
import { base32, hotp, keyUri, matchingStep, stepAt } from './totp.ts';

const KEY = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  test('are those of RFC 4226, appendix D', () => {
    const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');
    expect(codes.map((_, counter) => hotp(KEY, counter))).toEqual(codes);
  });

  test('are those of RFC 6238, appendix B', () => {
    const vectors: [number, string][] = [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ];
    for (const [seconds, code] of vectors) expect(hotp(KEY, stepAt(new Date(seconds * 1000)), 8)).toBe(code);
  });

  test('are taken half a minute early and late, and none at or before the last one used', () => {
    const time = new Date(1_111_111_111_000);
    const step = stepAt(time);
    const found = (offset: number, lastStep = 0, tolerance = 1) =>
      matchingStep(KEY, hotp(KEY, step + offset), { time, lastStep, tolerance });
    expect([-2, -1, 0, 1, 2].map((offset) => found(offset))).toEqual([null, step - 1, step, step + 1, null]);
    expect(found(0, step)).toBeNull();
    expect(found(-1, step)).toBeNull();
    expect(found(1, step)).toBe(step + 1);
    expect(matchingStep(KEY, '', { time, lastStep: 0, tolerance: 1 })).toBeNull();
    // With the strictest setting, a code is only accepted in its own half minute.
    expect([-1, 0, 1].map((offset) => found(offset, 0, 0))).toEqual([null, step, null]);
  });
});

test('keys are written in base32 as RFC 4648, section 10, has it', () => {
  const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  const expected = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  expect(texts.map((text) => base32(Buffer.from(text)))).toEqual(expected);
});

test('apps read the key, whose it is and where it is used from one address', () => {
  expect(keyUri(Buffer.from('foobar'), 'A: B', 'ann lee')).toBe(
    'otpauth://totp/A%20%20B:ann%20lee?secret=MZXW6YTBOI&issuer=A%3A%20B&algorithm=SHA1&digits=6&period=30',
  );
});
