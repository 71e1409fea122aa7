/** Composes the parts that execute runs and start scheduled ones. */
import type { Logger } from 'pino';
import type { Holder } from '#server/base/person.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { Database } from '#server/db/database.ts';
import type { WorkProbe } from '#server/db/work-probes.ts';
import type { ServerState } from '#server/base/server-state.ts';
import type { Executor } from '#server/executors/executor.ts';
import { runProcedure } from '#server/executors/procedure/procedure-executor.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createDeltaBases, type DeltaBases } from '#server/files/deltas.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { createRunProcedures, type RunProcedures } from '#server/queue/procedures/run-procedures.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { createTriggerEngine } from '#server/automation/triggers/trigger-engine.ts';
import { createScheduler, type SchedulerDeps } from '#server/automation/schedules/scheduler.ts';
import { runHolder } from '#server/queue/steps/run-holder.ts';
import { createRunSteps } from '#server/queue/steps/run-steps.ts';
import type { JobContext } from '#server/queue/worker/end-run.ts';
import { JOBS_STOP_LIMIT_MS, startJobs } from '#server/queue/worker/start-jobs.ts';
import { createPdfConverter } from '#server/pdf/pdf-converter.ts';
import type { App } from './app.ts';
import type { ServerWorkProbes } from './work-probes.ts';
import type { RunningParts } from '#server/background/running-parts.ts';

export interface WorkerDeps extends Pick<JobContext, 'mayTake' | 'onEnded'> {
  config: Config;
  log: Logger;
  database: Database;
  fileStore: FileStore;
  executor: Executor;
  signals: RunSignals;
  /** True if the database sends notifications of new runs. */
  hasNotifications: boolean;
  workProbes: Pick<ServerWorkProbes, 'runs' | 'schedules' | 'triggers'>;
  /** The program that creates PDF files for Export steps; null if none was found. */
  pdfProgram: string | null;
  state: Pick<ServerState, 'otherVersions'>;
  /** Returns true while schedules must wait. */
  isPaused: () => boolean;
  /** Folders hidden from programs that the portal starts. */
  hidden: readonly string[];
}

export function startWorkers(parts: RunningParts, app: App, deps: WorkerDeps): void {
  const { config, log, database, executor, signals, workProbes, pdfProgram, hidden, mayTake, onEnded } = deps;
  const { versions, findStartable, folders } = app.portal;
  const steps = createRunSteps({
    database,
    mail: app.mail,
    mailDomains: config.mailDomains,
    pdf: pdfProgram === null ? null : createPdfConverter(pdfProgram, { hidden }),
    connections: app.connections,
    folders,
    findHolder: (userId) => findHolder(app.users, userId),
    findStartable,
  });
  const procedures = procedureRuns(database, app);
  const watch = { log, isLicensed: () => app.license.allowsRuns(), mayTake, onEnded };
  const files = deps.fileStore;
  const job = { database, versions, files, deltaBases: deltaBasesOf(deps), executor, steps, procedures, ...watch };
  parts.add(
    'jobs',
    startJobs(job, signals, config, { hasNotifications: deps.hasNotifications, hasPendingWork: workProbes.runs }),
    JOBS_STOP_LIMIT_MS,
  );
  const scheduled = { database, timeZone: config.timeZone, log, signals, isPaused: deps.isPaused };
  addScheduler(parts, app, { ...scheduled, hasPendingWork: workProbes.schedules }, workProbes.triggers);
}

/** The previous version cannot read files stored as deltas, so none are created while one of its servers is running. */
function deltaBasesOf({ fileStore, state }: WorkerDeps): DeltaBases {
  const bases = createDeltaBases(fileStore);
  return async (file) => (state.otherVersions.length > 0 ? null : bases(file));
}

function addScheduler(
  parts: RunningParts,
  { portal }: App,
  deps: Omit<SchedulerDeps, 'starter' | 'workflowStarter'>,
  hasPendingWork: WorkProbe,
): void {
  const { scheduleStarter: starter, workflowScheduleStarter: workflowStarter } = portal;
  const scheduler = createScheduler({ ...deps, starter, workflowStarter });
  scheduler.start();
  parts.add('scheduler', () => scheduler.stop());
  const { signals, isPaused } = deps;
  const triggers = createTriggerEngine({ ...portal.triggerContext, signals, isPaused, hasPendingWork });
  triggers.start();
  parts.add('triggers', () => triggers.stop());
}

function procedureRuns(database: Database, { connections, users }: App): RunProcedures {
  const holderOf = (runId: number) => runHolder(database, runId, (userId) => findHolder(users, userId));
  return createRunProcedures({ connections, holderOf, execute: runProcedure });
}

/** Returns the person on whose behalf a run executes; undefined if the user was disabled. */
async function findHolder(users: UsersService, userId: number): Promise<Holder | undefined> {
  const user = await users.findById(userId);
  return user?.Enabled ? { UserId: user.UserId, IsUserAdmin: user.IsUserAdmin, fromInternet: false } : undefined;
}
