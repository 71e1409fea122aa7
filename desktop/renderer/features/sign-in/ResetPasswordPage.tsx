import { Button, Card } from '@blueprintjs/core';
import { useEffect, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { resetPassword } from '#shared/contract/password-reset.ts';
import { POLICY_TEXT } from '#renderer/api/password-limits.ts';
import { liveNameIssue, signInNameIssue } from '#shared/rules/sign-in-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords, INSECURE_CONTEXT } from '#renderer/api/passwords.ts';
import { forgetSessionOf } from '#renderer/app/session.ts';
import { said, t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { newPasswordIssue, PasswordPair, type NewPassword } from './PasswordPair.tsx';
import './sign-in.css';

interface Fields extends NewPassword {
  userName: string;
}

const NO_TOKEN = t('Please open the link in the email again.');

const submitIssue = (fields: Fields): string | null =>
  signInNameIssue(fields.userName) ?? liveNameIssue(fields.userName) ?? newPasswordIssue(fields);

function startMessage(token: string): string {
  if (!bridge.isSecure) return INSECURE_CONTEXT;
  return token === '' ? NO_TOKEN : '';
}

/** /resetpassword?token=…, the target of the mailed link. Source: specification of security, section 2. */
export function ResetPasswordPage() {
  useDocumentTitle(t('Reset Password'));
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '');
  // Remove the link from the window's history, so that later users of this window cannot find it.
  useEffect(() => bridge.rewriteAddress(''), []);
  return (
    <main className="rs-login">
      <Card className="rs-login-card">
        <div className="rs-login-head">
          <h1>{t('Reset Password')}</h1>
        </div>
        <ResetForm token={token} />
      </Card>
    </main>
  );
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const [fields, setFields] = useState<Fields>({ userName: '', password: '', confirm: '' });
  const [message, setMessage] = useState(() => startMessage(token));
  const [isRequesting, setRequesting] = useState(false);
  const change = (field: keyof Fields, value: string): void => setFields((before) => ({ ...before, [field]: value }));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const issue = token === '' ? NO_TOKEN : submitIssue(fields);
    setMessage(issue ?? '');
    if (issue !== null) return;
    setRequesting(true);
    try {
      const [Password = ''] = await encryptPasswords(fields.userName, [fields.password]);
      await call(resetPassword, { body: { UserName: fields.userName, Password, Token: token } });
      forgetSessionOf(fields.userName);
      showSuccess(t('Password reset successfully'));
      void navigate('/login/');
    } catch (error) {
      const failure = toFailure(error);
      setMessage(failure.modelState['']?.join(' ') ?? failure.message);
      setRequesting(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t('Username')}
        autoComplete="username"
        value={fields.userName}
        onChange={(value) => change('userName', value)}
      />
      <PasswordPair {...fields} onChange={change} />
      {message === '' && <p className="rs-login-note">{said(POLICY_TEXT)}</p>}
      <Button type="submit" intent="primary" fill loading={isRequesting} text={t('Reset Password')} />
      <p className="rs-login-message" role="alert">
        {said(message)}
      </p>
    </form>
  );
}
