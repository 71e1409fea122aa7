/** Executes one claimed run, from its inputs to its end. */
import { inSpan, isTracing, openSpan } from '#server/base/tracing.ts';
import type { RunLogLine, RunOutcome, RunRequest } from '#server/executors/executor.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';
import { endRun, type JobContext } from './end-run.ts';
import { RunStopped } from './run-stopped.ts';
import { inputValues, readRunInputs, type StoredInput } from './run-inputs.ts';
import { createRunJournal, type RunJournal } from './run-journal.ts';
import { createRunStart, writeStartLater, type RunStart } from './run-start.ts';
import type { NewRunStart } from '#server/queue/run-starts.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { isStoreFault, withRetries } from '#server/files/store-faults.ts';
import { createAskDatabase, isOutage, untilReachable, type AskDatabase } from '#server/queue/until-reachable.ts';
import { storeAndEnd } from './store-and-end.ts';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import { hasSucceeded } from '#shared/contract/run-status.ts';
import { fileStoreLine, internalError, NOT_LICENSED_LINE, SERVER_STOPPED_LINE } from '#server/queue/run-log-lines.ts';

/** promoted: a run that waited for this one was queued. open: the end could not be written. */
export type JobEnd = 'ended' | 'promoted' | 'open';

export interface RunJob {
  readonly run: ClaimedRun;
  /** True once the executor has begun; before that the run can be returned to the queue. */
  readonly started: boolean;
  /** When the executor began, on the clock of performance.now(); null before that. */
  readonly startedAt: number | null;
  /** True if the run's Start steps start other runs when it has ended. */
  readonly startsOthers: boolean;
  stop(stopped: RunStopped): void;
  /** Resolves when this process has nothing more to do with the run; never rejects. */
  readonly ended: Promise<JobEnd>;
}

/** Callbacks for the holder of the run's slot. */
export interface JobListener {
  /** The run begins to wait for a person. */
  onWaiting?: () => void;
  /**
   * The calculation has ended after this many milliseconds. What remains is to store its results, whose size is in
   * bytes and characters.
   */
  onCalculated?: (size: number, milliseconds: number) => void;
  /** Resolves when the calculation may begin; immediately if absent. */
  admitted?: Promise<void> | undefined;
  /** True if the run is not known to be short. */
  mayBeLong?: boolean;
}

interface Work {
  context: JobContext;
  run: ClaimedRun;
  journal: RunJournal;
  start: RunStart;
  controller: AbortController;
  /** When the executor began, on the clock of performance.now(). */
  startedAt: number | null;
  /** The inputs, if they are known already. */
  inputs: readonly StoredInput[] | undefined;
  listener: JobListener;
  /** Requests of its Start steps. */
  starts: NewRunStart[];
}

/** @param inputs the run's inputs; read from the database if absent */
export function beginRunJob(
  context: JobContext,
  run: ClaimedRun,
  inputs?: readonly StoredInput[],
  listener: JobListener = {},
): RunJob {
  const { database, worker, journalInterval, log } = context;
  const controller = new AbortController();
  const start = createRunStart(context, run, { controller, startedAt: () => work.startedAt });
  const journal = createRunJournal({ database, worker, run, start, intervalMs: journalInterval, log });
  const work: Work = {
    context,
    run,
    journal,
    start,
    controller,
    startedAt: null,
    inputs,
    listener,
    starts: [],
  };
  return {
    run,
    get started() {
      return work.startedAt !== null;
    },
    get startedAt() {
      return work.startedAt;
    },
    get startsOthers() {
      return work.starts.length > 0;
    },
    stop: (stopped) => work.controller.abort(stopped),
    ended: traced(run, () => executeAndStore(work)).catch((err: unknown) => {
      log.error({ err, run: run.Id }, 'could not write the end of a run');
      return 'open' as const;
    }),
  };
}

