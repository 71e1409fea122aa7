/** The API with a SAML2 and an OpenID Connect provider, and the browser's part of the flows. */
import { checkSignInSources, type SignInSources } from '#server/config/sign-in-sources.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import type { SsoTokenResponse } from '#shared/contract/sso.ts';
import { makeCertificate } from '#test/support/peers/certificates.ts';
import type { OidcPeer } from '#test/support/peers/oidc.ts';
import type { SamlPeer } from '#test/support/peers/saml.ts';

export const PORTAL = 'http://localhost:4711/';

/** Settings of both providers; `files` replaces the folder of their files. */
export async function providerSources(
  { saml2, oidc }: { saml2?: SamlPeer; oidc?: OidcPeer },
  changes: { saml2?: object; oidc?: object; all?: object } = {},
): Promise<SignInSources> {
  const own = await makeCertificate('Portal');
  const files: Record<string, string> = {
    'own.key': own.key,
    'own.pem': own.certificate,
    'idp.pem': saml2?.certificate ?? '',
  };
  const saml2Settings = saml2 && {
    key: 'corp',
    loginButtonLabel: 'Company sign-in',
    idpEntityId: saml2.entityId,
    signInUrl: saml2.signInUrl,
    logoutUrl: saml2.logoutUrl,
    certificateFiles: ['idp.pem'],
    privateKeyFile: 'own.key',
    ownCertificateFile: 'own.pem',
    createUsers: true,
    ...changes.saml2,
  };
  const oidcSettings = oidc && {
    key: 'cloud',
    loginButtonLabel: 'Cloud account',
    issuer: oidc.url,
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    createUsers: true,
    ...changes.oidc,
  };
  const content = {
    saml2: saml2Settings ? [saml2Settings] : [],
    oidc: oidcSettings ? [oidcSettings] : [],
    ...changes.all,
  };
  return { ...checkSignInSources(content, '.'), readFile: (path) => files[path] ?? '' };
}

export async function ssoApp(
  sources: SignInSources,
  settings: NonNullable<Parameters<typeof testApp>[0]>['settings'] = {},
): Promise<TestApp> {
  return testApp({ signInSources: sources, settings: { publicUrl: PORTAL.slice(0, -1), ...settings } });
}

/** A browser that stores the portal's cookie. */
export function ssoBrowser({ http }: Pick<TestApp, 'http'>, remoteAddress = '127.0.0.1') {
  let cookie = '';

  async function begin(kind: 'saml2' | 'oidc', key: string, Path = '/activities/', Fresh = false): Promise<string> {
    const payload = { ClientType: 'web', Path, Fresh };
    const answer = await http.inject({
      method: 'POST',
      url: `/api/ssourl/${kind}/${key}`,
      payload,
      headers: { cookie },
      remoteAddress,
    });
    cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    return answer.json<{ result: { Path: string } }>().result.Path;
  }

  /** Returns where the portal redirects the browser: the path, and the query as an object. */
  function landing(answer: { statusCode: number; headers: Record<string, unknown> }) {
    if (answer.statusCode !== 303) throw new Error(`the portal answered ${answer.statusCode}`);
    const url = new URL(String(answer.headers['location']));
    return { origin: url.origin, path: url.pathname, query: Object.fromEntries(url.searchParams) };
  }

  return {
    begin,
    setCookie: (value: string) => void (cookie = value),
    cookie: () => cookie,
    postAnswer: async (key: string, form: Record<string, string>) =>
      landing(
        await http.inject({
          method: 'POST',
          url: `/api/sso/saml2/${key}/acs`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(form).toString(),
          remoteAddress,
        }),
      ),
    follow: async (url: string) => landing(await http.inject({ url: url.replace(PORTAL, '/'), remoteAddress })),
    redeem: async (Ott: string | undefined) => {
      const answer = await http.inject({
        method: 'POST',
        url: '/api/sso/ott',
        payload: { Ott: Ott ?? '' },
        headers: { cookie },
        remoteAddress,
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        ...answer.json<{ result: SsoTokenResponse; message: string }>(),
      };
    },
  };
}
