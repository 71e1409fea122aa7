/** Password rules with the limits of this installation. */
import { passwordIssue, policyText, type PasswordLimits } from '#shared/rules/password-rules.ts';
import { pageSettings } from './page-settings.ts';

export const PASSWORD_LIMITS: PasswordLimits = {
  minimum: pageSettings.passwordMinLength,
  maximum: pageSettings.passwordMaxLength,
  composition: pageSettings.passwordComposition,
};

export const POLICY_TEXT = policyText(PASSWORD_LIMITS.minimum, PASSWORD_LIMITS.composition);

/** Returns the problem of a new password as far as the page can check it; null if there is none. */
export const newPasswordIssue = (password: string): string | null => passwordIssue(password, PASSWORD_LIMITS);
