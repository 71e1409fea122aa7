/** What a name and a password must be before they are sent. Source: specification of security, section 5. */
import { isPasswordTooLong, PASSWORD_LIMITS, TOO_LONG, type PasswordLimits } from './password-rules.ts';

export const NAME_MAX = 50;

/** The first thing wrong with a user name at sign-in and when a reset is asked for; null where nothing is. */
export function signInNameIssue(userName: string): string | null {
  if (userName.trim() === '') return 'Please enter your user name';
  return /[<>"&!$%^()]/.test(userName) ? 'User name contains disallowed characters' : null;
}

/** The first thing wrong with the password field at sign-in. */
export function signInPasswordIssue(password: string): string | null {
  return password === '' ? 'Please enter your password' : null;
}

/** What the user name field says while one types. */
export function liveNameIssue(userName: string): string | null {
  if (userName === '') return 'Username must be provided';
  if (userName.length > NAME_MAX) return 'Username too long';
  return /[\\/:*?"<>|]/.test(userName) ? 'Username must not contain special characters' : null;
}

/** What the password field says while one types. */
export function livePasswordIssue(
  password: string,
  limits: Pick<PasswordLimits, 'maximum'> = PASSWORD_LIMITS,
): string | null {
  if (password === '') return 'Password must be provided';
  return isPasswordTooLong(password, limits) ? TOO_LONG : null;
}
