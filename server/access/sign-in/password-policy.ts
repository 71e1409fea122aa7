/**
 * Checks new passwords against the rules that forms also apply, against words of this installation, and against common
 * passwords.
 */
import { createRequire } from 'node:module';
import { PASSWORD_LIMITS, passwordIssue, type PasswordLimits } from '#shared/rules/password-rules.ts';

/** The user whose password is checked. */
export type PasswordOwner = Partial<Record<'UserName' | 'FirstName' | 'MiddleName' | 'LastName', string>>;

export interface PasswordPolicy {
  /** Returns why the password is refused; null if it is accepted. */
  issue(password: string, owner?: PasswordOwner): string | null;
}

const COMMON = 'This password is common and easy to guess. Please choose another one';
const NAMED = 'Password is too similar to the name of the user or of the portal. Please choose another one';
/** With fewer additional characters than this, a password is as easy to guess as the word in it: 'Password2026!'. */
const FEW = 6;
const MIN_WORD_LENGTH = 4;

export interface PasswordPolicySettings {
  limits?: PasswordLimits;
  /** True if common passwords and names are refused too. */
  refusesGuessable?: boolean;
  /** Names of the portal and its makers, in addition to those of the user. */
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

/** Returns the words of a name that are long enough to be significant, in lower case. */
const wordsOf = (name = ''): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word.length >= MIN_WORD_LENGTH);

/** Removes all these words from a password, the longest first. */
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

/** Returns the password as it is, and with letters in place of similar digits and signs. */
function readingsOf(password: string): string[] {
  const plain = password.toLowerCase();
  return [plain, plain.replaceAll(/[013457@$!€|]/g, (sign) => LOOKALIKES[sign] ?? sign)];
}

/** Returns whether it is a common password, possibly with a few digits and signs before or after it. */
function isCommon(text: string): boolean {
  const common = commonPasswords();
  if (common.has(text)) return true;
  // A trailing sign may have been read as a letter, so each possible end of the word is tried.
  const start = /^[^\p{L}]*/u.exec(text)![0].length;
  for (let end = text.length; end > start && text.length - (end - start) < FEW; end--) {
    if (end - start >= MIN_WORD_LENGTH && common.has(text.slice(start, end))) return true;
  }
  return false;
}

let known: ReadonlySet<string> | undefined;

/**
 * Returns 49,000 passwords, ranked by frequency in leaks. They are loaded when a password is first set, not at every
 * process start.
 */
function commonPasswords(): ReadonlySet<string> {
  if (known) return known;
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': readonly string[] };
  };
  known = new Set(dictionary['passwords-common']);
  return known;
}
