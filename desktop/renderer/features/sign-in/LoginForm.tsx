import { Button } from '@blueprintjs/core';
import { useEffect, useRef, type Ref } from 'react';
import { livePasswordIssue, liveNameIssue } from '#shared/rules/sign-in-rules.ts';
import { PASSWORD_LIMITS, POLICY_TEXT } from '#renderer/api/password-limits.ts';
import { RecoveryCodes } from '#renderer/features/second-factor/RecoveryCodes.tsx';
import { said, t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { useLogin, type Login } from './use-login.ts';

// Loaded on demand: menus are a large part of the code, and this one is shown only if mail is set up.
const ResetPasswordMenu = lazyPart(async () => (await import('./ResetPasswordMenu.tsx')).ResetPasswordMenu);
// Loaded on demand: each user sees it only once, and it contains the QR code.
const FactorSetup = lazyPart(
  async () => (await import('#renderer/features/second-factor/FactorSetup.tsx')).FactorSetup,
);

export function LoginForm({ allowsReset }: { allowsReset: boolean }) {
  const login = useLogin();
  const { recoveryCodes } = login;
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={login.goOn} />;
  return <LoginFields login={login} allowsReset={allowsReset} />;
}

function LoginFields({ login, allowsReset }: { login: Login; allowsReset: boolean }) {
  const { fields, touched, isChanging, question, write } = login;
  const nameInput = useRef<HTMLInputElement>(null);
  const newInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const asksCode = question !== null;
  const isFixed = isChanging || asksCode;

  useEffect(() => {
    (asksCode ? codeInput : isChanging ? newInput : nameInput).current?.focus();
  }, [isChanging, asksCode]);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void login.submit();
      }}
      noValidate
    >
      <TextField
        label={t('Username')}
        value={fields.userName}
        onChange={write('userName')}
        error={touched.userName ? liveNameIssue(fields.userName) : null}
        autoComplete="username"
        readOnly={isFixed}
        inputRef={nameInput}
      />
      <TextField
        label={t('Password')}
        type="password"
        value={fields.password}
        onChange={write('password')}
        error={touched.password ? livePasswordIssue(fields.password, PASSWORD_LIMITS) : null}
        autoComplete="current-password"
        readOnly={isFixed}
      />
      {isChanging && <NewPasswordFields login={login} inputRef={newInput} />}
      {question?.setup && <FactorSetup setup={question.setup} />}
      {asksCode && (
        <TextField
          label={t('Code')}
          value={fields.code}
          onChange={write('code')}
          autoComplete="one-time-code"
          maxLength={40}
          inputRef={codeInput}
        />
      )}
      <Button
        type="submit"
        intent="primary"
        fill
        loading={login.isRequesting}
        text={isChanging ? t('Change') : t('Login')}
      />
      <p className="rs-login-message" role="alert">
        {said(login.message)}
      </p>
      {isFixed && (
        <Button
          className="rs-login-reset"
          variant="minimal"
          size="small"
          text={t('Start again')}
          onClick={login.startAgain}
        />
      )}
      {allowsReset && !isFixed && <ResetPasswordMenu userName={fields.userName} onMessage={login.setMessage} />}
    </form>
  );
}

function NewPasswordFields({ login, inputRef }: { login: Login; inputRef: Ref<HTMLInputElement> }) {
  const { fields, write } = login;
  return (
    <>
      <TextField
        label={t('New Password')}
        type="password"
        value={fields.newPassword}
        onChange={write('newPassword')}
        helper={said(POLICY_TEXT)}
        autoComplete="new-password"
        inputRef={inputRef}
      />
      <TextField
        label={t('Confirm New Password')}
        type="password"
        value={fields.confirm}
        onChange={write('confirm')}
        autoComplete="new-password"
      />
    </>
  );
}
