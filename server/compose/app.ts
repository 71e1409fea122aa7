import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createActivityAccess } from '#server/access/activity-access.ts';
import { createChecklistAccess } from '#server/access/checklist-access.ts';
import { createChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import { createRightsService } from '#server/access/rights/rights-service.ts';
import { createRunAccess } from '#server/access/run-access.ts';
import { createSharingAccess } from '#server/access/sharing-access.ts';
import { createFailedAttempts } from '#server/access/sign-in/failed-attempts.ts';
import { createNetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import { createPasswordPolicy, type PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import { createSignInDelays } from '#server/access/sign-in/sign-in-delays.ts';
import { newServerState } from '#server/base/server-state.ts';
import { VERSION } from '#server/base/version.ts';
import type { Config } from '#server/config/config-schema.ts';
import { publicAddress } from '#server/config/public-address.ts';
import { loadSignInSources } from '#server/config/sign-in-sources.ts';
import { createConnectionAccess, type ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Connections } from '#server/connections/types.ts';
import { outageOf } from '#server/db/outage.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { CallLimits, Core } from '#server/features/core.ts';
import { createStaticFolders } from '#server/folders/static-folders.ts';
import { createHttpServer, type HttpOptions } from '#server/http/http-server.ts';
import { createMailSender } from '#server/mail/mail-sender.ts';
import { createRowWorkbookBuilder } from '#server/sheets/row-workbook-builder.ts';
import { createTableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import { MODULES, type Parts } from './modules.ts';

type Given = 'config' | 'database' | 'fileStore' | 'executor' | 'signals' | 'secretKey' | 'codeAttempts';

/** What the API needs; by default, mail, directories and identity providers are as configured. */
export interface AppDeps extends Pick<Core, Given>, Partial<Pick<Core, 'mail' | 'state'>> {
  /** The databases that workbooks may use. */
  connections: Connections;
  log: Logger;
  /** Folder of the built renderer; the default one if absent. */
  rendererFolder?: string;
  /** Limits that differ from those of the settings. */
  limits?: Partial<CallLimits>;
  /** Directories and identity providers; if absent, those of the file named in the settings. */
  signInSources?: Core['sources'];
  /** True if Export steps can create PDF files. */
  canMakePdf?: boolean;
  /** Called for every answered call. */
  onAnswered?: HttpOptions['onAnswered'];
  /** For tests that must not wait. */
  signInDelays?: Core['delays'];
}

/** Limits for each public call, and for starts and uploads of visitors. */
const PUBLIC_LIMITS = { publicCalls: 300, publicStarts: 20 };
const RENDERER_FOLDER = fileURLToPath(new URL('../../build/out/renderer', import.meta.url));
const MB = 1024 * 1024;

export interface App extends Parts {
  http: FastifyInstance;
}

/** Creates the API from the modules of all features. Does not listen yet. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, database } = deps;
  const parts = MODULES.create(createCore(deps));
  const http = await createHttpServer({
    log: deps.log,
    pageSettings: parts.appearance.settings,
    frameOrigins: parts.frameOrigins,
    guard: parts.callers.guard,
    outageOf: (error) => outageOf(database.dialect, error),
    version: VERSION,
    basePath: config.basePath,
    trustedProxies: config.trustedProxies,
    secure: config.publicUrl.startsWith('https:'),
    maxUploadBytes: parts.maxUploadBytes,
    callsPerMinute: parts.limits.calls,
    rendererFolder: deps.rendererFolder ?? RENDERER_FOLDER,
    onAnswered: deps.onAnswered,
  });
  MODULES.register(http, parts);
  return { ...parts, http };
}

function createCore(deps: AppDeps): Core {
  const { config, database, canMakePdf: pdf = false } = deps;
  const { callsPerMinute: calls, signInsPerMinute: signIns, timeZone, editorsMayShare } = config;
  const limits: CallLimits = { calls, signIns, ...PUBLIC_LIMITS, ...deps.limits };
  const maxUploadBytes = config.maxUploadMb * MB;
  const rights = createRightsService(database);
  const access = createActivityAccess(rights);
  const checklistAccess = createChecklistAccess(rights, access);
  const connections = createConnectionAccess(deps.connections, rights);
  const mail = deps.mail ?? createMailSender(config);
  const folders = createStaticFolders(config.staticFolders, maxUploadBytes);
  const failures = createFailedAttempts(database);
  const { fileStore, executor, signals, secretKey, log, codeAttempts } = deps;
  return {
    config,
    timeZone,
    address: publicAddress(config),
    limits,
    maxUploadBytes,
    log,
    state: deps.state ?? newServerState(),
    database,
    fileStore,
    secretKey,
    executor,
    signals,
    mail,
    folders,
    workbooks: createTableWorkbookBuilder(),
    buildRows: createRowWorkbookBuilder(),
    connections,
    connectionNames: deps.connections.names,
    capabilitiesFor: capabilitiesWith(connections, { mail: mail.isConfigured, pdf }),
    versions: createVersionCatalog(database.knex, { folders: folders.names }),
    rights,
    access,
    runAccess: createRunAccess(rights, access),
    checklistAccess,
    checklistRunAccess: createChecklistRunAccess(database, rights, checklistAccess),
    sharingAccess: createSharingAccess({ rights, access, editorsMayShare }),
    sources: deps.signInSources ?? loadSignInSources(config.signInFile),
    policy: passwordPolicyOf(config),
    networkPolicy: createNetworkPolicy(rights, config.trustedNetworks),
    failures,
    delays: deps.signInDelays ?? createSignInDelays(failures, { signInsPerMinute: limits.signIns }),
    codeAttempts,
  };
}

function passwordPolicyOf(config: Config): PasswordPolicy {
  const { passwordMinLength: minimum, passwordMaxLength: maximum, passwordComposition: composition } = config;
  return createPasswordPolicy({
    limits: { minimum, maximum, composition },
    refusesGuessable: config.refuseGuessablePasswords,
    names: ['Runsheet', config.title],
  });
}

/**
 * What a workbook's definition may know about connections is plain data, because functions cannot be passed to a
 * thread.
 */
const capabilitiesWith =
  (connections: ConnectionAccess, server: Pick<StepCapabilities, 'mail' | 'pdf'>): Core['capabilitiesFor'] =>
  async (person) => {
    const usable = await connections.list(person);
    return { ...server, connections: usable.map(({ name, kind, allowWrites }) => ({ name, kind, allowWrites })) };
  };