/** Records the run as a span of its trace, and its time in the queue as another span. */
function traced(run: ClaimedRun, work: () => Promise<JobEnd>): Promise<JobEnd> {
  if (!isTracing()) return work();
  const { Id, ActivityId, ActivityVersion, QueueTime, PickupTime, TraceParent: parent = null } = run;
  const attributes = {
    'runsheet.run.id': Id,
    'runsheet.activity.id': ActivityId,
    'runsheet.activity.version': ActivityVersion,
  };
  if (parent !== null && QueueTime && PickupTime)
    openSpan('queue', { parent, since: QueueTime, attributes })?.end(PickupTime);
  return inSpan('run', { kind: 'consumer', parent, attributes }, work);
}

async function executeAndStore(work: Work): Promise<JobEnd> {
  const { run, context, journal } = work;
  let done: { version: ActivityVersion; outcome: RunOutcome };
  try {
    done = await execute(work);
  } catch (error) {
    return endUnfinished(work, error);
  }
  const { outcome, version } = done;
  work.listener.onCalculated?.(sizeOf(outcome), performance.now() - work.startedAt!);
  try {
    const { startedAt } = work;
    const starts = startsOf(work, outcome);
    const calculated = { run, version, outcome, startedAt, journal, starts };
    const { result, promoted } = await storeAndEnd(context, calculated, work.controller.signal);
    return result === 'unknown' ? 'open' : promoted ? 'promoted' : 'ended';
  } catch (error) {
    return endUnfinished(work, error);
  }
}

const sizeOf = ({ files, outputs }: RunOutcome): number =>
  files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) +
  outputs.reduce((sum, { Value }) => sum + (Value?.length ?? 0), 0);

/** Only a successful run starts others. */
const startsOf = ({ starts }: Work, { status }: RunOutcome): NewRunStart[] => (hasSucceeded(status) ? starts : []);

/** The license was missing or had expired when the run was picked up. */
class NotLicensed extends Error {}

