/** An OpenID Connect provider: oidc-provider with its built-in development pages. */
import { createServer, type RequestListener } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import { listen, type Peer } from './peer.ts';

/** Its URL is its issuer. */
export interface OidcPeer extends Peer {
  clientId: string;
  clientSecret: string;
  /** Registers the portal once its address is known. @param base address of the portal, with a trailing slash */
  know(base: string): void;
  /** Revokes everything that the provider granted; refresh tokens are rejected from then on. */
  revokeAll(): Promise<void>;
}

export const OIDC_CLIENT = { clientId: 'runsheet', clientSecret: 'a secret that only the test and the portal know' };

/** @param key of the provider in the portal's settings. A user's name is whatever they type at the sign-in. */
export async function startOidcPeer(key: string, options: { accessTokenSeconds?: number } = {}): Promise<OidcPeer> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  const { port, stop } = await listen(server);
  const url = `http://localhost:${port}`;
  let provider: Provider | undefined;
  const grants = new Set<string>();

  return {
    url,
    ...OIDC_CLIENT,
    know: (base) => {
      provider = new Provider(url, configuration(base, key, options.accessTokenSeconds ?? 3600));
      provider.on('grant.success', (context) => {
        const grantId = context.oidc.entities.Grant?.jti;
        if (grantId !== undefined) grants.add(grantId);
      });
      const answer = provider.callback();
      handle = (request, response) => void answer(request, response);
    },
    revokeAll: async () => {
      for (const id of grants) await (await provider?.Grant.find(id))?.destroy();
    },
    stop,
  };
}

function configuration(base: string, key: string, accessTokenSeconds: number): Configuration {
  return {
    clients: [
      {
        client_id: OIDC_CLIENT.clientId,
        client_secret: OIDC_CLIENT.clientSecret,
        redirect_uris: [`${base}api/sso/oidc/${key}/callback`],
        post_logout_redirect_uris: [`${base}?sso=0`],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'openid profile email offline_access',
      },
    ],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: { openid: ['sub'], profile: ['preferred_username', 'given_name', 'family_name'], email: ['email'] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        preferred_username: sub,
        given_name: sub.slice(0, 1).toUpperCase() + sub.slice(1),
        family_name: 'Oidc',
        email: `${sub}@example.org`,
      }),
    }),
    // Grants refresh tokens to a web client even without prompt=consent, as many providers do.
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    pkce: { required: () => true },
    ttl: {
      AccessToken: accessTokenSeconds,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    cookies: { keys: ['for tests only'] },
    features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  };
}

/** Follows the provider's pages as a browser of this user would, and returns the portal address at the end. */
export async function passThrough(url: string, login: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = url;
  let form: Record<string, string> | null = null;
  for (let step = 0; step < 12; step++) {
    if (!next.startsWith(issuer)) return next;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form === null ? null : new URLSearchParams(form);
    const answer: Response = await fetch(next, {
      method: form ? 'POST' : 'GET',
      headers: { cookie },
      redirect: 'manual',
      body,
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    form = null;
    if (location !== null) {
      next = new URL(location, next).href;
      continue;
    }
    const page = await answer.text();
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    if (prompt === undefined || action === undefined) throw new Error(`the provider says: ${page.slice(0, 400)}`);
    form = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt };
    next = new URL(action, next).href;
  }
  throw new Error('the provider does not come to an end');
}
