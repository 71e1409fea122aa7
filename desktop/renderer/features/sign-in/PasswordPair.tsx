import { passwordIssue } from '#shared/rules/password-rules.ts';
import { PASSWORD_LIMITS } from '#renderer/api/password-limits.ts';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';

/** A new password and its repetition, as on every page that sets one. */
export interface NewPassword {
  password: string;
  confirm: string;
}

/** Returns the first issue that prevents setting the password; null if there is none. */
export function newPasswordIssue({ password, confirm }: NewPassword): string | null {
  if (password !== confirm) return t('New passwords do not match');
  return passwordIssue(password, PASSWORD_LIMITS);
}

interface PasswordPairProps extends NewPassword {
  onChange: (field: keyof NewPassword, value: string) => void;
  /** Shown below the first field. */
  helper?: string;
}

export function PasswordPair({ password, confirm, onChange, helper }: PasswordPairProps) {
  return (
    <>
      <TextField
        label={t('New Password')}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={(value) => onChange('password', value)}
        helper={helper}
      />
      <TextField
        label={t('Confirm Password')}
        type="password"
        autoComplete="new-password"
        value={confirm}
        onChange={(value) => onChange('confirm', value)}
      />
    </>
  );
}