async function execute(work: Work): Promise<{ version: ActivityVersion; outcome: RunOutcome }> {
  const { run, journal, context } = work;
  const { signal } = work.controller;
  const { database, versions } = context;
  if (!(await context.isLicensed())) throw new NotLicensed();
  const [version, stored] = await Promise.all([
    versions.get(run.ActivityId, run.ActivityVersion),
    work.inputs ?? readRunInputs(database.knex, run.Id),
  ]);
  if (!version) throw new Error(`activity ${run.ActivityId} has no version ${run.ActivityVersion}`);
  if (work.listener.admitted) await Promise.race([work.listener.admitted, whenAborted(signal)]);
  signal.throwIfAborted();
  const request = {
    definition: version.definition,
    inputs: inputValues(version, stored, filesFor(work), run.Id),
    timeLimit: context.timeLimit,
    signal,
    onLog: (line: RunLogLine) => journal.log(line),
    onProgress: (phase: string, share: number | null) => journal.progress(phase, share),
  };
  const starting = writeStartLater({ run, start: work.start, log: context.log }, () => {
    work.startedAt = performance.now();
  });
  const begin = version.definition.procedure
    ? callProcedure(work, { ...request, onBegin: starting.begin })
    : calculate(work, version, { ...request, onBegin: starting.begin });
  let outcome: RunOutcome;
  try {
    outcome = await inSpan(version.definition.procedure ? 'procedure' : 'calculation', {}, begin);
    starting.begin();
  } finally {
    await starting.end();
  }
  signal.throwIfAborted();
  return { version, outcome };
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

type RequestParts = Pick<RunRequest, 'definition' | 'inputs' | 'timeLimit' | 'signal' | 'onLog' | 'onProgress'> & {
  onBegin: () => void;
};

const asking = ({ context, controller }: Work): AskDatabase => createAskDatabase(context, controller.signal);

/** Reads files while the run executes. Retries database errors too, because some files are stored in the database. */
function filesFor(work: Work): Pick<FileStore, 'read'> {
  const store = withRetries(work.context.files, work.controller.signal);
  const ask = asking(work);
  return { read: (key) => ask(() => store.read(key)) };
}

/** What a run needs before it has effects outside its worker. */
function actingParts(work: Work): { ask: AskDatabase; writeStart: () => Promise<void> } {
  const ask = asking(work);
  return { ask, writeStart: () => ask(() => work.start.write()) };
}

function calculate(work: Work, { file }: ActivityVersion, request: RequestParts) {
  const { run, context, listener, starts } = work;
  if (!file) throw new Error(`the workbook of activity ${run.ActivityId}, version ${run.ActivityVersion} is gone`);
  const { executor, steps } = context;
  const { signal, onLog: say } = request;
  const onWaiting = (): void => listener.onWaiting?.();
  const files = filesFor(work);
  return (): Promise<RunOutcome> =>
    executor.run({
      ...request,
      mayBeLong: listener.mayBeLong ?? false,
      versionKey: `${run.ActivityId}/${run.ActivityVersion}`,
      fileName: file.FileName,
      readWorkbook: () => files.read(file.StoreKey),
      services: steps?.servicesFor({ Id: run.Id, signal, say, onWaiting, starts, ...actingParts(work) }),
    });
}

function callProcedure(work: Work, request: RequestParts) {
  const { run, context } = work;
  const { Id, ActivityVersion } = run;
  const { procedures } = context;
  if (!procedures) throw new Error('this worker calls no stored procedures');
  const { onBegin, ...own } = request;
  return (): Promise<RunOutcome> => {
    onBegin();
    return procedures.run({ ...own, Id, ActivityVersion, ...actingParts(work) });
  };
}

type UnfinishedStatus = 'Cancelled' | 'Abandoned' | 'InternalError' | 'NotLicensed';

async function endUnfinished(work: Work, error: unknown): Promise<JobEnd> {
  const { context, run, journal, controller } = work;
  const { signal } = controller;
  const stopped = signal.reason instanceof RunStopped ? signal.reason.reason : undefined;
  const lines = await journal.close(signal);
  if (stopped === 'lost') return 'ended';
  const unreachable = isOutage(context.database, error);
  const canReturnToQueue = stopped === 'stopping' || stopped === 'waited';
  const end = async (status: UnfinishedStatus, ...own: RunLogLine[]): Promise<JobEnd> => {
    const logs = [...lines, ...own];
    const { result, promoted } = await endRun(
      context,
      run,
      { status, startedAt: work.startedAt, outputs: [], files: [], logs },
      signal,
    );
    return result === 'unknown' ? 'open' : promoted ? 'promoted' : 'ended';
  };
  if (canReturnToQueue || (work.startedAt === null && stopped === undefined && unreachable)) {
    const returned = await requeueRun(work);
    if (returned !== 'refused') return returned;
    // If the run has not begun, this means that a person cancelled it.
    if (stopped !== 'stopping' || work.startedAt === null) return end('Cancelled');
  }
  // The finishing write logs the cancellation.
  if (stopped === 'cancelled') return end('Cancelled');
  if (stopped === 'stopping') return end('Abandoned', SERVER_STOPPED_LINE);
  if (error instanceof NotLicensed) return end('NotLicensed', NOT_LICENSED_LINE);
  // The store has logged the error.
  if (isStoreFault(error)) return end('InternalError', fileStoreLine(error));
  const { line, id } = internalError();
  context.log.error({ err: error, errorId: id, run: run.Id }, 'a run failed with a system error');
  return end('InternalError', line);
}

/**
 * Returns the run to the queue for another worker, or this one. 'refused' if its start was written or it was cancelled.
 */
async function requeueRun({ context, run, controller }: Work): Promise<'ended' | 'open' | 'refused'> {
  const { queue, worker } = context;
  let isBack = false;
  const done = await untilReachable(context, controller.signal, async () => {
    isBack = await queue.requeue(worker, run);
    return true;
  });
  if (!done) return 'open';
  return isBack ? 'ended' : 'refused';
}
