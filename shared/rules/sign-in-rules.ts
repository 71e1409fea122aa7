/** Checks of user name and password before they are sent. Source: specification of security, section 5. */
import { isPasswordTooLong, PASSWORD_LIMITS, TOO_LONG, type PasswordLimits } from './password-rules.ts';

export const NAME_MAX = 50;

/** Returns the first problem of a user name at sign-in or when a reset is requested; null if there is none. */
export function signInNameIssue(userName: string): string | null {
  if (userName.trim() === '') return 'Please enter your user name';
  return /[<>"&!$%^()]/.test(userName) ? 'User name contains disallowed characters' : null;
}

/** Returns the first problem of the password field at sign-in. */
export function signInPasswordIssue(password: string): string | null {
  return password === '' ? 'Please enter your password' : null;
}

/** Returns the message of the user name field during typing. */
export function liveNameIssue(userName: string): string | null {
  if (userName === '') return 'Username must be provided';
  if (userName.length > NAME_MAX) return 'Username too long';
  return /[\\/:*?"<>|]/.test(userName) ? 'Username must not contain special characters' : null;
}

/** Returns the message of the password field during typing. */
export function livePasswordIssue(
  password: string,
  limits: Pick<PasswordLimits, 'maximum'> = PASSWORD_LIMITS,
): string | null {
  if (password === '') return 'Password must be provided';
  return isPasswordTooLong(password, limits) ? TOO_LONG : null;
}
