/** Rules for new passwords. Source: specification of security, sections 5 and 9. */

import { PASSWORD_LIMITS, type PasswordLimits } from './password-limits.ts';

export { PASSWORD_LIMITS, type PasswordLimits };

/**
 * Maximum number of bytes that RSA-OAEP with SHA-256 and 2,048 bits can encrypt (RFC 8017, 7.1.1). In non-Latin
 * scripts, a password has more bytes than characters.
 */
const PASSWORD_BYTES_MAX = 190;

export const TOO_LONG = 'Password too long';

/** Returns the text about the password policy, including the composition rules if they apply. */
export const policyText = (minimum: number, composition = true): string =>
  composition
    ? `Password must be at least ${minimum} characters, must contain at least one number, upper-case letter, lower-case letter, and special character`
    : `Password must be at least ${minimum} characters`;

export function isPasswordTooLong(password: string, { maximum }: Pick<PasswordLimits, 'maximum'>): boolean {
  return password.length > maximum || utf8Bytes(password) > PASSWORD_BYTES_MAX;
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}

/** Returns the policy text if a password violates it, 'Password too long' if it exceeds the limits, otherwise null. */
export function passwordIssue(password: string, limits: PasswordLimits = PASSWORD_LIMITS): string | null {
  if (isPasswordTooLong(password, limits)) return TOO_LONG;
  const { minimum, composition = true } = limits;
  const parts = composition ? [/\p{Nd}/u, /\p{Lu}/u, /\p{Ll}/u, /[^\p{L}\p{Nd}\s]/u] : [];
  const meets = password.length >= minimum && parts.every((part) => part.test(password));
  return meets ? null : policyText(minimum, composition);
}
