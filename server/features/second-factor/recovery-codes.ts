/** Single-use codes that replace the app for people who lost it. */
import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './totp.ts';

const COUNT = 10;
/**
 * 120 bits each, as 24 characters in six groups. A fast hash suffices for this entropy (ASVS 5.0, 6.5.2 requires 112
 * bits).
 */
const BYTES = 15;

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => base32(randomBytes(BYTES)).replaceAll(/(.{4})(?=.)/g, '$1-'));
}

/** Returns the entered text without groups and in capitals if it may be a recovery code; otherwise null. */
export function recoveryCodeIn(typed: string): string | null {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  // Older codes have 16 characters.
  return /^(?:[A-Z2-7]{24}|[A-Z2-7]{16})$/.test(plain) ? plain : null;
}

/** The hash is bound to the user, so that a row is useless for another user. */
export const hashRecoveryCode = (userId: number, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${code.replaceAll('-', '')}`)
    .digest('base64url');
