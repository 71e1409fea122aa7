/** Simulates an authenticator app for tests. */
import { hotp, stepAt } from '#server/features/second-factor/totp.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text.replaceAll(/\s/g, '')) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code that the app shows, or will show `ahead` half-minutes later. */
export const codeOf = (key: string, ahead = 0): string => hotp(fromBase32(key), stepAt(new Date()) + ahead);
