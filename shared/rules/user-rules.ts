/** What a user's fields must be. Source: specification of security, sections 5, 8 and 9. */
import { liveNameIssue, NAME_MAX, signInNameIssue } from './sign-in-rules.ts';

export { NAME_MAX } from './sign-in-rules.ts';
export const EMAIL_MAX = 256;
/** Of a name in a directory; providers give longer ones. */
export const DIRECTORY_NAME_MAX = 50;
export const SOURCE_NAME_MAX = 256;

/** Messages by field; fields that are right are absent. */
export type UserIssues = Partial<Record<'UserName' | 'FirstName' | 'Email' | 'Password', string>>;

export interface UserFields {
  UserName: string;
  FirstName: string;
  Email: string;
}

/** What is wrong with a user's fields, the name with which they sign in included. */
export function userIssues({ UserName, FirstName, Email }: UserFields): UserIssues {
  const issues: UserIssues = {};
  const name = userNameIssue(UserName);
  if (name !== null) issues.UserName = name;
  if (FirstName.trim() === '') issues.FirstName = 'First name must be specified';
  if (Email !== '' && !/^[^\s@]+@[^\s@]+$/.test(Email)) issues.Email = 'Email is not a mail address';
  return issues;
}

function userNameIssue(userName: string): string | null {
  if (userName.trim() === '') return 'User name must be specified';
  return signInNameIssue(userName) ?? liveNameIssue(userName);
}

/** Cuts off what is too long, as the fields of the forms do. */
export const cutName = (name: string): string => name.slice(0, NAME_MAX);

/** Why a role cannot be made under a name; null where it can. */
export function roleNameIssue(name: string, taken: readonly string[]): string | null {
  const wanted = name.trim();
  if (wanted === '') return 'Please enter a name first';
  return taken.some((other) => other.toLowerCase() === wanted.toLowerCase())
    ? 'A role of this name already exists'
    : null;
}
