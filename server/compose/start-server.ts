import type { Holder } from '#server/base/person.ts';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp, type App } from './app.ts';
import type { Config } from '#server/config/config-schema.ts';
import { createConnections } from '#server/connections/connections.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { findInstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { deleteUnneededFiles } from '#server/features/files/files-janitor.ts';
import { sweepFileStore } from '#server/features/files/orphan-sweep.ts';
import { deleteByRetention } from '#server/features/retention/retention-keeper.ts';
import { publishSamples, type SamplesDeps } from '#server/features/samples/publish-samples.ts';
import { deleteOldAttempts } from '#server/features/sessions/failed-attempts.ts';
import { ADMINISTRATOR_NAME, ensureAdministrator } from '#server/features/users/administrator.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { openFileStore } from '#server/files/open-file-store.ts';
import { forwardSecurityLog } from './forward-security-log.ts';
import { createRunSignals } from '#server/jobs/queue/run-signals.ts';
import { createScheduler } from '#server/jobs/schedules/scheduler.ts';
import { calculationThreads, JOBS_STOP_LIMIT_MS, startJobs } from '#server/jobs/worker/start-jobs.ts';
import { createRunSteps } from '#server/jobs/steps/run-steps.ts';
import { createPdfConverter, findPdfProgram } from '#server/pdf/pdf-converter.ts';
import { createRunningParts, type RunningParts } from './running-parts.ts';
import { loadSecretKey } from '#server/config/secret-key.ts';
import { StartError } from '#server/base/start-error.ts';

export interface RunningServer {
  /** Where people reach it; null for a worker. */
  address: string | null;
  /** Ends everything in good order: no new calls, runs handed back or finished, database closed. */
  stop(): Promise<void>;
}

export interface StartOptions {
  config: Config;
  log: Logger;
  /** Told once, when the administrator was made; with the password where it was made up here. */
  onAdministrator(madeUpPassword: string | null): void;
}

const HOUR_MS = 3_600_000;
const MB = 1024 * 1024;
/** Calls still under way after this long are cut off by a stop. */
const CALL_GRACE_MS = 3_000;
/** It writes what it holds in memory to the disk. */
const EMBEDDED_STOP_LIMIT_MS = 8_000;
/** A server that gets the security log may be silent for so long before a batch is given up. */
const SYSLOG_STOP_LIMIT_MS = 6_000;

/** Brings up database, tables, administrator and schemas, then the API, the worker, or both. Throws a StartError for what an operator must mend. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const parts = createRunningParts(options.log);
  try {
    return { address: await startParts(options, parts), stop: () => parts.stopAll() };
  } catch (error) {
    await parts.stopAll();
    throw error;
  }
}

async function startParts(options: StartOptions, parts: RunningParts): Promise<string | null> {
  const { config, log } = options;
  const database = await openDatabase(options, parts);
  const opened = await openFileStore(config);
  const fileStore = opened.store;
  parts.add('file store', () => Promise.resolve(opened.close()));

  const office = findInstalledOffice(config.libreOffice);
  if (office) log.info(`LibreOffice ${office.version} is there as a second engine: ${office.program}`);
  else if (!['', 'off'].includes(config.libreOffice))
    log.warn(`There is no LibreOffice at ${config.libreOffice}: activities that are calculated with it cannot run`);
  const executor = createWorkbookExecutor({
    office,
    threads: calculationThreads(config),
    memoryBytes: config.threadMemoryMb * MB,
  });
  parts.add('executor', () => executor.close());
  const connections = createConnections(config.connections, { timeZone: config.timeZone, log });
  parts.add('connections', () => connections.close());
  void connections.warnOfWritingLogins();
  const signals = createRunSignals(database, log);
  parts.add('signals', () => signals.close());
  const told = await signals.open();
  const pdfProgram = await findPdfProgram();
  const canMakePdf = pdfProgram !== null;
  const secretKey = await loadSecretKey(config);
  const base = { config, log, secretKey, database, fileStore };
  const app = await createApp({ ...base, executor, connections, signals, canMakePdf });
  const { versions, publishing } = app.portal;
  await firstStart(database, app, options);
  if (config.samples) await addSamples({ database, publishing, files: fileStore, log }, app);
  parts.add('housekeeping', keepHouse(app, { database, fileStore, log }));
  const forwarder = forwardSecurityLog(config, database, log);
  if (forwarder) parts.add('security log', () => forwarder.stop(), SYSLOG_STOP_LIMIT_MS);
  if (config.role !== 'api') {
    const isLicensed = () => app.license.allowsRuns();
    const steps = createRunSteps({
      database,
      mail: app.mail,
      mailDomains: config.mailDomains,
      pdf: pdfProgram === null ? null : createPdfConverter(pdfProgram),
      connections: app.connections,
      folders: app.portal.folders,
      findHolder: (userId) => findHolder(app.users, userId),
    });
    const job = { database, versions, files: fileStore, executor, steps, log, isLicensed };
    parts.add('jobs', startJobs(job, signals, config, { told }), JOBS_STOP_LIMIT_MS);
    const { timeZone } = config;
    const scheduler = createScheduler({ database, starter: app.portal.scheduleStarter, timeZone, log, signals });
    scheduler.start();
    parts.add('scheduler', () => scheduler.stop());
  }
  executor.prepare(config.role !== 'worker');
  if (config.role === 'worker') return null;
  parts.add('http', () => closeHttp(app), CALL_GRACE_MS + 1_000);
  return listen(app, config);
}

/** The person as whom a run is carried out: none any more where the user was disabled. */
async function findHolder(users: UsersService, userId: number): Promise<Holder | undefined> {
  const user = await users.findById(userId);
  return user?.Enabled ? { UserId: user.UserId, IsUserAdmin: user.IsUserAdmin, fromInternet: false } : undefined;
}

