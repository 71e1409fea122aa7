/** Composes the parts around directories and identity providers. */
import type { FastifyInstance } from 'fastify';
import type { SsoConfig } from '#shared/contract/auth.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { SignInSources } from '#server/config/sign-in-sources.ts';
import type { Database } from '#server/db/database.ts';
import {
  createDirectories,
  createDirectoriesService,
  type DirectoriesService,
} from '#server/features/directories/directories-service.ts';
import type { NetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import { createOidcProvider } from '#server/features/single-sign-on/oidc-client.ts';
import { createSaml2Provider, type Saml2Provider } from '#server/features/single-sign-on/saml2-client.ts';
import { registerSsoRoutes } from '#server/features/single-sign-on/sso-routes.ts';
import { createSsoProviders, type SsoProviders } from '#server/features/single-sign-on/sso-providers.ts';
import { createSsoService, type SsoService } from '#server/features/single-sign-on/sso-service.ts';
import { createSsoSessions, type SsoSessions } from '#server/features/single-sign-on/sso-sessions.ts';
import { createExternalUsersService } from '#server/features/users/external-users-service.ts';
import type { UserOrigins } from '#server/features/users/user-origins.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { Log } from '#server/base/log.ts';
import { publicAddress } from '#server/config/public-address.ts';

export interface SignOnDeps {
  sources: SignInSources;
  database: Database;
  log: Log;
  users: UsersService;
  sessions: SessionsService;
  networkPolicy: NetworkPolicy;
  /** The setting ProfileDataFromAD. */
  profileFromDirectory: boolean;
}

export interface SignOn {
  sources: SignInSources;
  directories: DirectoriesService;
  sso: SsoService;
  ssoSessions: SsoSessions;
  providers: SsoProviders;
  saml2: Saml2Provider[];
  origins: UserOrigins;
}

/** Throws a StartError if a file of keys or passwords cannot be read. */
export function createSignOn(deps: SignOnDeps): SignOn {
  const { sources, database, log, users, sessions, networkPolicy, profileFromDirectory } = deps;
  const readFile = (path: string): string => sources.readFile(path);
  const externalUsers = createExternalUsersService(database, log, { profileFromDirectory });
  const saml2 = sources.saml2.map((settings) =>
    createSaml2Provider(settings, {
      idpCertificates: settings.certificateFiles.map(readFile),
      privateKey: readFile(settings.privateKeyFile),
      ownCertificate: readFile(settings.ownCertificateFile),
    }),
  );
  const oidc = sources.oidc.map((settings) => {
    const { clientSecret, clientSecretFile } = settings;
    return createOidcProvider(settings, clientSecret ?? readFile(clientSecretFile!).replace(/\r?\n$/, ''));
  });
  const providers = createSsoProviders([...saml2, ...oidc]);
  const directories = createDirectoriesService(createDirectories(sources), externalUsers, log);
  return {
    sources,
    directories,
    sso: createSsoService({ database, log, users, externalUsers, sessions, networkPolicy, providers }),
    ssoSessions: createSsoSessions({ database, log, sessions, providers }),
    providers,
    saml2,
    origins: userOrigins(directories, providers, profileFromDirectory),
  };
}

function userOrigins(
  directories: DirectoriesService,
  providers: SsoProviders,
  profileFromDirectory: boolean,
): UserOrigins {
  return {
    sources: [
      ...directories.keys.map((key) => ({ Source: 'AD' as const, SourceName: key, Label: key })),
      ...providers.all.map(({ name, label }) => ({ Source: 'SSO' as const, SourceName: name, Label: label })),
    ],
    profileFromDirectory,
    findInDirectory: async (userName, sourceName) => {
      const found = await directories.find(userName, sourceName);
      if (!found) return null;
      const { SourceName, UserName: SourceUserName, Dn: SourceInfo, FirstName, LastName, Email } = found;
      return { SourceName, SourceUserName, SourceInfo, FirstName, LastName, Email };
    },
  };
}

interface SignOnRoutesDeps {
  config: Config;
  signInsPerMinute: number;
  settings: SsoConfig['Settings'];
  allowPasswordReset: boolean;
}

export function registerSignOnRoutes(
  http: FastifyInstance,
  { sources, directories, origins: _origins, ...parts }: SignOn,
  deps: SignOnRoutesDeps,
): void {
  const { config, signInsPerMinute, settings, allowPasswordReset } = deps;
  const { basePath, inactivityMinutes } = config;
  const { title, logo1, logo2, versionOnLogo } = settings;
  registerSsoRoutes(http, {
    ...parts,
    allowLocalUsers: sources.allowLocalUsers,
    allowPasswordReset,
    allowDirectoryUsers: directories.isUsed,
    redirectTo: sources.redirectTo,
    settings: { title, logo1, logo2, versionOnLogo },
    address: publicAddress(config),
    basePath,
    inactivityMinutes,
    signInsPerMinute,
  });
}
