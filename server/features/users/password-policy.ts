/** What new passwords are measured by: the rules that forms know too, words of this place, and the passwords everybody tries first. */
import { createRequire } from 'node:module';
import { PASSWORD_LIMITS, passwordIssue, type PasswordLimits } from '#shared/rules/password-rules.ts';

/** Whose password it is to be. */
export type PasswordOwner = Partial<Record<'UserName' | 'FirstName' | 'MiddleName' | 'LastName', string>>;

export interface PasswordPolicy {
  /** Why the password is refused; null where it is not. */
  issue(password: string, owner?: PasswordOwner): string | null;
}

const COMMON = 'This password is one of the first that are tried. Please choose another one';
const NAMED =
  'Password must be more than the name of the person or of the portal with a few characters. Please choose another one';
/** Where so few characters are added to a word, they are guessed along with it: 'Password2026!'. */
const FEW = 6;
const SHORTEST_WORD = 4;

export interface PasswordPolicySettings {
  limits?: PasswordLimits;
  /** Whether common passwords and names are refused too. */
  refusesGuessable?: boolean;
  /** Of the portal and its makers, besides those of the person. */
  names?: readonly string[];
}

export function createPasswordPolicy({
  limits = PASSWORD_LIMITS,
  refusesGuessable = false,
  names = [],
}: PasswordPolicySettings = {}): PasswordPolicy {
  return {
    issue: (password, owner = {}) => {
      const issue = passwordIssue(password, limits);
      if (issue !== null || !refusesGuessable) return issue;
      const readings = readingsOf(password);
      const { UserName, FirstName, MiddleName, LastName } = owner;
      const words = [...names, UserName, FirstName, MiddleName, LastName].flatMap(wordsOf);
      const rests = readings.map((text) => withoutWords(text, words));
      if (rests.some((rest, at) => rest !== readings[at] && rest.length < FEW)) return NAMED;
      return [...readings, ...rests].some(isCommon) ? COMMON : null;
    },
  };
}

/** The parts of names long enough to tell something, in small letters. */
const wordsOf = (name = ''): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word.length >= SHORTEST_WORD);

/** What is left of a password once all these words are taken out of it, the longest first. */
function withoutWords(text: string, words: readonly string[]): string {
  return words.toSorted((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, ''), text);
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '€': 'e',
  '|': 'l',
};

/** As it is, and with letters in place of the digits and signs that are taken for them. */
function readingsOf(password: string): string[] {
  const plain = password.toLowerCase();
  return [plain, plain.replaceAll(/[013457@$!€|]/g, (sign) => LOOKALIKES[sign] ?? sign)];
}

/** Whether it is a common password, or one with a few digits and signs in front of or behind it. */
function isCommon(text: string): boolean {
  const common = commonPasswords();
  if (common.has(text)) return true;
  // The same word may end where a look-alike was read as a letter: each end is tried.
  const start = /^[^\p{L}]*/u.exec(text)![0].length;
  for (let end = text.length; end > start && text.length - (end - start) < FEW; end--) {
    if (end - start >= SHORTEST_WORD && common.has(text.slice(start, end))) return true;
  }
  return false;
}

let known: ReadonlySet<string> | undefined;

/** 49,000 by how often leaks held them; read when a password is first set, not by every process that starts. */
function commonPasswords(): ReadonlySet<string> {
  if (known) return known;
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': readonly string[] };
  };
  known = new Set(dictionary['passwords-common']);
  return known;
}
