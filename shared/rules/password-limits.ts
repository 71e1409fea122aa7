/**
 * Minimum and maximum password length in characters, from the server's settings. In a separate file, so that pages
 * without passwords do not have to bundle the rules.
 */
export interface PasswordLimits {
  minimum: number;
  maximum: number;
  /** True, or absent, if a password needs a digit, letters of both cases and a special character. */
  composition?: boolean;
}

export const PASSWORD_LIMITS: PasswordLimits = { minimum: 8, maximum: 50 };
