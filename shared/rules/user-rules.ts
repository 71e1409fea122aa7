/** Rules for the fields of a user. Source: specification of security, sections 5, 8 and 9. */
import { liveNameIssue, NAME_MAX, signInNameIssue } from './sign-in-rules.ts';

export { NAME_MAX } from './sign-in-rules.ts';
export const EMAIL_MAX = 256;
/** Maximum length of a name in a directory; providers use longer names. */
export const DIRECTORY_NAME_MAX = 50;
export const SOURCE_NAME_MAX = 256;

/** Messages by field; valid fields are absent. */
export type UserIssues = Partial<
  Record<'UserName' | 'FirstName' | 'MiddleName' | 'LastName' | 'Email' | 'Password', string>
>;

export interface UserFields {
  UserName: string;
  FirstName: string;
  MiddleName?: string;
  LastName?: string;
  Email: string;
}

/**
 * Line breaks, other control characters, and characters that reverse the writing direction: in a name, they only serve
 * to deceive.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const NO_UNSEEN = 'must not contain line breaks or control characters';

/** Returns whether a text fits on one line unchanged. */
export const isOneLine = (text: string): boolean => !UNSEEN.test(text);

/** Converts a text from an external source to one line. */
export const asOneLine = (text: string): string => text.replaceAll(new RegExp(UNSEEN, 'gu'), ' ');

/**
 * Returns whether a text can be a mail address: one @, no spaces, and none of the characters that enclose or separate
 * addresses.
 */
export const isMailAddress = (text: string): boolean =>
  isOneLine(text) && /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(text);

/** Returns the problems of a user's fields, including the sign-in name. */
export function userIssues({ UserName, FirstName, MiddleName = '', LastName = '', Email }: UserFields): UserIssues {
  const issues: UserIssues = {};
  const name = userNameIssue(UserName);
  if (name !== null) issues.UserName = name;
  if (FirstName.trim() === '') issues.FirstName = 'First name must be specified';
  if (!isOneLine(FirstName)) issues.FirstName = `First name ${NO_UNSEEN}`;
  if (!isOneLine(MiddleName)) issues.MiddleName = `Middle name ${NO_UNSEEN}`;
  if (!isOneLine(LastName)) issues.LastName = `Last name ${NO_UNSEEN}`;
  if (Email !== '' && !isMailAddress(Email)) issues.Email = 'Email is not a valid email address';
  return issues;
}

function userNameIssue(userName: string): string | null {
  if (userName.trim() === '') return 'User name must be specified';
  if (!isOneLine(userName)) return `User name ${NO_UNSEEN}`;
  return signInNameIssue(userName) ?? liveNameIssue(userName);
}

/** Truncates text that is too long, as the form fields do. */
export const cutName = (name: string): string => name.slice(0, NAME_MAX);

/** Returns why no role can be created under a name; null if one can. */
export function roleNameIssue(name: string, taken: readonly string[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return 'Please enter a name first';
  if (!isOneLine(wanted)) return `Role name ${NO_UNSEEN}`;
  return taken.some((other) => other.toLowerCase() === wanted.toLowerCase())
    ? 'A role with this name already exists'
    : null;
}