async function openDatabase({ config, log }: StartOptions, parts: RunningParts): Promise<Database> {
  let url = config.databaseUrl;
  if (url === '') {
    if (config.role !== 'both') {
      throw new StartError(
        `RUNSHEET_ROLE=${config.role} needs a database that servers share: set RUNSHEET_DATABASE_URL`,
      );
    }
    const embedded = await startEmbeddedPostgres(config.dataDir, log);
    parts.add('embedded database', () => embedded.stop(), EMBEDDED_STOP_LIMIT_MS);
    url = embedded.url;
  }
  const database = createDatabase({ url, poolSize: config.databasePoolSize });
  parts.add('database', () => database.close());
  try {
    const migrations = await migrateToLatest(database);
    if (migrations.length > 0) log.info({ migrations }, 'brought the tables up to date');
  } catch (cause) {
    if (database.dialect.classify(cause).fault !== 'connection') throw cause;
    throw new StartError(`the database cannot be reached: ${(cause as Error).message}`, { cause });
  }
  return database;
}

async function firstStart(database: Database, { users }: App, options: StartOptions): Promise<void> {
  const { created, madeUpPassword } = await ensureAdministrator(
    database,
    users,
    options.config.adminPassword || undefined,
  );
  if (created) options.onAdministrator(madeUpPassword);
  await ensureSchemas(database, options.config.schemas);
}

/** As if the administrator had uploaded them; that they cannot be added keeps nobody from working. */
async function addSamples(deps: SamplesDeps, { users }: App): Promise<void> {
  const administrator = await users.findByName(ADMINISTRATOR_NAME);
  if (!administrator) return;
  try {
    const published = await publishSamples(deps, administrator);
    if (published.length > 0) deps.log.info({ activities: published }, 'published the sample activities');
  } catch (err) {
    deps.log.warn({ err }, 'the sample activities could not be published');
  }
}

interface HouseDeps {
  database: Database;
  fileStore: FileStore;
  log: Logger;
}

/** Deletes old sessions, files that nobody needs any more, and what retention periods no longer keep, at once and every hour. */
function keepHouse({ sessions }: App, { database, fileStore, log }: HouseDeps): () => Promise<void> {
  const stopping = new AbortController();
  let working: Promise<void> = Promise.resolve();
  const cleanAll = async (): Promise<void> => {
    await sessions.deleteOld(stopping.signal);
    await deleteOldAttempts(database, stopping.signal);
    await deleteUnneededFiles(database, fileStore, stopping.signal);
    await deleteByRetention({ database, store: fileStore }, stopping.signal);
    const swept = await sweepFileStore(database, fileStore, stopping.signal);
    if (swept > 0) log.info({ files: swept }, 'removed files from the store that nothing refers to');
  };
  const clean = (): void => {
    working = cleanAll().catch((err: unknown) => {
      log.warn({ err }, 'old sessions, files and runs could not be deleted; tried again in an hour');
    });
  };
  clean();
  const timer = setInterval(clean, HOUR_MS);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await working;
  };
}

async function listen({ http }: App, { host, port, basePath }: Config): Promise<string> {
  try {
    await http.listen({ host, port });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new StartError(`port ${port} is taken: set RUNSHEET_PORT to another`, { cause });
    if (code === 'EACCES')
      throw new StartError(`port ${port} may not be used by this user: set RUNSHEET_PORT`, { cause });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`RUNSHEET_HOST ${host} is no address of this machine`, { cause });
    }
    throw cause;
  }
  const [bound] = http.addresses() as AddressInfo[];
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${bound?.port ?? port}${basePath === '/' ? '' : basePath}`;
}

async function closeHttp({ http }: App): Promise<void> {
  const cutOff = setTimeout(() => http.server.closeAllConnections(), CALL_GRACE_MS);
  try {
    await http.close();
  } finally {
    clearTimeout(cutOff);
  }
}
