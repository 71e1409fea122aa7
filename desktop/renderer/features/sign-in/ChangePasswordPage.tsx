import { useState, type FormEvent } from 'react';
import { changePassword } from '#shared/contract/auth.ts';
import { POLICY_TEXT } from '#renderer/api/password-limits.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords, INSECURE_CONTEXT } from '#renderer/api/passwords.ts';
import { useSession } from '#renderer/app/session.ts';
import { said, t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { newPasswordIssue, PasswordPair, type NewPassword } from './PasswordPair.tsx';

interface Fields extends NewPassword {
  old: string;
}

const submitIssue = (fields: Fields): string | null =>
  fields.old === '' ? t('Please enter your password') : newPasswordIssue(fields);

async function send(userName: string, { old, password }: Fields): Promise<void> {
  const [Password = '', NewPassword = ''] = await encryptPasswords(userName, [old, password]);
  await call(changePassword, { body: { Password, NewPassword } });
}

export function ChangePasswordPage() {
  const navigate = useNavigateWhileHere();
  const userName = useSession((state) => state.session?.userName ?? '');
  const [fields, setFields] = useState<Fields>({ old: '', password: '', confirm: '' });
  const [message, setMessage] = useState<string | null>(bridge.isSecure ? null : INSECURE_CONTEXT);
  const [attempt, setAttempt] = useState(0);
  const [isRequesting, setRequesting] = useState(false);
  const change = (field: keyof Fields, value: string): void => setFields((before) => ({ ...before, [field]: value }));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const issue = submitIssue(fields);
    setMessage(issue);
    if (issue !== null) return;
    setRequesting(true);
    try {
      await send(userName, fields);
      showSuccess(t('Password changed successfully'));
      void navigate(-1);
    } catch (error) {
      const failure = toFailure(error);
      setMessage(failure.modelState['']?.join(' ') ?? failure.message);
      setRequesting(false);
    }
  };

  return (
    <Page title={t('Change Password')} description={said(POLICY_TEXT)} narrow>
      <Card>
        <form onSubmit={(event) => void submit(event)} noValidate>
          <ErrorSummary title={message} attempt={attempt} />
          <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
          <TextField
            label={t('Old password')}
            type="password"
            autoComplete="current-password"
            value={fields.old}
            onChange={(value) => change('old', value)}
          />
          <PasswordPair {...fields} onChange={change} />
          <SubmitButton text={t('Change')} loading={isRequesting} />
        </form>
      </Card>
    </Page>
  );
}
