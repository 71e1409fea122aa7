/** Password sign-in, sessions and password changes. Source: specification of security, sections 3, 4 and 7. */
import { Type, type Static } from 'typebox';
import { REGION_IDS } from '../codecs/text-region.ts';
import { closed, get, nullable, post, publicAccess, signedIn } from './endpoint.ts';
import { License } from './license.ts';

const UserName = Type.String({ minLength: 1, maxLength: 50 });

/** A public RSA-OAEP key (SHA-256), valid for one request within two minutes. */
export const PasswordKey = closed({
  /** Prefix of the ciphertext: `${KeyId}.${base64 ciphertext}`. */
  KeyId: Type.String(),
  /** SubjectPublicKeyInfo, base64. */
  Key: Type.String(),
});
export type PasswordKey = Static<typeof PasswordKey>;

/** `${KeyId}.${base64}`; two of them joined by a newline if the sign-in also changes the password. */
export const EncryptedPassword = Type.String({ minLength: 1, maxLength: 4096 });

export const TokenResponse = closed({
  access_token: Type.String(),
  /** Point in time, ISO 8601. */
  expiry: Type.String({ format: 'date-time' }),
  ssoExpiry: nullable(Type.String({ format: 'date-time' })),
  ssoProvider: nullable(Type.String()),
  /** Seconds of inactivity after which the client signs out. */
  inactivityTimeout: Type.Integer(),
  lastLoginTime: nullable(Type.String({ format: 'date-time' })),
  lastLoginToken: nullable(Type.String()),
  /**
   * Recovery codes, each valid once in place of the second factor. Returned only by the sign-in that set up the second
   * factor.
   */
  recoveryCodes: Type.Optional(Type.Array(Type.String())),
});
export type TokenResponse = Static<typeof TokenResponse>;

/** What an authenticator app needs in order to generate codes. */
export const SecondFactorKey = closed({
  /** Base32. */
  Key: Type.String(),
  /** otpauth://totp/… */
  Uri: Type.String(),
});
export type SecondFactorKey = Static<typeof SecondFactorKey>;

/** A code from an authenticator app, or a recovery code. */
export const SecondFactorCode = Type.String({ minLength: 1, maxLength: 40 });

/**
 * 'second_factor_required' and 'second_factor_wrong' ask for a code. 'second_factor_setup' asks for a code from an
 * authenticator app that was set up with the key in `setup`. The client then repeats the same call with `code`.
 */
export const TokenFailure = closed({
  error: Type.String(),
  error_description: Type.String(),
  setup: Type.Optional(SecondFactorKey),
});
export type TokenFailure = Static<typeof TokenFailure>;

/** One-time token that a provider's sign-in returns. */
export const Ott = Type.String({ minLength: 1, maxLength: 100 });

/**
 * Proves that the caller is still the same person: their password or, if a provider signed them in, the token of a
 * fresh sign-in there.
 */
export const SignInProof = closed({ Password: Type.Optional(EncryptedPassword), Ott: Type.Optional(Ott) });
export type SignInProof = Static<typeof SignInProof>;

/** Languages of the screens, as BCP 47 tags. */
export const Language = Type.Union([Type.Literal('en'), Type.Literal('de')]);
export type Language = Static<typeof Language>;

/** Region that determines how texts are parsed and values displayed, as a BCP 47 tag. */
export const RegionId = Type.Enum(REGION_IDS);
export type RegionId = Static<typeof RegionId>;

const SsoButton = closed({ Key: Type.String(), LoginButtonLabel: Type.String() });

export const SsoConfig = closed({
  AllowADUsers: Type.Boolean(),
  AllowLocalUsers: Type.Boolean(),
  /** True if links to set a password can be sent by mail. */
  AllowPasswordReset: Type.Boolean(),
  Saml2: Type.Array(SsoButton),
  Oidc: Type.Array(SsoButton),
  /** Where the sign-in page redirects immediately: a provider's sign-in. */
  Path: Type.Optional(Type.String()),
  Settings: closed({ title: Type.String(), logo1: Type.String(), logo2: Type.String(), versionOnLogo: Type.Integer() }),
});
export type SsoConfig = Static<typeof SsoConfig>;

export const Profile = closed({
  UserId: Type.Integer(),
  UserName: Type.String(),
  FirstName: Type.String(),
  LastName: Type.String(),
  Source: Type.Union([Type.Literal('Local'), Type.Literal('AD'), Type.Literal('SSO')]),
  /** For each requested right: true if the user holds it for All or for at least one value. */
  Rights: Type.Record(Type.String(), Type.Boolean()),
  IsUserAdmin: Type.Boolean(),
  /** True if the user may not download input files of runs. */
  DisableInputDownload: Type.Boolean(),
  /** True if people who may edit an activity may also share it. */
  EditorsMayShare: Type.Boolean(),
  /** Chosen by the user; null to use the browser's language. */
  Language: nullable(Language),
  /** Chosen by the user; null to use the browser's region. */
  Region: nullable(RegionId),
  License,
});
export type Profile = Static<typeof Profile>;

export const generateKey = post('/api/users/generatekey', {
  access: publicAccess,
  summary: 'Create a key for encrypting passwords before they are sent',
  parts: { body: closed({ UserName }), result: PasswordKey },
});

export const token = post('/token', {
  access: publicAccess,
  summary: 'Sign in with user name and encrypted password',
  transport: 'form',
  parts: {
    body: closed({
      grant_type: Type.Literal('password'),
      username: UserName,
      password: EncryptedPassword,
      code: Type.Optional(SecondFactorCode),
    }),
    result: TokenResponse,
  },
});

export const renewToken = post('/api/renewtoken', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Renew the token of the session; the old token becomes invalid',
  parts: {
    result: closed({
      access_token: Type.String(),
      expiry: Type.String({ format: 'date-time' }),
      ssoExpiry: nullable(Type.String({ format: 'date-time' })),
    }),
  },
});

export const logout = post('/api/logout', {
  access: signedIn,
  sessionOnly: true,
  summary: 'End the session, or all sessions of the user; the latter requires proof, except after a SAML 2.0 sign-in',
  parts: {
    body: nullable(closed({ Everywhere: Type.Optional(Type.Boolean()), ...SignInProof.properties })),
    result: Type.Null(),
  },
});

export const ssoConfig = post('/api/sso/config', {
  access: publicAccess,
  summary: 'Get the available sign-in methods, and the title and logos of the portal',
  parts: {
    query: closed({ redirect: Type.Optional(Type.String()), path: Type.Optional(Type.String()) }),
    result: SsoConfig,
  },
});

export const profile = post('/api/users/profile', {
  access: signedIn,
  summary: 'Get the signed-in user, and which of the named rights the user holds',
  offline: 'answer',
  parts: { body: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 }), result: Profile },
});

export const setLanguage = post('/api/users/language', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Set the user’s language of the screens; null for that of the browser',
  parts: { body: closed({ Language: nullable(Language) }), result: Type.Null() },
});

export const setRegion = post('/api/users/region', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Set the user’s region for numbers and dates; null for that of the browser',
  parts: { body: closed({ Region: nullable(RegionId) }), result: Type.Null() },
});

export const draftKey = get('/api/users/draftkey', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Get the user’s own key with which a client encrypts drafts',
  offline: 'answer',
  parts: {
    result: closed({
      /** 32 bytes, base64. */
      Key: Type.String(),
    }),
  },
});

export const changePassword = post('/api/users/changepassword', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Change the user’s own password; both passwords are encrypted',
  parts: { body: closed({ Password: EncryptedPassword, NewPassword: EncryptedPassword }), result: Type.Null() },
});
