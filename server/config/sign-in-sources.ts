/**
 * Directories and identity providers: the JSON file named by the setting signInFile. docs/sign-in.md explains it to
 * administrators.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { StartError } from '#server/base/start-error.ts';

const closed = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const text = (maxLength = 500) => Type.String({ minLength: 1, maxLength });

/** Part of URLs and of ssoProvider ('saml2:corp'), so it is short and simple. */
const Key = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$' });
/** True to create users at their first sign-in; otherwise an administrator must create them. */
const createUsers = Type.Optional(Type.Boolean());
/** Maximum length of a session if the provider specifies no end. */
const sessionMinutes = Type.Optional(Type.Integer({ minimum: 5, maximum: 10_080 }));

export const DirectorySettings = closed({
  key: Key,
  /** ldaps://host:636, or ldap://host:389 with startTls. Several are tried one after the other. */
  urls: Type.Array(Type.String({ pattern: '^ldaps?://' }), { minItems: 1, maxItems: 10 }),
  startTls: Type.Optional(Type.Boolean()),
  /** PEM file of the authority that signed the server's certificate; the system's authorities if absent. */
  caFile: Type.Optional(text()),
  bindDn: text(),
  bindPassword: Type.Optional(text()),
  bindPasswordFile: Type.Optional(text()),
  baseDn: text(),
  /** {name} is replaced by the typed name, escaped. */
  userFilter: Type.Optional(Type.String({ pattern: '^\\(.*\\{name\\}.*\\)$', maxLength: 1000 })),
  attributes: Type.Optional(
    closed({
      userName: Type.Optional(text(100)),
      firstName: Type.Optional(text(100)),
      lastName: Type.Optional(text(100)),
      email: Type.Optional(text(100)),
    }),
  ),
  timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  createUsers,
});
export type DirectorySettings = Static<typeof DirectorySettings>;

export const Saml2Settings = closed({
  key: Key,
  loginButtonLabel: text(60),
  /** Entity ids of the provider and of this portal; the portal's defaults to the URL of its metadata. */
  idpEntityId: text(),
  entityId: Type.Optional(text()),
  /** URL for requests with the HTTP-Redirect binding. */
  signInUrl: text(2000),
  logoutUrl: Type.Optional(text(2000)),
  /** PEM files of the provider's signing certificates: the current one, and during a change also the next one. */
  certificateFiles: Type.Array(text(), { minItems: 1, maxItems: 5 }),
  /** The portal's own key, which signs requests, and its certificate. */
  privateKeyFile: text(),
  ownCertificateFile: text(),
  /** Attribute with the user name; the NameID if absent. */
  userNameAttribute: Type.Optional(text(200)),
  attributes: Type.Optional(
    closed({
      userName: Type.Optional(text(200)),
      firstName: Type.Optional(text(200)),
      lastName: Type.Optional(text(200)),
      email: Type.Optional(text(200)),
    }),
  ),
  clockSkewSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
  sessionMinutes,
  createUsers,
});
export type Saml2Settings = Static<typeof Saml2Settings>;

export const OidcSettings = closed({
  key: Key,
  loginButtonLabel: text(60),
  issuer: text(2000),
  clientId: text(),
  clientSecret: Type.Optional(text()),
  clientSecretFile: Type.Optional(text()),
  scopes: Type.Optional(Type.Array(text(100), { maxItems: 20 })),
  /** Claim with the user name; sub if absent. */
  userNameClaim: Type.Optional(text(100)),
  /** True to log out of the provider too when a person logs out here. */
  logOutAtProvider: Type.Optional(Type.Boolean()),
  sessionMinutes,
  createUsers,
});
export type OidcSettings = Static<typeof OidcSettings>;

const SignInSourcesSchema = closed({
  allowLocalUsers: Type.Optional(Type.Boolean()),
  /** Provider to which visitors are redirected immediately: 'saml2:KEY' or 'oidc:KEY'. */
  redirectTo: Type.Optional(Type.String({ pattern: '^(saml2|oidc):' })),
  directories: Type.Optional(Type.Array(DirectorySettings, { maxItems: 20 })),
  saml2: Type.Optional(Type.Array(Saml2Settings, { maxItems: 20 })),
  oidc: Type.Optional(Type.Array(OidcSettings, { maxItems: 20 })),
});

