import type { Holder } from '#server/base/person.ts';
import type { Logger } from 'pino';
import { createApp, type App } from './app.ts';
import { publicAddress } from '#server/config/public-address.ts';
import type { Config } from '#server/config/config-schema.ts';
import { createConnections } from '#server/connections/connections.ts';
import type { Database } from '#server/db/database.ts';
import { findInstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import { runProcedure } from '#server/executors/procedure/procedure-executor.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { createApprovalMailer } from '#server/features/approvals/approval-mailer.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { publishWorkflow } from '#server/features/samples/publish-workflow.ts';
import { personOf } from '#server/features/schedules/schedule-starter.ts';
import { publishSamples, type SamplesDeps } from '#server/features/samples/publish-samples.ts';
import { publishProcedures } from '#server/features/samples/publish-procedures.ts';
import { publishTableViews } from '#server/features/samples/publish-table-views.ts';
import { ADMINISTRATOR_NAME, ensureAdministrator } from '#server/features/users/administrator.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import { openFileStore } from '#server/files/open-file-store.ts';
import { forwardSecurityLog } from './forward-security-log.ts';
import { createRunSignals } from '#server/jobs/queue/run-signals.ts';
import { createRunProcedures, type RunProcedures } from '#server/jobs/procedures/run-procedures.ts';
import { createScheduler } from '#server/jobs/schedules/scheduler.ts';
import { calculationThreads, JOBS_STOP_LIMIT_MS, reapInterval, startJobs } from '#server/jobs/worker/start-jobs.ts';
import { runHolder } from '#server/jobs/steps/run-holder.ts';
import { createRunSteps } from '#server/jobs/steps/run-steps.ts';
import { createPdfConverter, findPdfProgram } from '#server/pdf/pdf-converter.ts';
import { warnOfVisibleFolders } from './warn-of-visible-folders.ts';
import { startHousekeeping } from './housekeeping.ts';
import { CALL_GRACE_MS, closeHttp, listen } from './listen.ts';
import { openDatabase } from './open-database.ts';
import { openSampleDatabase, SAMPLE_CONNECTION } from './sample-database.ts';
import { createRunningParts, type RunningParts } from './running-parts.ts';
import { loadSecretKey } from '#server/config/secret-key.ts';

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

const MB = 1024 * 1024;
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
  const { database, embedded } = await openDatabase(options, parts);
  const sampleDatabase = await openSampleDatabase(config, embedded, log);
  const opened = await openFileStore(config);
  const fileStore = opened.store;
  parts.add('file store', () => Promise.resolve(opened.close()));

  const hidden = [config.dataDir];
  const office = findOffice(config.libreOffice, log);
  const executor = createWorkbookExecutor({
    office: office && { ...office, hidden },
    threads: calculationThreads(config),
    memoryBytes: config.threadMemoryMb * MB,
  });
  parts.add('executor', () => executor.close());
  const named = { ...config.connections, ...sampleDatabase?.connections };
  const connections = createConnections(named, { timeZone: config.timeZone, log });
  parts.add('connections', () => connections.close());
  void connections.warnOfWritingLogins();
  const signals = createRunSignals(database, log);
  parts.add('signals', () => signals.close());
  const told = await signals.open();
  const pdfProgram = config.libreOffice === 'off' ? null : await findPdfProgram();
  if (office !== null || pdfProgram !== null) warnOfVisibleFolders(log, hidden);
  const canMakePdf = pdfProgram !== null;
  const secretKey = await loadSecretKey(config);
  const base = { config, log, secretKey, database, fileStore };
  const app = await createApp({ ...base, executor, connections, signals, canMakePdf });
  const { versions, publishing, chains } = app.portal;
  await firstStart(database, app, options);
  if (config.samples) await addSamples({ database, publishing, files: fileStore, log }, app);
  parts.add('housekeeping', startHousekeeping(app, { database, fileStore, log }));
  const forwarder = forwardSecurityLog(config, database, log);
  if (forwarder) parts.add('security log', () => forwarder.stop(), SYSLOG_STOP_LIMIT_MS);
  const mails = { database, mail: app.mail, log, title: config.title, address: publicAddress(config) };
  parts.add('mails of approvals', createApprovalMailer(mails).start());
  parts.add('chains', chains.start(config.role === 'api' ? null : reapInterval(config)));
  if (config.role !== 'api') {
    const isLicensed = () => app.license.allowsRuns();
    const steps = createRunSteps({
      database,
      mail: app.mail,
      mailDomains: config.mailDomains,
      pdf: pdfProgram === null ? null : createPdfConverter(pdfProgram, { hidden }),
      connections: app.connections,
      folders: app.portal.folders,
      findHolder: (userId) => findHolder(app.users, userId),
    });
    const procedures = procedureRuns(database, app);
    const job = { database, versions, files: fileStore, executor, steps, procedures, log, isLicensed };
    parts.add('jobs', startJobs(job, signals, config, { told }), JOBS_STOP_LIMIT_MS);
    addScheduler(parts, app, { database, timeZone: config.timeZone, log, signals });
  }
  executor.prepare(config.role !== 'worker');
  if (config.role === 'worker') return null;
  parts.add('http', () => closeHttp(app), CALL_GRACE_MS + 1_000);
  const address = await listen(app, config);
  // After the portal answers, so that nobody waits for it.
  sampleDatabase?.fillInBackground(parts, (signal) => addDatabaseSamples(database, app, log, signal));
  return address;
}

