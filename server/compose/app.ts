import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { newServerState, type ServerState } from '#server/base/server-state.ts';
import { VERSION } from '#server/base/version.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadSignInSources, type SignInSources } from '#server/config/sign-in-sources.ts';
import { createConnectionAccess, type ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Connections } from '#server/connections/types.ts';
import type { Database } from '#server/db/database.ts';
import { outageOf } from '#server/db/outage.ts';
import type { Executor } from '#server/executors/executor.ts';
import { createAppearance } from '#server/features/appearance/appearance.ts';
import { registerAppearanceRoutes } from '#server/features/appearance/appearance-routes.ts';
import { registerHealthRoutes } from '#server/features/health/health-routes.ts';
import { createLicenseService, type LicenseService } from '#server/features/license/license-service.ts';
import { registerPluginsRoutes } from '#server/features/plugins/plugins-routes.ts';
import { createPluginsService, pluginOrigins } from '#server/features/plugins/plugins-service.ts';
import { connectionKeyValues } from '#server/features/rights/connection-key-values.ts';
import { createRightsService, type RightsService } from '#server/access/rights/rights-service.ts';
import type { CodeAttempts } from '#server/features/second-factor/code-attempts.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { SignInDelays } from '#server/access/sign-in/sign-in-delays.ts';
import type { SystemService } from '#server/features/system/system-service.ts';
import { refuseByState } from '#server/features/system/refuse-by-state.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { createStaticFolders } from '#server/folders/static-folders.ts';
import { createHttpServer, type HttpOptions } from '#server/http/http-server.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { createMailSender, type MailSender } from '#server/mail/mail-sender.ts';
import { createAdministration, registerAdministrationRoutes, type Administration } from './administration.ts';
import { createCallers } from '#server/features/sessions/callers.ts';
import { createIdentity } from './identity.ts';
import { registerInstallation } from './installation.ts';
import { createOutgoing, registerOutgoingRoutes, type Outgoing } from './outgoing.ts';
import { createPortal, registerPortalRoutes, type Portal } from './portal.ts';
import { createSignIn, registerSignInRoutes } from './sign-in.ts';
import { createSignOn, registerSignOnRoutes } from './sign-on.ts';

export interface AppDeps {
  config: Config;
  database: Database;
  fileStore: FileStore;
  executor: Executor;
  /** The databases that workbooks may use. */
  connections: Connections;
  signals: RunSignals;
  log: Logger;
  /** Folder of the built renderer; the default one if absent. */
  rendererFolder?: string;
  /** Limits that differ from those of the settings. */
  limits?: Partial<CallLimits>;
  /** Directories and identity providers; if absent, those of the file named in the settings. */
  signInSources?: SignInSources;
  /** By default as configured. */
  mail?: MailSender;
  /** True if Export steps can create PDF files. */
  canMakePdf?: boolean;
  /** Encrypts secrets in the database. */
  secretKey: string;
  state?: ServerState;
  /** Called for every answered call. */
  onAnswered?: HttpOptions['onAnswered'];
  /** For tests that must not wait. */
  signInDelays?: SignInDelays;
  codeAttempts?: CodeAttempts;
}

/** Calls that one address may make per minute. A whole company may share one address. */
interface CallLimits {
  calls: number;
  signIns: number;
  /** For all calls of visitors, and for their starts and uploads. */
  publicCalls: number;
  publicStarts: number;
}

/** Limits for each public call, and for starts and uploads of visitors. */
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
  system: SystemService;
  outgoing: Outgoing;
}

/** The composition root of the API: builds every part and passes it on as an argument. Does not listen yet. */
// oxlint-disable-next-line max-lines-per-function -- a list of parts and what each is given, without a branch
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, database, fileStore, executor, signals, log, secretKey } = deps;
  const { state = newServerState() } = deps;
  const { timeZone } = config;
  const maxUploadBytes = config.maxUploadMb * MB;
  const own = { calls: config.callsPerMinute, signIns: config.signInsPerMinute, ...PUBLIC_LIMITS };
  const limits: CallLimits = { ...own, ...deps.limits };
  const { signIns: signInsPerMinute } = limits;

  const rights = createRightsService(database);
  const connections = createConnectionAccess(deps.connections, rights);
  const mail = deps.mail ?? createMailSender(config);
  const sources = deps.signInSources ?? loadSignInSources(config.signInFile);
  const { allowLocalUsers } = sources;
  const { signInDelays, codeAttempts } = deps;
  const identity = createIdentity({
    config,
    database,
    log,
    rights,
    mail,
    allowLocalUsers,
    signInDelays,
    signInsPerMinute,
  });
  const { users, sessions } = identity;
  const license = createLicenseService({ config, database, keys: identity.keys });
  const profileFromDirectory = config.profileDataFromAd;
  const signOn = createSignOn({ ...identity, sources, database, log, profileFromDirectory });
  const administration = createAdministration({
    ...identity,
    config,
    database,
    rights,
    origins: signOn.origins,
    connections: connectionKeyValues(deps.connections),
  });
  const signIn = createSignIn({ config, database, log, identity, signOn, administration, secretKey, codeAttempts });
  const callers = createCallers({ ...identity, apiKeys: administration.apiKeys, rights });
  const appearance = createAppearance(config, VERSION);
  const portal = createPortal({
    database,
    fileStore,
    executor,
    signals,
    rights,
    recheck: callers.recheck,
    users,
    folders: createStaticFolders(config.staticFolders, maxUploadBytes),
    timeZone,
    secretKey,
    connections,
    log,
    capabilities: { mail: mail.isConfigured, pdf: deps.canMakePdf ?? false },
    editorsMayShare: config.editorsMayShare,
    evaluateLimits: { rows: config.evaluateRows, seconds: config.evaluateSeconds },
    isLicensed: () => license.allowsRuns(),
  });
  const outgoing = createOutgoing({ config, database, secretKey, log, signals, mail, rights, administration, portal });

  const http = await createHttpServer({
    log,
    pageSettings: appearance.settings,
    frameOrigins: pluginOrigins(config.pluginPages),
    guard: callers.guard,
    outageOf: (error) => outageOf(database.dialect, error),
    version: VERSION,
    basePath: config.basePath,
    trustedProxies: config.trustedProxies,
    secure: config.publicUrl.startsWith('https:'),
    maxUploadBytes,
    callsPerMinute: limits.calls,
    rendererFolder: deps.rendererFolder ?? RENDERER_FOLDER,
    onAnswered: deps.onAnswered,
  });
  refuseByState(http, state, fileStore);
  registerHealthRoutes(http, database, state, fileStore);
  const signInRoutes = { config, identity, signOn, administration, rights, license, secretKey, signInsPerMinute };
  registerSignInRoutes(http, signIn, signInRoutes);
  registerAppearanceRoutes(http, appearance);
  registerPluginsRoutes(http, createPluginsService(config.pluginPages, rights));
  const { settings } = appearance;
  const allowPasswordReset = identity.links.isOffered;
  registerSignOnRoutes(http, signOn, { settings, config, signInsPerMinute, allowPasswordReset });
  registerPortalRoutes(http, portal, { fileStore, maxUploadBytes, limits });
  const { directories } = signOn;
  const installation = { config, database, fileStore, signals, mail, license, sources, directories, state };
  const system = registerInstallation(http, installation);
  registerOutgoingRoutes(http, outgoing);
  registerAdministrationRoutes(http, administration, { config, database, rights, files: portal.files, log });
  return { http, users, rights, sessions, portal, administration, license, connections, mail, system, outgoing };
}
