/** Composes the parts that execute runs and start scheduled ones. */
import type { WorkProbe } from '#server/db/work-probes.ts';
import { runProcedure } from '#server/executors/procedure/procedure-executor.ts';
import { createDeltaBases, type DeltaBases } from '#server/files/deltas.ts';
import { createRunProcedures, type RunProcedures } from '#server/queue/procedures/run-procedures.ts';
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
  /** True if the database sends notifications of new runs. */
  hasNotifications: boolean;
  workProbes: Pick<ServerWorkProbes, 'runs' | 'schedules' | 'triggers'>;
  /** The program that creates PDF files for Export steps; null if none was found. */
  pdfProgram: string | null;
  /** Returns true while schedules must wait. */
  isPaused: () => boolean;
  /** Folders hidden from programs that the portal starts. */
  hidden: readonly string[];
}

export function startWorkers(parts: RunningParts, app: App, deps: WorkerDeps): void {
  const { config, log, database, fileStore: files, executor, signals, versions, findStartable, folders } = app;
  const { workProbes, pdfProgram, hidden, mayTake, onEnded } = deps;
  const steps = createRunSteps({
    database,
    mail: app.mail,
    mailDomains: config.mailDomains,
    pdf: pdfProgram === null ? null : createPdfConverter(pdfProgram, { hidden }),
    connections: app.connections,
    folders,
    findHolder: app.findHolder,
    findStartable,
  });
  const procedures = procedureRuns(app);
  const watch = { log, isLicensed: () => app.license.allowsRuns(), mayTake, onEnded };
  const job = { database, versions, files, deltaBases: deltaBasesOf(app), executor, steps, procedures, ...watch };
  parts.add(
    'jobs',
    startJobs(job, signals, config, { hasNotifications: deps.hasNotifications, hasPendingWork: workProbes.runs }),
    JOBS_STOP_LIMIT_MS,
  );
  const scheduled = { database, timeZone: config.timeZone, log, signals, isPaused: deps.isPaused };
  addScheduler(parts, app, { ...scheduled, hasPendingWork: workProbes.schedules }, workProbes.triggers);
}

/** The previous version cannot read files stored as deltas, so none are created while one of its servers is running. */
function deltaBasesOf({ fileStore, state }: App): DeltaBases {
  const bases = createDeltaBases(fileStore);
  return async (file) => (state.otherVersions.length > 0 ? null : bases(file));
}

function addScheduler(
  parts: RunningParts,
  { scheduleStarter: starter, workflowScheduleStarter: workflowStarter, triggerContext }: App,
  deps: Omit<SchedulerDeps, 'starter' | 'workflowStarter'>,
  hasPendingWork: WorkProbe,
): void {
  const scheduler = createScheduler({ ...deps, starter, workflowStarter });
  scheduler.start();
  parts.add('scheduler', () => scheduler.stop());
  const { signals, isPaused } = deps;
  const triggers = createTriggerEngine({ ...triggerContext, signals, isPaused, hasPendingWork });
  triggers.start();
  parts.add('triggers', () => triggers.stop());
}

function procedureRuns({ database, connections, findHolder }: App): RunProcedures {
  const holderOf = (runId: number) => runHolder(database, runId, findHolder);
  return createRunProcedures({ connections, holderOf, execute: runProcedure });
}
