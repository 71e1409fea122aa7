/** Characters a password has at least and at most; settings of the server. Apart from the rules, which pages without passwords need not carry. */
export interface PasswordLimits {
  minimum: number;
  maximum: number;
  /** Whether it has to have a digit, both cases of letters and a special character; absent: it has. */
  composition?: boolean;
}

export const PASSWORD_LIMITS: PasswordLimits = { minimum: 8, maximum: 50 };
