import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '#server/base/app-error.ts';
import { createAdministration, registerAdministrationRoutes, type Administration } from './administration.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadSignInSources, type SignInSources } from '#server/config/sign-in-sources.ts';
import type { Database } from '#server/db/database.ts';
import { createConnectionAccess, type ConnectionAccess } from '#server/connections/connection-access.ts';
import { connectionKeyValues } from '#server/features/rights/connection-key-values.ts';
import type { Connections } from '#server/connections/types.ts';
import type { Executor } from '#server/executors/executor.ts';
import { registerAddInRoutes } from '#server/features/add-in/add-in-routes.ts';
import { createAddInService, type AddInDeps } from '#server/features/add-in/add-in-service.ts';
import { API_KEY_PREFIX } from '#server/features/api-keys/api-keys-service.ts';
import { createAppearance } from '#server/features/appearance/appearance.ts';
import { registerAppearanceRoutes } from '#server/features/appearance/appearance-routes.ts';
import { registerHealthRoutes } from '#server/features/health/health-routes.ts';
import { registerLicenseRoutes } from '#server/features/license/license-routes.ts';
import { createLicenseService, type LicenseService } from '#server/features/license/license-service.ts';
import { registerPluginsRoutes } from '#server/features/plugins/plugins-routes.ts';
import { createPluginsService, pluginOrigins } from '#server/features/plugins/plugins-service.ts';
import { createRightsService, type RightsService } from '#server/features/rights/rights-service.ts';
import { createCodeAttempts, type CodeAttempts } from '#server/features/second-factor/code-attempts.ts';
import { createFactorKeys } from '#server/features/second-factor/factor-keys.ts';
import { registerSecondFactorRoutes } from '#server/features/second-factor/second-factor-routes.ts';
import { createSecondFactorService } from '#server/features/second-factor/second-factor-service.ts';
import { createDraftKeys } from '#server/features/sessions/draft-keys.ts';
import { createEntrance } from '#server/features/sessions/entrance.ts';
import { createOwnSessionsService } from '#server/features/sessions/own-sessions-service.ts';
import { createPasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import { registerSessionRoutes } from '#server/features/sessions/sessions-routes.ts';
import { createSessionsService, type SessionsService } from '#server/features/sessions/sessions-service.ts';
import { createFailedAttempts } from '#server/features/sessions/failed-attempts.ts';
import { createSignInDelays, type SignInDelays } from '#server/features/sessions/sign-in-delays.ts';
import { createSignInFactor } from '#server/features/sessions/sign-in-factor.ts';
import { createSignInService } from '#server/features/sessions/sign-in-service.ts';
import { bindingOf } from '#server/features/single-sign-on/browser-binding.ts';
import { createPasswordLinks } from '#server/features/users/password-links.ts';
import { registerPasswordResetRoutes } from '#server/features/users/password-reset-routes.ts';
import { createPasswordResetService } from '#server/features/users/password-reset-service.ts';
import { createPasswordPolicy } from '#server/features/users/password-policy.ts';
import { createUsersService, type UsersService } from '#server/features/users/users-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { createStaticFolders } from '#server/folders/static-folders.ts';
import { createMailSender, type MailSender } from '#server/mail/mail-sender.ts';
import { createHttpServer } from '#server/http/http-server.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import type { Person } from '#server/base/person.ts';
import { createPortal, registerPortalRoutes, type Portal } from './portal.ts';
import { publicAddress } from '#server/config/public-address.ts';
import { createSignOn, registerSignOnRoutes } from './sign-on.ts';
import { VERSION } from '#server/base/version.ts';

export interface AppDeps {
  config: Config;
  database: Database;
  fileStore: FileStore;
  executor: Executor;
  /** The databases that workbooks may use. */
  connections: Connections;
  signals: RunSignals;
  log: Logger;
  /** Where the renderer was built; its usual place where absent. */
  rendererFolder?: string;
  /** Others than those of the settings. */
  limits?: Partial<CallLimits>;
  /** Directories and identity providers; those of the file that the settings name where absent. */
  signInSources?: SignInSources;
  /** By default as the configuration says. */
  mail?: MailSender;
  /** Whether Export steps can make PDF files. */
  canMakePdf?: boolean;
  /** Encrypts what the database keeps of secrets. */
  secretKey: string;
  /** For tests that must not wait. */
  signInDelays?: SignInDelays;
  codeAttempts?: CodeAttempts;
}

/** Calls that one address may make in a minute. A whole company may come from one address. */
interface CallLimits {
  calls: number;
  signIns: number;
  /** Each call of visitors, and starts and uploads of theirs. */
  publicCalls: number;
  publicStarts: number;
}

/** Of each public call, and of starts and uploads of visitors. */
const PUBLIC_LIMITS = { publicCalls: 300, publicStarts: 20 };
const RENDERER_FOLDER = fileURLToPath(new URL('../../build/out/renderer', import.meta.url));
const MB = 1024 * 1024;

export interface App {
  http: FastifyInstance;
  users: UsersService;
  rights: RightsService;
  sessions: SessionsService;
  portal: Portal;
  administration: Administration;
  license: LicenseService;
  connections: ConnectionAccess;
  mail: MailSender;
}

/** The composition root of the API: builds every part and passes it on as argument. Nothing is listened to yet. */
// oxlint-disable-next-line max-lines-per-function -- a list of parts and what each is given, without a branch
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, database, fileStore, executor, signals, log } = deps;
  const { inactivityMinutes } = config;
  const maxUploadBytes = config.maxUploadMb * MB;
  const own = { calls: config.callsPerMinute, signIns: config.signInsPerMinute, ...PUBLIC_LIMITS };
  const limits: CallLimits = { ...own, ...deps.limits };

  const rights = createRightsService(database);
  const connections = createConnectionAccess(deps.connections, rights);
  const mail = deps.mail ?? createMailSender(config);
  const passwordLimits = { minimum: config.passwordMinLength, maximum: config.passwordMaxLength };
  const policy = createPasswordPolicy({
    limits: passwordLimits,
    refusesGuessable: config.refuseGuessablePasswords,
    names: ['Runsheet', config.title],
  });
  const users = createUsersService(database, policy);
  const sessions = createSessionsService({ ...config, database, log });
  const keys = createPasswordKeysService(database);
  const license = createLicenseService({ config, database, keys });
  const entrance = createEntrance(rights, config.trustedNetworks);
  const failures = createFailedAttempts(database);
  const delays = deps.signInDelays ?? createSignInDelays(failures);
  const sources = deps.signInSources ?? loadSignInSources(config.signInFile);
  const profileFromDirectory = config.profileDataFromAd;
  const signOn = createSignOn({ sources, database, log, users, sessions, entrance, profileFromDirectory });
  const { directories, origins } = signOn;
  const { allowLocalUsers } = sources;
  const place = { title: config.title, address: publicAddress(config) };
  const links = createPasswordLinks({ database, mail, log, allowLocalUsers, ...place });
  if (mail.isConfigured && place.address === null) {
    log.info('links to set passwords are not offered: RUNSHEET_PUBLIC_URL is not set');
  }
  const passwordReset = createPasswordResetService({ database, links, keys, policy, sessions, delays });
  const administration = createAdministration({
    config,
    database,
    rights,
    keys,
    policy,
    sessions,
    links,
    origins,
    connections: connectionKeyValues(deps.connections),
  });
  const secondFactor = createSecondFactorService({
    database,
    log,
    users,
    sessions,
    keys: createFactorKeys(database, { secretKey: deps.secretKey, issuer: config.title }),
    attempts: deps.codeAttempts ?? createCodeAttempts(failures),
    required: config.requireSecondFactor,
    raising: administration.raising,
  });
  const factor = createSignInFactor(secondFactor);
  const passwords = { database, log, users, sessions, keys, delays, entrance, directories, allowLocalUsers, factor };
  const signIn = createSignInService(passwords);

  const appearance = createAppearance(config, VERSION);
  const plugins = createPluginsService(config.pluginPages, rights);
  /** As the guard below, but only to look: null for who may not come in (any more). */
  async function recheck({ token, address }: { token: string; address: string }): Promise<Person | null> {
    try {
      const { apiKeys } = administration;
      const person = await (token.startsWith(API_KEY_PREFIX) ? apiKeys.authenticate(token) : sessions.recheck(token));
      return person && (await entrance.admit(person, address));
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return null;
      throw error;
    }
  }

  const http = await createHttpServer({
    log,
    pageSettings: appearance.settings,
    frameOrigins: pluginOrigins(config.pluginPages),
    guard: {
      authenticate: async (token, request) => {
        const { apiKeys } = administration;
        const isKey = token.startsWith(API_KEY_PREFIX);
        const person = await (isKey ? apiKeys.authenticate(token) : sessions.authenticate(token, request));
        return entrance.admit(person, request.address);
      },
      mayCall: (person, access) => rights.mayCall(person, access),
    },
    isOutage: (error) => database.dialect.classify(error).fault === 'connection',
    version: VERSION,
    basePath: config.basePath,
    trustedProxies: config.trustedProxies,
    secure: config.publicUrl.startsWith('https:'),
    maxUploadBytes,
    callsPerMinute: limits.calls,
    rendererFolder: deps.rendererFolder ?? RENDERER_FOLDER,
  });
  registerHealthRoutes(http, database);
  const ssoExpiryOf = (person: Person) => signOn.ssoSessions.expiryOf(person);
  const draftKeyOf = createDraftKeys(deps.secretKey);
  const sso = {
    ssoExpiryOf,
    proveAtProvider: async (person: Person, ott: string, request: FastifyRequest) => {
      await signOn.sso.prove(person, { ott, binding: bindingOf(request) });
    },
    isOfSaml2: (person: Person) => signOn.ssoSessions.isOfSaml2(person),
  };
  const session = { inactivityMinutes, signInsPerMinute: limits.signIns, draftKeyOf, ...sso };
  const ownSessions = createOwnSessionsService(database, config);
  registerSessionRoutes(http, { ...session, signIn, sessions, ownSessions, rights, license, users });
  const { signIns: signInsPerMinute } = limits;
  const shareSso: AddInDeps['shareSso'] = (db, from, to) => signOn.ssoSessions.share(db, from, to);
  const addIn = createAddInService({ database, log, users, sessions, entrance, shareSso });
  registerAddInRoutes(http, addIn, { inactivityMinutes, signInsPerMinute });
  registerAppearanceRoutes(http, appearance);
  registerPluginsRoutes(http, plugins);
  const { settings } = appearance;
  registerSignOnRoutes(http, signOn, { settings, config, signInsPerMinute, allowPasswordReset: links.isOffered });
  registerSecondFactorRoutes(http, { secondFactor, signIn, sessions, signInsPerMinute });
  registerPasswordResetRoutes(http, { passwordReset, users: administration.users, signInsPerMinute });
  http.addHook('onClose', () => links.settle());
  const { timeZone } = config;
  const folders = createStaticFolders(config.staticFolders, maxUploadBytes);
  const portal = createPortal({
    database,
    fileStore,
    executor,
    signals,
    rights,
    recheck,
    users,
    folders,
    timeZone,
    connections,
    log,
    facilities: { mail: mail.isConfigured, pdf: deps.canMakePdf ?? false },
  });
  registerPortalRoutes(http, portal, { fileStore, maxUploadBytes, limits });
  registerLicenseRoutes(http, license);
  registerAdministrationRoutes(http, administration, {
    database,
    rights,
    files: portal.files,
  });

  return { http, users, rights, sessions, portal, administration, license, connections, mail };
}
