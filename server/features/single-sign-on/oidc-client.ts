/** Sign-on by OpenID Connect: authorization code flow with PKCE, state and nonce. */
import * as oidc from 'openid-client';
import { isThisMachine, type OidcSettings } from '#server/config/sign-in-sources.ts';
import type { SsoAnswer, SsoCallback, SsoClaim, SsoLogoutContext, SsoProof, SsoProvider } from './sso-provider.ts';

const TIMEOUT_SECONDS = 10;
const DEFAULT_SCOPES = ['openid', 'profile', 'email'];
const DEFAULT_SESSION_MINUTES = 480;
/** How long a provider's metadata (addresses, log-out) is cached. */
const METADATA_MS = 3_600_000;
/** Maximum time that a provider's clock may be ahead of ours. */
const MAX_AHEAD_SECONDS = 300;

export function createOidcProvider(settings: OidcSettings, clientSecret: string): SsoProvider {
  const { key } = settings;
  const maxSeconds = (settings.sessionMinutes ?? DEFAULT_SESSION_MINUTES) * 60;
  const configuration = createConfiguration(settings, clientSecret);
  const callbackOf = (base: string): string => `${base}api/sso/oidc/${key}/callback`;

  async function begin(base: string, state: string, fresh: boolean): Promise<{ url: string; proof: SsoProof }> {
    const verifier = oidc.randomPKCECodeVerifier();
    const nonce = oidc.randomNonce();
    const url = oidc.buildAuthorizationUrl(await configuration(), {
      redirect_uri: callbackOf(base),
      response_type: 'code',
      scope: [...new Set(['openid', ...(settings.scopes ?? DEFAULT_SCOPES)])].join(' '),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      // With max_age, a provider must report when the person signed in. OpenID Connect Core, section 3.1.2.1.
      ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
    });
    return { url: url.href, proof: { verifier, nonce, state } };
  }

  async function finish(base: string, { query }: SsoCallback, proof: SsoProof): Promise<SsoAnswer> {
    const config = await configuration();
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${callbackOf(base)}?${query}`), {
      pkceCodeVerifier: proof['verifier'] ?? '',
      expectedNonce: proof['nonce'] ?? '',
      expectedState: proof['state'] ?? '',
      idTokenExpected: true,
    });
    const claims = issuedClaims(tokens);
    if (!claims || tokens.id_token === undefined) throw new Error('the provider gave no ID token');
    const known = await withUserInfo(config, tokens.access_token, claims);
    const refreshToken = tokens.refresh_token;
    return {
      identity: identityOf(known, settings),
      claims: listClaims(known),
      logoutContext: { idToken: tokens.id_token, ...(refreshToken ? { refreshToken } : {}) },
      sessionSubject: claims.sub,
      sessionIndex: typeof claims['sid'] === 'string' ? claims['sid'] : '',
      expiresIn: refreshToken === undefined ? maxSeconds : Math.min(tokens.expires_in ?? maxSeconds, maxSeconds),
      signedInTime: claims.auth_time === undefined ? null : claims.auth_time * 1000,
    };
  }

  return {
    kind: 'oidc',
    key,
    name: `oidc:${key}`,
    label: settings.loginButtonLabel,
    createUsers: settings.createUsers ?? false,
    encryptionSecret: clientSecret,
    returnAddress: callbackOf,
    begin,
    finish,
    renew: async (logoutContext) => renew(await configuration(), logoutContext, maxSeconds),
    logoutUrl: async (base, { idToken }) => {
      if (settings.logOutAtProvider === false || idToken === undefined) return null;
      return endSessionUrl(await configuration(), { base, idToken });
    },
  };
}

/**
 * Reads the provider's metadata when it is first needed, so that an unreachable provider does not prevent the portal
 * from starting.
 */
function createConfiguration({ issuer, clientId }: OidcSettings, clientSecret: string) {
  let known: { config: Promise<oidc.Configuration>; until: number } | null = null;
  const execute = [oidc.enableNonRepudiationChecks];
  if (isThisMachine(new URL(issuer).hostname)) execute.push(oidc.allowInsecureRequests);
  return async (): Promise<oidc.Configuration> => {
    if (known && known.until > performance.now()) return known.config;
    const config = oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECONDS,
    });
    known = { config, until: performance.now() + METADATA_MS };
    try {
      return await config;
    } catch (error) {
      known = null;
      throw error;
    }
  };
}

/** openid-client checks that a token has not expired, but not when it was issued. */
function issuedClaims(tokens: oidc.TokenEndpointResponseHelpers): oidc.IDToken | undefined {
  const claims = tokens.claims();
  if (claims && claims.iat > Date.now() / 1000 + MAX_AHEAD_SECONDS)
    throw new Error(
      `the ID token is issued in the future, at ${claims.iat}: the clock of the provider or of this server is wrong`,
    );
  return claims;
}

async function renew(config: oidc.Configuration, { idToken, refreshToken }: SsoLogoutContext, maxSeconds: number) {
  if (refreshToken === undefined) return null;
  const tokens = await oidc.refreshTokenGrant(config, refreshToken);
  issuedClaims(tokens);
  const logoutContext = {
    idToken: tokens.id_token ?? idToken ?? '',
    refreshToken: tokens.refresh_token ?? refreshToken,
  };
  return { logoutContext: logoutContext, expiresIn: Math.min(tokens.expires_in ?? maxSeconds, maxSeconds) };
}

function endSessionUrl(
  config: oidc.Configuration,
  { base, idToken }: { base: string; idToken: string },
): string | null {
  if (config.serverMetadata().end_session_endpoint === undefined) return null;
  return oidc.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${base}?sso=0` }).href;
}

type Claims = Record<string, unknown> & { sub: string };

const listClaims = (claims: Claims): SsoClaim[] =>
  Object.entries(claims).map(([Name, value]) => ({ Name, Values: [value].flat().map(claimText) }));

const claimText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Providers may return profile and e-mail only from the userinfo endpoint, not in the ID token. */
async function withUserInfo(config: oidc.Configuration, accessToken: string, claims: oidc.IDToken): Promise<Claims> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return { ...claims };
  // Claims of the signed token take precedence.
  return { ...(await oidc.fetchUserInfo(config, accessToken, claims.sub)), ...claims };
}

function identityOf(claims: Claims, { userNameClaim = 'sub' }: OidcSettings) {
  const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name].trim() : '');
  if (userNameClaim === 'email' && claims['email_verified'] === false)
    throw new Error('the provider has not verified the e-mail address that names the user');
  const subject = text(userNameClaim);
  return {
    subject,
    UserName: text('preferred_username') || text('email') || subject,
    FirstName: text('given_name') || text('name'),
    LastName: text('family_name'),
    Email: text('email'),
  };
}
