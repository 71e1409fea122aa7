import { randomInt } from 'node:crypto';

/** Excludes letters and digits that look alike on a screen. */
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const LOWER = 'abcdefghijkmnpqrstuvwxyz';
const DIGITS = '23456789';
const SPECIAL = '-+=?#@';
const LENGTH = 16;

/** Returns a password of 16 characters that meets the policy, with about 90 bits of entropy. */
export function randomPassword(): string {
  const every = UPPER + LOWER + DIGITS + SPECIAL;
  const characters = [UPPER, LOWER, DIGITS, SPECIAL].map(pick);
  while (characters.length < LENGTH) characters.push(pick(every));
  // Shuffled, so that no kind of character has a fixed position.
  for (let last = characters.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [characters[last], characters[other]] = [characters[other]!, characters[last]!];
  }
  return characters.join('');
}

function pick(alphabet: string): string {
  return alphabet[randomInt(alphabet.length)]!;
}
