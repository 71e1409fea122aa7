/** One claimed run from its inputs to its end. */
import type { RunOutcome } from '#server/executors/executor.ts';
import type { ActivityVersion } from '#server/features/activities/version-catalog.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { endRun, type JobContext } from './end-run.ts';
import { RunStopped } from './run-stopped.ts';
import { inputValues, readRunInputs } from './run-inputs.ts';
import { createRunJournal, type RunJournal } from './run-journal.ts';
import { untilReachable } from './until-reachable.ts';
import { removeOutputFiles, storeOutputs } from './run-outputs.ts';
import type { ClaimedRun } from './run-queue.ts';
import { internalError, NOT_LICENSED_LINE, SERVER_STOPPED_LINE } from './run-log-lines.ts';

/** promoted: a run that waited for this one was let into the queue. open: the end could not be written. */
export type JobEnd = 'ended' | 'promoted' | 'open';

export interface RunJob {
  readonly run: ClaimedRun;
  /** Whether the executor has begun; before that the run can be handed back. */
  readonly started: boolean;
  stop(stopped: RunStopped): void;
  /** Settles when nothing of the run is left in this process; never rejects. */
  readonly ended: Promise<JobEnd>;
}

interface Work {
  context: JobContext;
  run: ClaimedRun;
  journal: RunJournal;
  controller: AbortController;
  started: boolean;
}

export function beginRunJob(context: JobContext, run: ClaimedRun): RunJob {
  const { database, worker, journalInterval, log } = context;
  const journal = createRunJournal({ database, worker, run, intervalMs: journalInterval, log });
  const work: Work = { context, run, journal, controller: new AbortController(), started: false };
  return {
    run,
    get started() {
      return work.started;
    },
    stop: (stopped) => work.controller.abort(stopped),
    ended: carryOut(work).catch((err: unknown) => {
      log.error({ err, run: run.Id }, 'a run could not be ended');
      return 'open' as const;
    }),
  };
}

async function carryOut(work: Work): Promise<JobEnd> {
  const { run, context, journal } = work;
  let done: { version: ActivityVersion; outcome: RunOutcome };
  try {
    done = await execute(work);
  } catch (error) {
    return endUnfinished(work, error);
  }
  const { outcome, version } = done;
  let stored: Awaited<ReturnType<typeof storeOutputs>> | undefined;
  try {
    stored = await storeOutputs(context.files, version, outcome);
    const end = { status: outcome.status, logs: await journal.close(work.controller.signal), ...stored };
    const { result, promoted } = await endRun(context, run, end, work.controller.signal);
    if (result === 'lost' || result === 'cancelled') await removeOutputFiles(context.files, stored.files);
    return result === 'unknown' ? 'open' : promoted ? 'promoted' : 'ended';
  } catch (error) {
    if (stored) await removeOutputFiles(context.files, stored.files);
    return endUnfinished(work, error);
  }
}

/** The licence was missing or had expired when the run was picked up. */
class NotLicensed extends Error {}

async function execute(work: Work): Promise<{ version: ActivityVersion; outcome: RunOutcome }> {
  const { run, journal, context } = work;
  const { signal } = work.controller;
  const { database, versions, files } = context;
  if (!(await context.isLicensed())) throw new NotLicensed();
  const [version, stored] = await Promise.all([
    versions.get(run.ActivityId, run.ActivityVersion),
    readRunInputs(database.knex, run.Id),
  ]);
  if (!version) throw new Error(`activity ${run.ActivityId} has no version ${run.ActivityVersion}`);
  const { file } = version;
  if (!file) throw new Error(`the workbook of activity ${run.ActivityId}, version ${run.ActivityVersion} is gone`);
  signal.throwIfAborted();
  work.started = true;
  const marking = markStarted(work);
  const outcome = await context.executor.run({
    versionKey: `${run.ActivityId}/${run.ActivityVersion}`,
    definition: version.definition,
    fileName: file.FileName,
    readWorkbook: () => files.read(file.StoreKey),
    inputs: inputValues(version, stored, files),
    timeLimit: context.timeLimit,
    signal,
    onLog: (line) => journal.log(line),
    onProgress: (phase, share) => journal.progress(phase, share),
  });
  await marking;
  signal.throwIfAborted();
  return { version, outcome };
}

/**
 * PickedUp → Started, written while the calculation begins; the end waits for it. That it could not be written is no fault of
 * the run: whether the run still is the worker's is decided when it ends.
 */
async function markStarted({ context, run, controller }: Work): Promise<void> {
  const { queue, worker, log } = context;
  try {
    if (await queue.markStarted(worker, run)) return;
    const asked = await queue.cancelled(worker);
    controller.abort(new RunStopped(asked.includes(run.Id) ? 'cancelled' : 'lost'));
  } catch (err) {
    log.warn({ err, run: run.Id }, 'the start of a run could not be written');
  }
}

type UnfinishedStatus = 'Cancelled' | 'Abandoned' | 'InternalError' | 'NotLicensed';

async function endUnfinished(work: Work, error: unknown): Promise<JobEnd> {
  const { context, run, journal, controller } = work;
  const { signal } = controller;
  const stopped = signal.reason instanceof RunStopped ? signal.reason.reason : undefined;
  const lines = await journal.close(signal);
  if (stopped === 'lost') return 'ended';
  const unreachable = context.database.dialect.classify(error).fault === 'connection';
  if (!work.started && (stopped === 'stopping' || (stopped === undefined && unreachable))) return handBack(work);
  const end = async (status: UnfinishedStatus, ...own: RunLogLine[]): Promise<JobEnd> => {
    const logs = [...lines, ...own];
    const { result, promoted } = await endRun(context, run, { status, outputs: [], files: [], logs }, signal);
    return result === 'unknown' ? 'open' : promoted ? 'promoted' : 'ended';
  };
  // The finishing write says itself that the run was cancelled.
  if (stopped === 'cancelled') return end('Cancelled');
  if (stopped === 'stopping') return end('Abandoned', SERVER_STOPPED_LINE);
  if (error instanceof NotLicensed) return end('NotLicensed', NOT_LICENSED_LINE);
  const { line, id } = internalError();
  context.log.error({ err: error, errorId: id, run: run.Id }, 'a run failed for a reason of the system');
  return end('InternalError', line);
}

/** Another worker, or this one, takes it again: the executor has seen nothing of it. */
async function handBack({ context, run, controller }: Work): Promise<JobEnd> {
  const { queue, worker } = context;
  const done = await untilReachable(context, controller.signal, async () => {
    await queue.handBack(worker, run);
    return true;
  });
  return done ? 'ended' : 'open';
}