export interface SignInSources {
  allowLocalUsers: boolean;
  redirectTo: string | null;
  directories: DirectorySettings[];
  saml2: Saml2Settings[];
  oidc: OidcSettings[];
  /** Reads a file named in the settings, relative to the settings file. Throws a StartError if it cannot be read. */
  readFile(path: string): string;
}

const LOCAL_USERS_ONLY: SignInSources = sourcesOf({}, '.');

/**
 * Reads and checks the file; '' for only local users. Throws one StartError that lists all problems, without secrets.
 */
export function loadSignInSources(path: string): SignInSources {
  if (path === '') return LOCAL_USERS_ONLY;
  return checkSignInSources(parse(path), dirname(resolve(path)), path);
}

export function checkSignInSources(content: unknown, folder: string, name = 'the sign-in file'): SignInSources {
  const problems = Value.Errors(SignInSourcesSchema, content).map(
    ({ instancePath, message }) => `${instancePath === '' ? 'it' : instancePath.slice(1)} ${message}`,
  );
  if (problems.length > 0) throw new StartError(`${name} is wrong: ${problems.join('; ')}`);
  const sources = sourcesOf(content as Static<typeof SignInSourcesSchema>, folder);
  const clashes = [...keyProblems(sources), ...directoryProblems(sources), ...addressProblems(sources)];
  if (clashes.length > 0) throw new StartError(`${name} is wrong: ${clashes.join('; ')}`);
  return sources;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    // The parser quotes what it could not read, which may be a secret.
    const reason = cause instanceof SyntaxError ? 'is not JSON' : `cannot be read: ${(cause as Error).message}`;
    throw new StartError(`RUNSHEET_SIGN_IN_FILE names the file ${path}, which ${reason}`);
  }
}

function sourcesOf(settings: Static<typeof SignInSourcesSchema>, folder: string): SignInSources {
  const { allowLocalUsers = true, redirectTo = null, directories = [], saml2 = [], oidc = [] } = settings;
  return { allowLocalUsers, redirectTo, directories, saml2, oidc, readFile: (path) => readText(resolve(folder, path)) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartError(`the sign-in file names the file ${path}, which cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function keyProblems({ directories, saml2, oidc, redirectTo, allowLocalUsers }: SignInSources): string[] {
  const problems: string[] = [];
  for (const [name, entries] of Object.entries({ directories, saml2, oidc })) {
    const keys = entries.map(({ key }) => key.toLowerCase());
    if (new Set(keys).size < keys.length) problems.push(`two entries of ${name} have the same key`);
  }
  const providers = [...saml2.map(({ key }) => `saml2:${key}`), ...oidc.map(({ key }) => `oidc:${key}`)];
  if (redirectTo !== null && !providers.includes(redirectTo))
    problems.push(`redirectTo does not name a provider of the file`);
  if (!allowLocalUsers && directories.length + providers.length === 0) problems.push('nobody could sign in');
  return problems;
}

function directoryProblems({ directories }: SignInSources): string[] {
  return directories.flatMap(({ key, urls, startTls = false, bindPassword, bindPasswordFile }) => {
    const problems: string[] = [];
    if ((bindPassword === undefined) === (bindPasswordFile === undefined))
      problems.push(`the directory ${key} needs either bindPassword or bindPasswordFile`);
    for (const url of urls) {
      if (!URL.canParse(url)) problems.push(`the directory ${key}: ${url} is not a URL`);
      else if (url.startsWith('ldaps:') && startTls)
        problems.push(`the directory ${key}: startTls is only for ldap://`);
      else if (url.startsWith('ldap:') && !startTls)
        problems.push(`the directory ${key} would receive passwords unencrypted: use ldaps://, or startTls`);
    }
    return problems;
  });
}

function addressProblems({ saml2, oidc }: SignInSources): string[] {
  const problems = oidc.flatMap(({ key, issuer, clientSecret, clientSecretFile }) => [
    ...(isSafe(issuer) ? [] : [`the provider oidc:${key}: issuer must be an https:// address`]),
    ...((clientSecret === undefined) === (clientSecretFile === undefined)
      ? [`the provider oidc:${key} needs either clientSecret or clientSecretFile`]
      : []),
  ]);
  for (const { key, signInUrl, logoutUrl } of saml2) {
    for (const url of [signInUrl, logoutUrl ?? signInUrl]) {
      if (!isSafe(url)) problems.push(`the provider saml2:${key}: its addresses must begin with https://`);
    }
  }
  return problems;
}

/** Plain http is allowed only on this machine, for trials. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
}

export function isThisMachine(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
