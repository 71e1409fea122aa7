/** One-time codes of authenticator apps. Sources: RFC 4226 (HOTP), RFC 6238 (TOTP), RFC 4648 section 6 (base32). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Parameters that every app supports: SHA-1, six digits, 30 seconds. */
const DIGITS = 6;
const STEP_SECONDS = 30;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / STEP_SECONDS);

/** Returns the code of a counter, with leading zeros. */
export function hotp(key: Buffer, counter: number, digits = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', key).update(message).digest();
  const offset = mac[19]! & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export interface CodeCheck {
  time: Date;
  /** The last step used: its code and those of earlier steps are no longer accepted. */
  lastStep: number;
  /** Number of steps before and after the current one whose codes are also accepted. */
  tolerance: number;
}

/** Returns the step whose code it is, within the tolerance; null if there is none. */
export function matchingStep(key: Buffer, code: string, { time, lastStep, tolerance }: CodeCheck): number | null {
  const now = stepAt(time);
  let found: number | null = null;
  // All codes are computed, so that the duration does not reveal which one matched.
  for (let step = now - tolerance; step <= now + tolerance; step++) {
    if (isSame(hotp(key, step), code) && step > lastStep) found = step;
  }
  return found;
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Without padding, which apps expect. */
export function base32(bytes: Buffer): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31];
}

/** Returns the URI from which an app reads the key: github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function keyUri(key: Buffer, issuer: string, userName: string): string {
  const label = `${encodeURIComponent(issuer.replaceAll(':', ' '))}:${encodeURIComponent(userName)}`;
  const query = `secret=${base32(key)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/${label}?${query}`;
}
