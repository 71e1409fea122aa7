import type { FastifyInstance } from 'fastify';
import type { SignInSources } from '#server/config/sign-in-sources.ts';
import type { Appearance } from '#server/features/appearance/appearance-module.ts';
import type { Core } from '#server/features/core.ts';
import type { DirectoriesService } from '#server/features/directories/directories-service.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { ExternalUsersService } from '#server/features/users/external-users-service.ts';
import type { PasswordLinks, UserOrigins } from '#server/features/users/users-module.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createOidcProvider } from './oidc-client.ts';
import { createSaml2Provider, type Saml2Provider } from './saml2-client.ts';
import { createSsoProviders, type SsoProviders } from './sso-providers.ts';
import { registerSsoRoutes } from './sso-routes.ts';
import { createSsoService, type SsoService } from './sso-service.ts';
import { createSsoSessions, type SsoSessions } from './sso-sessions.ts';

export { bindingOf } from './browser-binding.ts';
export type { SsoSessions } from './sso-sessions.ts';

export interface Needs extends Core {
  users: UsersService;
  externalUsers: ExternalUsersService;
  sessions: SessionsService;
  directories: DirectoriesService;
}

export interface RouteNeeds extends Core {
  sso: SsoService;
  ssoSessions: SsoSessions;
  ssoProviders: SsoProviders;
  saml2Providers: readonly Saml2Provider[];
  directories: DirectoriesService;
  passwordLinks: PasswordLinks;
  appearance: Appearance;
}

export const singleSignOnModule = {
  /** Throws a StartError if a file of keys or passwords cannot be read. */
  create: (core: Needs) => {
    const { sources, config, directories } = core;
    const saml2Providers = createSaml2Providers(sources);
    const providers = createSsoProviders([...saml2Providers, ...createOidcProviders(sources)]);
    const deps = { ...core, providers };
    return {
      saml2Providers,
      ssoProviders: providers,
      sso: createSsoService(deps),
      ssoSessions: createSsoSessions(deps),
      origins: userOrigins(directories, providers, config.profileDataFromAd),
    };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { config, sources, directories, passwordLinks, ssoProviders, saml2Providers, appearance, limits } = parts;
    const { basePath, inactivityMinutes } = config;
    const { title, logo1, logo2, versionOnLogo } = appearance.settings;
    registerSsoRoutes(http, {
      ...parts,
      providers: ssoProviders,
      saml2: saml2Providers,
      allowLocalUsers: sources.allowLocalUsers,
      allowPasswordReset: passwordLinks.isOffered,
      allowDirectoryUsers: directories.isUsed,
      redirectTo: sources.redirectTo,
      settings: { title, logo1, logo2, versionOnLogo },
      basePath,
      inactivityMinutes,
      signInsPerMinute: limits.signIns,
    });
  },
};

function createSaml2Providers(sources: SignInSources): Saml2Provider[] {
  const readFile = (path: string): string => sources.readFile(path);
  return sources.saml2.map((settings) =>
    createSaml2Provider(settings, {
      idpCertificates: settings.certificateFiles.map(readFile),
      privateKey: readFile(settings.privateKeyFile),
      ownCertificate: readFile(settings.ownCertificateFile),
    }),
  );
}

const createOidcProviders = (sources: SignInSources): ReturnType<typeof createOidcProvider>[] =>
  sources.oidc.map((settings) => {
    const { clientSecret, clientSecretFile } = settings;
    return createOidcProvider(settings, clientSecret ?? sources.readFile(clientSecretFile!).replace(/\r?\n$/, ''));
  });

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
