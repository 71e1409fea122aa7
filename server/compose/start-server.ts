import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { newServerState, type ServerState } from '#server/base/server-state.ts';
import type { Logger } from 'pino';
import { createApp, type App } from './app.ts';
import type { Config } from '#server/config/config-schema.ts';
import { createConnections } from '#server/connections/connections.ts';
import { findInstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { samplesModule } from '#server/features/samples/samples-module.ts';
import { withHeldDeletes } from '#server/files/held-deletes.ts';
import { withDeltas } from '#server/files/deltas.ts';
import { openFileStore } from '#server/files/open-file-store.ts';
import { withClearFaults } from '#server/files/store-faults.ts';
import { createRunSignals } from '#server/queue/run-signals.ts';
import { calculationThreads, reapInterval } from '#server/queue/worker/start-jobs.ts';
import { findPdfProgram } from '#server/pdf/pdf-converter.ts';
import { watchFileStore } from '#server/files/watch-file-store.ts';
import { warnOfVisibleFolders } from '#server/executors/libreoffice/warn-of-visible-folders.ts';
import { startHousekeeping } from './housekeeping.ts';
import { hiddenPaths } from '#server/config/hidden-paths.ts';
import { createMetrics, startMonitoring } from '#server/operations/monitoring/start-monitoring.ts';
import { CALL_GRACE_MS, closeHttp, listen } from '#server/http/listen.ts';
import { createServerWorkProbes, type ServerWorkProbes } from './work-probes.ts';
import { openDatabase } from '#server/operations/open-database.ts';
import { startHeartbeat } from '#server/operations/heartbeat.ts';
import { startTracing } from '#server/operations/tracing/start-tracing.ts';
import { startWorkers, type WorkerDeps } from './start-workers.ts';
import { createRunningParts, type RunningParts } from '#server/background/running-parts.ts';
import { loadSecretKey } from '#server/config/secret-key.ts';

export interface RunningServer {
  /** Address for people; null for a worker. */
  address: string | null;
  /** Stops cleanly: no new calls, runs returned or finished, database closed. */
  stop(): Promise<void>;
}

export interface StartOptions {
  config: Config;
  log: Logger;
  /** Called once, when the administrator was created; with the password if it was generated here. */
  onAdministrator(generatedPassword: string | null): void;
  /** True (the default) to start calculation threads before the first run needs one. */
  startsThreadsAhead?: boolean;
}

const MB = 1024 * 1024;
/** How long the receiver of the security log may take to respond before a batch is given up. */
const SYSLOG_STOP_LIMIT_MS = 6_000;
/** Long enough to finish sending a mail. */
const DELIVERIES_STOP_LIMIT_MS = 15_000;

/**
 * Starts database, tables, administrator and schemas, then the API, the worker, or both. Throws a StartError for
 * problems that an operator must fix.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const parts = createRunningParts(options.log);
  try {
    await startTracing(parts, options.config, options.log);
    const state = newServerState();
    const address = await startParts(options, parts, state);
    return { address, stop: () => drainAndStop(options, parts, state) };
  } catch (error) {
    await parts.stopAll();
    throw error;
  }
}

/** Gives load balancers and other servers time to notice that this server is about to stop. */
async function drainAndStop({ config, log }: StartOptions, parts: RunningParts, state: ServerState): Promise<void> {
  state.isStopping = true;
  state.isDraining = true;
  if (config.drainSeconds > 0)
    log.info({ seconds: config.drainSeconds }, 'no longer ready; stopping after these seconds');
  await pause(config.drainSeconds * 1000);
  await parts.stopAll();
}

async function startParts(options: StartOptions, parts: RunningParts, state: ServerState): Promise<string | null> {
  const { config, log } = options;
  const { database, embedded } = await openDatabase(options, parts);
  const sampleDatabase = await samplesModule.openDatabase(config, embedded, log);
  const opened = await openFileStore(config, database);
  const fileStore = withDeltas(withHeldDeletes(withClearFaults(opened.store, log), database), database);
  parts.add('file store', () => Promise.resolve(opened.close()));

  const hidden = hiddenPaths(config);
  const office = findOffice(config.libreOffice, log);
  const executor = createWorkbookExecutor({
    office: office && { ...office, hidden },
    threads: calculationThreads(config),
    evaluateThreads: config.evaluateThreads || Math.max(1, Math.floor(availableParallelism() / 2)),
    memoryBytes: config.threadMemoryMb * MB,
  });
  parts.add('executor', () => executor.close());
  const named = { ...config.connections, ...sampleDatabase?.connections };
  const connections = createConnections(named, { timeZone: config.timeZone, log });
  parts.add('connections', () => connections.close());
  void connections.warnOfWritingLogins();
  const signals = createRunSignals(database, log);
  parts.add('signals', () => signals.close());
  const hasNotifications = await signals.open();
  const pdfProgram = config.libreOffice === 'off' ? null : await findPdfProgram();
  if (office !== null || pdfProgram !== null) warnOfVisibleFolders(log, [config.dataDir]);
  const secretKey = await loadSecretKey(config);
  const base = { config, log, secretKey, database, fileStore };
  const metrics = createMetrics(config, database);
  const app = await createApp({
    ...base,
    executor,
    connections,
    signals,
    canMakePdf: pdfProgram !== null,
    state,
    onAnswered: metrics?.onAnswered,
  });
  const workProbes = createServerWorkProbes(database);
  await firstStart(app, options);
  parts.add('heartbeat', await startHeartbeat({ ...app, executor }));
  if (config.samples) await samplesModule.add(app);
  parts.add('housekeeping', startHousekeeping(app));
  const forwarder = app.forwardSecurityLog();
  if (forwarder) parts.add('security log', () => forwarder.stop(), SYSLOG_STOP_LIMIT_MS);
  startWorkflowEngines(parts, app, workProbes);
  parts.add('deliveries', startDeliveries(app, workProbes), DELIVERIES_STOP_LIMIT_MS);
  if (config.role !== 'api') {
    const { onEnded } = metrics ?? {};
    await startWork(parts, app, { hasNotifications, workProbes, pdfProgram, hidden, onEnded });
  }
  await startMonitoring(parts, metrics, { ...base, state, executor });
  if (options.startsThreadsAhead ?? true) executor.prepare(config.role !== 'worker');
  if (config.role === 'worker') return null;
  parts.add('http', () => closeHttp(app), CALL_GRACE_MS + 1_000);
  const address = await listen(app, config);
  // After the portal answers calls, so nobody has to wait for it.
  sampleDatabase?.fillInBackground(parts, (signal) => samplesModule.addForDatabase(app, signal));
  return address;
}

/**
 * Starts the workers. A server that is drained, or whose file store is unavailable, takes no runs. It does not start
 * due schedules either, nor during maintenance.
 */
async function startWork(parts: RunningParts, app: App, deps: Omit<WorkerDeps, 'mayTake' | 'isPaused'>): Promise<void> {
  const { fileStore, state } = app;
  parts.add('watch of the file store', await watchFileStore(fileStore, state));
  const mayTake = (): boolean => !state.isDraining && !state.isFileStoreAway;
  startWorkers(parts, app, { ...deps, mayTake, isPaused: () => state.maintenance !== null || !mayTake() });
}

function findOffice(configured: string, log: Logger): ReturnType<typeof findInstalledOffice> {
  const office = findInstalledOffice(configured);
  if (office) log.info(`LibreOffice ${office.version} is there as a second engine: ${office.program}`);
  else if (!['', 'off'].includes(configured))
    log.warn(`There is no LibreOffice at ${configured}: activities that are calculated with it cannot run`);
  return office;
}

/** Also on servers that execute no runs: decisions and starts that people make there let other steps begin. */
function startWorkflowEngines(parts: RunningParts, app: App, workProbes: ServerWorkProbes): void {
  const { config, approvalMailer, workflowEngine, childRuns } = app;
  parts.add('mails of approvals', approvalMailer.start(workProbes.approvalMails));
  const sweepMs = config.role === 'api' ? null : reapInterval(config);
  parts.add('chains', workflowEngine.start(sweepMs, workProbes.chains));
  parts.add('child runs', childRuns.start(sweepMs, workProbes.childRuns));
}

/** Events stop first, because they cause deliveries. */
function startDeliveries({ startEvents, deliveries }: App, workProbes: ServerWorkProbes): () => Promise<void> {
  const stopEvents = startEvents(workProbes.events);
  const stopDeliveries = deliveries.start(workProbes.deliveries);
  return async () => {
    await stopEvents();
    await stopDeliveries();
  };
}

async function firstStart(app: App, options: StartOptions): Promise<void> {
  const { created, generatedPassword } = await app.ensureAdministrator();
  if (created) options.onAdministrator(generatedPassword);
  await app.ensureSchemas();
}
