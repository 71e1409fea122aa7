/** What a new password must be. Source: specification of security, section 5. */

export const PASSWORD_MIN = 8;

export const POLICY_TEXT =
  'Password must be at least 8 characters, must contain at least one number, upper-case letter, lower-case letter, and special character';

/** The policy text where a password falls short of it, 'Password too long' beyond 50 characters, else nothing. */
export function passwordIssues(password: string, maximum = 50): string[] {
  if (password.length > maximum) return ['Password too long'];
  const parts = [/\p{Nd}/u, /\p{Lu}/u, /\p{Ll}/u, /[^\p{L}\p{Nd}\s]/u];
  const meets = password.length >= PASSWORD_MIN && parts.every((part) => part.test(password));
  return meets ? [] : [POLICY_TEXT];
}
