import { Button } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import type { SsoConfig } from '#shared/contract/auth.ts';
import { ssoUrl } from '#shared/contract/sso.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { rememberedPath } from '#renderer/app/remembered-path.ts';
import { said, t } from '#renderer/language/translate.ts';

interface Provider {
  kind: 'saml2' | 'oidc';
  key: string;
  label: string;
}

const providersOf = ({ Saml2, Oidc }: SsoConfig): Provider[] =>
  (['saml2', 'oidc'] as const).flatMap((kind) =>
    (kind === 'saml2' ? Saml2 : Oidc).map(({ Key, LoginButtonLabel }) => ({ kind, key: Key, label: LoginButtonLabel })),
  );

/** A button for each provider. It leads to the provider's sign-in page, and from there back to the requested page. */
export function ProviderButtons({ config, isAlone }: { config: SsoConfig; isAlone: boolean }) {
  const [chosen, setChosen] = useState<Provider | null>(null);
  const [message, setMessage] = useState('');
  const providers = providersOf(config);

  // When the user returns with the Back button, the browser may restore this page in its old state.
  useEffect(() => {
    const reset = (): void => setChosen(null);
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, []);

  const go = async (provider: Provider): Promise<void> => {
    setChosen(provider);
    setMessage('');
    try {
      const { kind, key } = provider;
      const body = { ClientType: 'web', Path: rememberedPath() };
      bridge.leaveFor((await call(ssoUrl, { params: { kind, key }, body })).Path, body.Path);
    } catch (error) {
      setMessage(toFailure(error).message);
      setChosen(null);
    }
  };

  if (providers.length === 0) return null;
  return (
    <div className="rs-login-providers">
      {!isAlone && <p className="rs-login-or">{t('or')}</p>}
      {providers.map((provider) => (
        <Button
          key={`${provider.kind}:${provider.key}`}
          fill
          text={provider.label}
          intent={isAlone ? 'primary' : 'none'}
          loading={chosen?.kind === provider.kind && chosen.key === provider.key}
          disabled={chosen !== null}
          onClick={() => void go(provider)}
        />
      ))}
      <p className="rs-login-message" role="alert">
        {said(message)}
      </p>
    </div>
  );
}
