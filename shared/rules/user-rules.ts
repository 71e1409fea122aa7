/** What a user's fields must be. Source: specification of security, sections 5, 8 and 9. */
import { liveNameIssue, NAME_MAX, signInNameIssue } from './sign-in-rules.ts';

export { NAME_MAX } from './sign-in-rules.ts';
export const EMAIL_MAX = 256;
/** Of a name in a directory; providers give longer ones. */
export const DIRECTORY_NAME_MAX = 50;
export const SOURCE_NAME_MAX = 256;

/** Messages by field; fields that are right are absent. */
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

/** Line breaks, other control characters, and what turns the direction of writing around: in a name they only deceive. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const NO_UNSEEN = 'must not contain line breaks or control characters';

/** Whether a text fits into one line as it stands. */
export const isOneLine = (text: string): boolean => !UNSEEN.test(text);

/** A text of elsewhere as one line. */
export const asOneLine = (text: string): string => text.replaceAll(new RegExp(UNSEEN, 'gu'), ' ');

/** Whether a text can be an address that mail is sent to: one @, no spaces, and nothing that stands around addresses. */
export const isMailAddress = (text: string): boolean =>
  isOneLine(text) && /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(text);

/** What is wrong with a user's fields, the name with which they sign in included. */
export function userIssues({ UserName, FirstName, MiddleName = '', LastName = '', Email }: UserFields): UserIssues {
  const issues: UserIssues = {};
  const name = userNameIssue(UserName);
  if (name !== null) issues.UserName = name;
  if (FirstName.trim() === '') issues.FirstName = 'First name must be specified';
  if (!isOneLine(FirstName)) issues.FirstName = `First name ${NO_UNSEEN}`;
  if (!isOneLine(MiddleName)) issues.MiddleName = `Middle name ${NO_UNSEEN}`;
  if (!isOneLine(LastName)) issues.LastName = `Last name ${NO_UNSEEN}`;
  if (Email !== '' && !isMailAddress(Email)) issues.Email = 'Email is not a mail address';
  return issues;
}

function userNameIssue(userName: string): string | null {
  if (userName.trim() === '') return 'User name must be specified';
  if (!isOneLine(userName)) return `User name ${NO_UNSEEN}`;
  return signInNameIssue(userName) ?? liveNameIssue(userName);
}

/** Cuts off what is too long, as the fields of the forms do. */
export const cutName = (name: string): string => name.slice(0, NAME_MAX);

/** Why a role cannot be made under a name; null where it can. */
export function roleNameIssue(name: string, taken: readonly string[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return 'Please enter a name first';
  if (!isOneLine(wanted)) return `Role name ${NO_UNSEEN}`;
  return taken.some((other) => other.toLowerCase() === wanted.toLowerCase())
    ? 'A role of this name already exists'
    : null;
}
