/** One-time codes of authenticator apps. Sources: RFC 4226 (HOTP), RFC 6238 (TOTP), RFC 4648 section 6 (base32). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What every app knows: SHA-1, six digits, half a minute. */
const DIGITS = 6;
const STEP_SECONDS = 30;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / STEP_SECONDS);

/** The code of a counter, with leading zeros. */
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
  /** The last one used: its code and earlier ones are not taken any more. */
  lastStep: number;
  /** Steps before and after the moment whose codes are taken too. */
  tolerance: number;
}

/** The step around a moment whose code it is; null where there is none. */
export function matchingStep(key: Buffer, code: string, { time, lastStep, tolerance }: CodeCheck): number | null {
  const now = stepAt(time);
  let found: number | null = null;
  // All are computed: how long it takes does not tell which one it was.
  for (let step = now - tolerance; step <= now + tolerance; step++) {
    if (isSame(hotp(key, step), code) && step > lastStep) found = step;
  }
  return found;
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Without padding, as apps take it. */
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

/** What an app reads to know the key: github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function keyUri(key: Buffer, issuer: string, userName: string): string {
  const label = `${encodeURIComponent(issuer.replaceAll(':', ' '))}:${encodeURIComponent(userName)}`;
  const query = `secret=${base32(key)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/${label}?${query}`;
}
