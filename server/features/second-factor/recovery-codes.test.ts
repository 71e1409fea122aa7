import { expect, test } from 'vitest';
import { hashRecoveryCode, makeRecoveryCodes, recoveryCodeIn } from './recovery-codes.ts';

test('recovery codes hold more than the 112 random bits that let a plain hash keep them, and no two are alike', () => {
  const codes = makeRecoveryCodes();
  expect(new Set(codes)).toHaveLength(10);
  for (const code of codes) {
    expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/);
    expect((recoveryCodeIn(code)?.length ?? 0) * 5).toBeGreaterThanOrEqual(112);
  }
});

test('they are known however they are typed, those of 16 characters too that were made before', () => {
  expect(recoveryCodeIn(' abcd-EFGH ijkl-mnop-qrst-uvwx ')).toBe('ABCDEFGHIJKLMNOPQRSTUVWX');
  expect(recoveryCodeIn('abcd-efgh-ijkl-mnop')).toBe('ABCDEFGHIJKLMNOP');
  for (const text of ['123456', 'abcd-efgh', 'abcd-efgh-ijkl-mnop-qrst']) expect(recoveryCodeIn(text)).toBeNull();
});

test('a hash is bound to its user, and to nothing of how the code was grouped', () => {
  expect(hashRecoveryCode(1, 'ABCD-EFGH')).toBe(hashRecoveryCode(1, 'ABCDEFGH'));
  expect(hashRecoveryCode(1, 'ABCD-EFGH')).not.toBe(hashRecoveryCode(2, 'ABCD-EFGH'));
});
