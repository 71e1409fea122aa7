/** Single sign-on: redirect to a provider and return. Source: specification of security, sections 2, 4 and 7. */
import { Type, type Static } from 'typebox';
import { Ott, TokenResponse } from './auth.ts';
import { closed, get, nullable, post, publicAccess, signedIn, Timestamp } from './endpoint.ts';

const Kind = Type.Union([Type.Literal('saml2'), Type.Literal('oidc')]);
const Key = Type.String({ minLength: 1, maxLength: 40 });
/** The path of the portal to return to, with its query. */
const Path = Type.String({ maxLength: 2000 });

const Begin = closed({
  ClientType: Type.Optional(Type.String({ maxLength: 40 })),
  Path: Type.Optional(Path),
  /** True to make the provider ask the user again, even if they are already signed in there. */
  Fresh: Type.Optional(Type.Boolean()),
});

const Redirect = closed({ Path: Type.String() });

export const ssoUrl = post('/api/ssourl/:kind/:key', {
  access: publicAccess,
  summary: 'Start a sign-in at a provider; returns the address to open',
  parts: { params: closed({ kind: Kind, key: Key }), body: Begin, result: Redirect },
});

export const ssoLogin = post('/api/sso/login/:provider', {
  access: publicAccess,
  summary: 'Start a sign-in at a provider given by its full name, such as saml2:corp',
  parts: {
    params: closed({ provider: Type.String({ pattern: '^(saml2|oidc):', maxLength: 60 }) }),
    body: nullable(Begin),
    result: Redirect,
  },
});

export const SsoTokenResponse = closed({ ...TokenResponse.properties, UserName: Type.String() });
export type SsoTokenResponse = Static<typeof SsoTokenResponse>;

export const redeemOtt = post('/api/sso/ott', {
  access: publicAccess,
  summary: 'Exchange the one-time token of a sign-in for a session, once, in the browser that started the sign-in',
  parts: { body: closed({ Ott }), result: SsoTokenResponse },
});

const provider = closed({ type: Kind, id: Key });

export const refreshSso = post('/api/sso/refresh/:type/:id', {
  access: signedIn,
  sessionOnly: true,
  summary:
    'Renew the provider’s part of the session; returns null if the user must sign in again, after which the call is repeated with the new token',
  parts: {
    params: provider,
    body: nullable(closed({ Ott: Type.Optional(Ott) })),
    result: closed({ ssoExpiry: nullable(Timestamp) }),
  },
});

export const ssoLogoutUrl = post('/api/ssologouturl/:type/:id', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Get the address for logging out of the provider; null if it has none',
  parts: { params: provider, result: closed({ url: nullable(Type.String()) }) },
});

const ByKey = closed({ key: Key });
/**
 * Accepts additional fields, because providers may add their own. This is an object without properties instead of a
 * record: the API description lists each property as a parameter, and would treat the schema keywords of a record as
 * properties.
 */
const Answer = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

export const saml2Answer = post('/api/sso/saml2/:key/acs', {
  access: publicAccess,
  summary: 'Receive the response of a SAML2 provider after a sign-in',
  transport: 'form',
  parts: {
    params: ByKey,
    body: Type.Object({
      SAMLResponse: Type.String({ minLength: 1 }),
      RelayState: Type.Optional(Type.String({ maxLength: 200 })),
    }),
  },
});

export const saml2Logout = get('/api/sso/saml2/:key/logout', {
  access: publicAccess,
  summary: 'Receive logout requests and responses of a SAML2 provider',
  transport: 'file',
  parts: { params: ByKey, query: Answer },
});

export const saml2Metadata = get('/api/sso/saml2/:key/metadata', {
  access: publicAccess,
  summary: 'Get the metadata of this portal for SAML2 providers, as XML',
  transport: 'file',
  parts: { params: ByKey },
});

export const oidcAnswer = get('/api/sso/oidc/:key/callback', {
  access: publicAccess,
  summary: 'Receive the response of an OpenID Connect provider after a sign-in',
  transport: 'file',
  parts: { params: ByKey, query: Answer },
});
