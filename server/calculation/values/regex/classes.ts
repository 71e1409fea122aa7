/** Sets of characters: escapes like '\d', names like '[:alpha:]', properties like '\p{Lu}'. */
import { RegexSyntaxError } from './syntax.ts';

export type CharacterTest = (code: number) => boolean;

const within = (code: number, first: number, last: number): boolean => code >= first && code <= last;
const isDigit: CharacterTest = (code) => within(code, 48, 57);
const isUpper: CharacterTest = (code) => within(code, 65, 90);
const isLower: CharacterTest = (code) => within(code, 97, 122);
const isLetter: CharacterTest = (code) => isUpper(code) || isLower(code);
const isSpace: CharacterTest = (code) => code === 32 || within(code, 9, 13);
const isGraph: CharacterTest = (code) => within(code, 33, 126);
/** ASCII letters, digits and '_', as in PCRE by default. */
export const isWord: CharacterTest = (code) => isLetter(code) || isDigit(code) || code === 95;
const isHorizontal: CharacterTest = (code) =>
  code === 9 ||
  code === 32 ||
  code === 0xa0 ||
  code === 0x1680 ||
  within(code, 0x2000, 0x200a) ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x3000;
export const isLineEnd: CharacterTest = (code) =>
  within(code, 10, 13) || code === 0x85 || code === 0x2028 || code === 0x2029;

export const not =
  (test: CharacterTest): CharacterTest =>
  (code) =>
    !test(code);

const ESCAPES: Readonly<Record<string, CharacterTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
  h: isHorizontal,
  H: not(isHorizontal),
  v: isLineEnd,
  V: not(isLineEnd),
  N: (code) => code !== 10,
};

/** Returns the set of an escape such as '\d' by its letter, or undefined. */
export const escapeSet = (letter: string): CharacterTest | undefined => ESCAPES[letter];

const POSIX: Readonly<Record<string, CharacterTest>> = {
  alpha: isLetter,
  digit: isDigit,
  alnum: (code) => isLetter(code) || isDigit(code),
  upper: isUpper,
  lower: isLower,
  space: isSpace,
  blank: (code) => code === 32 || code === 9,
  punct: (code) => isGraph(code) && !isLetter(code) && !isDigit(code),
  print: (code) => within(code, 32, 126),
  graph: isGraph,
  cntrl: (code) => code < 32 || code === 127,
  xdigit: (code) => isDigit(code) || within(code, 65, 70) || within(code, 97, 102),
  word: isWord,
  ascii: (code) => code < 128,
};

/** Returns the set of '[:alpha:]' by its name; a leading '^' negates it. */
export function posixSet(name: string): CharacterTest {
  const bare = name.replace(/^\^/, '');
  const set = Object.hasOwn(POSIX, bare) ? POSIX[bare] : undefined;
  if (!set) throw new RegexSyntaxError(`Unknown class ${name}`);
  return name.startsWith('^') ? not(set) : set;
}

/** Returns the set of a Unicode property: a general category ('Lu'), a script ('Greek'), 'Any'. */
export function propertySet(name: string): CharacterTest {
  const bare = name.replace(/^\^/, '').trim();
  let pattern: RegExp;
  try {
    pattern = bare === 'Any' ? /^[^]$/u : new RegExp(`^\\p{${bare === 'L&' ? 'LC' : bare}}$`, 'u');
  } catch {
    try {
      pattern = new RegExp(`^\\p{Script=${bare}}$`, 'u');
    } catch {
      throw new RegexSyntaxError(`Unknown property ${bare}`);
    }
  }
  const test: CharacterTest = (code) => pattern.test(String.fromCodePoint(code));
  return name.startsWith('^') ? not(test) : test;
}

/** Returns the same set, ignoring case. */
export const ignoringCase =
  (test: CharacterTest): CharacterTest =>
  (code) =>
    test(code) || test(lowerCode(code)) || test(upperCode(code));

export function lowerCode(code: number): number {
  if (code < 128) return isUpper(code) ? code + 32 : code;
  const lower = String.fromCodePoint(code).toLowerCase();
  return lower.codePointAt(0)!;
}

function upperCode(code: number): number {
  if (code < 128) return isLower(code) ? code - 32 : code;
  const upper = String.fromCodePoint(code).toUpperCase();
  return upper.length > 2 ? code : upper.codePointAt(0)!;
}
