/** Codes that stand in for the app once each, for those who lost it. */
import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './totp.ts';

const COUNT = 10;
/** 120 bits each, as 24 characters in six groups: enough that a fast hash keeps them (ASVS 5.0, 6.5.2 asks for 112). */
const BYTES = 15;

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => base32(randomBytes(BYTES)).replaceAll(/(.{4})(?=.)/g, '$1-'));
}

/** What was typed, if it can be one of them: without groups and in capitals. */
export function recoveryCodeIn(typed: string): string | null {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  // Those made before had 16 characters.
  return /^(?:[A-Z2-7]{24}|[A-Z2-7]{16})$/.test(plain) ? plain : null;
}

/** Bound to the user, so that no row serves another one. */
export const hashRecoveryCode = (userId: number, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${code.replaceAll('-', '')}`)
    .digest('base64url');
