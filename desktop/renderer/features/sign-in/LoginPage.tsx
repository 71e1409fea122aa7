import { Callout, Card } from '@blueprintjs/core';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { bridge } from '#renderer/api/bridge.ts';
import { INSECURE_CONTEXT } from '#renderer/api/passwords.ts';
import { Logo } from '#renderer/app/Logo.tsx';
import { useOttLogin } from '#renderer/app/ott-login.ts';
import { takeRememberedPath } from '#renderer/app/remembered-path.ts';
import { useSession } from '#renderer/app/session.ts';
import { startSsoError, useSsoConfig } from '#renderer/app/StartUp.tsx';
import { said, t } from '#renderer/language/translate.ts';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';
import { LoginForm } from './LoginForm.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import './sign-in.css';

export function LoginPage() {
  useDocumentTitle(t('Login'));
  const isSignedIn = useSession((state) => state.session !== null);
  const navigate = useNavigate();
  const config = useSsoConfig(!isSignedIn).data;
  const ottError = useOttLogin((state) => state.error);
  const ssoError = ottError ?? startSsoError;
  useEffect(() => {
    if (isSignedIn) void navigate(takeRememberedPath(), { replace: true });
  }, [isSignedIn, navigate]);
  if (isSignedIn || !config) return null;
  const { Settings } = config;
  const notice = bridge.notice();
  const takesPasswords = config.AllowADUsers || config.AllowLocalUsers;
  return (
    <main className="rs-login">
      <Card className="rs-login-card">
        <div className="rs-login-head">
          <Logo size={36} address={Settings.logo1} />
          <h1>{Settings.title}</h1>
        </div>
        {ssoError && (
          <p className="rs-login-message" role="alert">
            {said(ssoError)}
          </p>
        )}
        {takesPasswords && !bridge.isSecure && (
          <p className="rs-login-message" role="alert">
            {said(INSECURE_CONTEXT)}
          </p>
        )}
        {takesPasswords && <LoginForm allowsReset={config.AllowPasswordReset} />}
        <ProviderButtons config={config} isAlone={!takesPasswords} />
        {notice !== '' && (
          <Callout intent="warning" className="rs-login-notice">
            {notice}
          </Callout>
        )}
      </Card>
    </main>
  );
}
