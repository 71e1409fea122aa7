/** The rules for passwords with the limits of this installation. */
import { passwordIssue, policyText, type PasswordLimits } from '#shared/rules/password-rules.ts';
import { pageSettings } from './page-settings.ts';

export const PASSWORD_LIMITS: PasswordLimits = {
  minimum: pageSettings.passwordMinLength,
  maximum: pageSettings.passwordMaxLength,
  composition: pageSettings.passwordComposition,
};

export const POLICY_TEXT = policyText(PASSWORD_LIMITS.minimum, PASSWORD_LIMITS.composition);

/** What is wrong with a new password; null where nothing that the page could know. */
export const newPasswordIssue = (password: string): string | null => passwordIssue(password, PASSWORD_LIMITS);