function findOffice(configured: string, log: Logger): ReturnType<typeof findInstalledOffice> {
  const office = findInstalledOffice(configured);
  if (office) log.info(`LibreOffice ${office.version} is there as a second engine: ${office.program}`);
  else if (!['', 'off'].includes(configured))
    log.warn(`There is no LibreOffice at ${configured}: activities that are calculated with it cannot run`);
  return office;
}

function addScheduler(
  parts: RunningParts,
  { portal }: App,
  deps: Omit<Parameters<typeof createScheduler>[0], 'starter' | 'chainStarter'>,
): void {
  const { scheduleStarter: starter, chainScheduleStarter: chainStarter } = portal;
  const scheduler = createScheduler({ ...deps, starter, chainStarter });
  scheduler.start();
  parts.add('scheduler', () => scheduler.stop());
}

function procedureRuns(database: Database, { connections, users }: App): RunProcedures {
  const holderOf = (runId: number) => runHolder(database, runId, (userId) => findHolder(users, userId));
  return createRunProcedures({ connections, holderOf, execute: runProcedure });
}

/** The person as whom a run is carried out: none any more where the user was disabled. */
async function findHolder(users: UsersService, userId: number): Promise<Holder | undefined> {
  const user = await users.findById(userId);
  return user?.Enabled ? { UserId: user.UserId, IsUserAdmin: user.IsUserAdmin, fromInternet: false } : undefined;
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

/** What shows the sample database, once it is there. */
async function addDatabaseSamples(
  database: Database,
  { users, portal }: App,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const person = await users.findByName(ADMINISTRATOR_NAME);
  if (!person) return;
  const views = await publishTableViews({ database, ...portal }, { person, connection: SAMPLE_CONNECTION, signal });
  const activities = await publishProcedures({ database, ...portal }, person, signal);
  if (views.length + activities.length > 0) log.info({ views, activities }, 'published what shows the sample database');
}

/** As if the administrator had uploaded them; that they cannot be added keeps nobody from working. */
async function addSamples(deps: SamplesDeps, { users, portal }: App): Promise<void> {
  const administrator = await users.findByName(ADMINISTRATOR_NAME);
  if (!administrator) return;
  try {
    const published = await publishSamples(deps, administrator);
    if (published.length > 0) deps.log.info({ activities: published }, 'published the sample activities');
    const workflow = await publishWorkflow({ ...deps, ...portal }, personOf(administrator));
    if (workflow !== null) deps.log.info({ workflow }, 'made the sample workflow');
  } catch (err) {
    deps.log.warn({ err }, 'the sample activities could not be published');
  }
}
