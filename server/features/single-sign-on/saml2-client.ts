/** Sign-on by SAML 2.0: Web Browser SSO (request by redirect, response by POST) and Single Logout (by redirect). */
import { randomBytes } from 'node:crypto';
import type { CacheProvider, Profile, SAML } from '@node-saml/node-saml';
import { nodeSaml } from '#server/base/on-demand.ts';
import type { Saml2Settings } from '#server/config/sign-in-sources.ts';
import { readLogoutRequest, type LogoutRequest } from './saml2-logout.ts';
import { claimsOf, identityOf, logoutContextOf } from './saml2-identity.ts';
import { checkAssertion, refuseUnsafeXml } from './saml2-assertion.ts';
import { checkResponse } from './saml2-message.ts';
import type { SsoAnswer, SsoCallback, SsoProvider } from './sso-provider.ts';

export interface Saml2Files {
  /** The provider's certificates as PEM. */
  idpCertificates: string[];
  privateKey: string;
  ownCertificate: string;
}

export interface Saml2Provider extends SsoProvider {
  /** Returns XML that describes this portal to the provider. */
  metadata(base: string): string;
  /**
   * Reads a log-out that the provider requests. Rejects if the provider did not sign the request, or if it was used
   * before.
   */
  readLogout(base: string, callback: SsoCallback): Promise<LogoutRequest>;
}

const DEFAULT_SKEW_SECONDS = 60;
const DEFAULT_SESSION_MINUTES = 480;
export function createSaml2Provider(settings: Saml2Settings, files: Saml2Files): Saml2Provider {
  const { key, idpEntityId, clockSkewSeconds = DEFAULT_SKEW_SECONDS } = settings;

  const saml = (base: string, requestId: string, fresh = false): SAML =>
    clientOf({ settings, files, base, requestId, fresh });

  async function finish(base: string, callback: SsoCallback, requestId: string): Promise<SsoAnswer> {
    const { form } = callback;
    const xml = Buffer.from(form, 'base64').toString('utf8');
    const recipient = addressOf(base, key, 'acs');
    refuseUnsafeXml(xml);
    checkResponse(xml, recipient);
    const { profile } = await saml(base, requestId).validatePostResponseAsync({ SAMLResponse: form });
    if (!profile) throw new Error('the answer signs nobody in');
    const facts = checkAssertion(profile, { issuer: idpEntityId, requestId, recipient, clockSkewSeconds });
    if (!(await callback.useOnce(`${idpEntityId} ${facts.id}`, facts.expiresIn)))
      throw new Error('the assertion was used before');
    const maxSessionSeconds = (settings.sessionMinutes ?? DEFAULT_SESSION_MINUTES) * 60;
    return {
      identity: identityOf(profile, settings),
      claims: claimsOf(profile),
      logoutContext: logoutContextOf(profile),
      sessionSubject: profile.nameID,
      sessionIndex: profile.sessionIndex ?? '',
      expiresIn: Math.min(facts.sessionEndsIn ?? maxSessionSeconds, maxSessionSeconds),
      signedInTime: facts.signedInTime,
    };
  }

  return {
    kind: 'saml2',
    key,
    name: `saml2:${key}`,
    label: settings.loginButtonLabel,
    createUsers: settings.createUsers ?? false,
    encryptionSecret: files.privateKey,
    returnAddress: (base) => addressOf(base, key, 'metadata'),
    begin: async (base, state, fresh) => {
      const requestId = newId();
      const url = await saml(base, requestId, fresh).getAuthorizeUrlAsync(state, undefined, {});
      return { url, proof: { requestId } };
    },
    finish: (base, callback, { requestId = '' }) => finish(base, callback, requestId),
    // Only the person's browser could ask the provider again, and it would have to leave the page.
    renew: async () => null,
    logoutUrl: async (base, { nameId, nameIdFormat, sessionIndex }) => {
      if (settings.logoutUrl === undefined || nameId === undefined) return null;
      const user = { nameID: nameId, nameIDFormat: nameIdFormat ?? '', ...(sessionIndex ? { sessionIndex } : {}) };
      return saml(base, newId()).getLogoutUrlAsync({ ...user, issuer: idpEntityId } as Profile, '', {});
    },
    metadata: (base) =>
      withRedirectLogout(saml(base, newId()).generateServiceProviderMetadata(null, files.ownCertificate)),
    readLogout: (base, callback) => {
      const address = addressOf(base, key, 'logout');
      return readLogoutRequest(saml(base, newId()), { issuer: idpEntityId, address }, callback);
    },
  };
}

const addressOf = (base: string, key: string, end: string): string => `${base}api/sso/saml2/${key}/${end}`;

interface ClientOptions {
  settings: Saml2Settings;
  files: Saml2Files;
  base: string;
  /** Id of the request that the client creates, or whose response it checks. */
  requestId: string;
  fresh: boolean;
}

function clientOf({ settings, files, base, requestId, fresh }: ClientOptions): SAML {
  const { key, clockSkewSeconds = DEFAULT_SKEW_SECONDS } = settings;
  const { SAML: Client, ValidateInResponseTo } = nodeSaml();
  return new Client({
    callbackUrl: addressOf(base, key, 'acs'),
    logoutCallbackUrl: addressOf(base, key, 'logout'),
    entryPoint: settings.signInUrl,
    logoutUrl: settings.logoutUrl ?? '',
    issuer: settings.entityId ?? addressOf(base, key, 'metadata'),
    idpIssuer: settings.idpEntityId,
    idpCert: files.idpCertificates,
    privateKey: files.privateKey,
    publicCert: files.ownCertificate,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    // The signature of the assertion itself is what counts; many providers sign nothing else.
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: clockSkewSeconds * 1000,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    forceAuthn: fresh,
  });
}

/** The library's metadata says that log-outs are posted, but the portal uses redirects. */
const withRedirectLogout = (metadata: string): string =>
  metadata.replace(/(<SingleLogoutService[^>]*bindings:HTTP-)POST/, '$1Redirect');

/** XML names cannot begin with a digit. */
const newId = (): string => `_${randomBytes(20).toString('hex')}`;

/**
 * Replaces the library's memory of requests. The portal's own is in the database, and knows which request a response
 * belongs to.
 */
function onlyRequest(requestId: string): CacheProvider {
  const requestedAt = new Date().toISOString();
  return {
    saveAsync: async () => null,
    getAsync: async (id) => (id === requestId ? requestedAt : null),
    removeAsync: async () => null,
  };
}
