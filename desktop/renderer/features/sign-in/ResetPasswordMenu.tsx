import { Button, MenuItem, PopoverNext } from '@blueprintjs/core';
import { CaretDown, Envelope } from '@blueprintjs/icons';
import { useState } from 'react';
import { requestPasswordReset } from '#shared/contract/password-reset.ts';
import { liveNameIssue, signInNameIssue } from '#shared/rules/sign-in-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { KeyMenu } from '#renderer/ui/KeyMenu.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';

interface ResetPasswordMenuProps {
  /** The name typed in the form above. */
  userName: string;
  /** Called with the issue for the form's message; '' after it is resolved. */
  onMessage: (text: string) => void;
}

/** Requests a link by mail to reset the password. Source: specification of security, sections 2, 5 and 7. */
export function ResetPasswordMenu({ userName, onMessage }: ResetPasswordMenuProps) {
  const [isBusy, setBusy] = useState(false);

  const send = async (): Promise<void> => {
    const issue = signInNameIssue(userName) ?? liveNameIssue(userName);
    onMessage(issue ?? '');
    if (issue !== null) return;
    setBusy(true);
    try {
      await call(requestPasswordReset, { params: { name: userName } });
      showSuccess(t('An email with a password reset link has been sent'));
    } catch (error) {
      onMessage(toFailure(error).message);
    }
    setBusy(false);
  };

  return (
    <div className="rs-login-reset">
      <PopoverNext
        placement="bottom-start"
        content={
          <KeyMenu>
            <MenuItem icon={<Envelope />} text={t('Send email')} onClick={() => void send()} />
          </KeyMenu>
        }
      >
        <Button
          variant="minimal"
          size="small"
          text={t('Reset password')}
          endIcon={<CaretDown />}
          loading={isBusy}
          aria-haspopup="menu"
        />
      </PopoverNext>
    </div>
  );
}
