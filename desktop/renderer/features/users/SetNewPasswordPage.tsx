import { useState, type FormEvent } from 'react';
import { useParams } from 'react-router-dom';
import { setNewPassword } from '#shared/contract/users.ts';
import { POLICY_TEXT } from '#renderer/api/password-limits.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords } from '#renderer/api/passwords.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { newPasswordIssue, PasswordPair, type NewPassword } from '#renderer/features/sign-in/PasswordPair.tsx';
import { said, t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { useAbilities } from './use-users.ts';

/** /setNewPassword/{name} */
export function SetNewPasswordPage() {
  const name = useParams()['name'] ?? '';
  const abilities = useAbilities();
  return (
    <Page title={t('Set New Password - {name}', { name })} description={said(POLICY_TEXT)} narrow>
      <QueryStates query={abilities} kind="form">
        {({ canManagePasswords, AllowAdminToSetPassword }) =>
          canManagePasswords && AllowAdminToSetPassword ? (
            <PasswordForm key={name} name={name} />
          ) : (
            <NotAllowed right="sk.ManageUserPasswords" />
          )
        }
      </QueryStates>
    </Page>
  );
}

function PasswordForm({ name }: { name: string }) {
  const navigate = useNavigateWhileHere();
  const [fields, setFields] = useState<NewPassword>({ password: '', confirm: '' });
  const [message, setMessage] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [isRequesting, setRequesting] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const issue = newPasswordIssue(fields);
    setMessage(issue);
    if (issue !== null) return;
    setRequesting(true);
    try {
      const [Password = ''] = await encryptPasswords(name, [fields.password]);
      await call(setNewPassword, { body: { UserName: name, Password } });
      showSuccess(t('Password reset successfully'));
      void navigate('/users/');
    } catch (error) {
      const failure = toFailure(error);
      setMessage(failure.modelState['']?.join(' ') ?? failure.message);
      setRequesting(false);
    }
  };

  return (
    <Card>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <ErrorSummary title={message} attempt={attempt} />
        <PasswordPair
          {...fields}
          onChange={(field, value) => setFields((before) => ({ ...before, [field]: value }))}
          helper={t('{name} is signed out, and has to change this password at the next sign-in.', { name })}
        />
        <SubmitButton text={t('Set New Password')} loading={isRequesting} />
      </form>
    </Card>
  );
}
