/** Runs workbooks as activities: inspects uploads and runs versions in its own threads. */
import { availableParallelism } from 'node:os';
import type { EvaluateRequest, Executor, FormRequest, Inspection, RunOutcome, RunRequest } from '../executor.ts';
import type { InstalledOffice } from '../libreoffice/find-office.ts';
import { NO_CAPABILITIES, NO_SERVICES } from '../step-services.ts';
import { createDesigner } from './design/designer.ts';
import { calculationProblem, refused } from './inspect.ts';
import type { ExpressionResult, ExpressionTask } from '#shared/rules/workflows/expression-task.ts';
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import type { EvaluateAnswer } from './evaluate/evaluate-rows.ts';
import type { FormAnswer, Task, Wanted } from './pool/messages.ts';
import { createWorkbookPool } from './pool/pool.ts';
import type { WorkbookPool } from './pool/pool.ts';
import { createStepDesk } from './run/step-desk.ts';
import { TaskStopped } from './pool/task-bounds.ts';

export interface WorkbookExecutorOptions {
  /** LibreOffice, if it is used in addition to our own engine. */
  office?: InstalledOffice | null;
  /**
   * Maximum threads for runs; they start on demand. If it is 1, a second thread may start that takes only short runs.
   */
  threads?: number;
  /** Maximum total bytes of memory per thread. */
  memoryBytes?: number;
  /** Warm workbooks per thread, and the bytes they may use. */
  warmCount?: number;
  warmBytes?: number;
  /** Threads for forms, separate so that forms never wait for runs. */
  formThreads?: number;
  /**
   * Threads that calculate rows of values, separate so that runs and forms never wait for them. They start on demand.
   */
  evaluateThreads?: number;
  /** Warm forms per thread, the bytes they may use, and the milliseconds they may stay unused. */
  formCount?: number;
  formBytes?: number;
  formAge?: number;
  /** Maximum milliseconds for the inspection of an upload. */
  inspectTimeLimit?: number;
}

const MB = 2 ** 20;
/** Threads for uploads, separate so that uploads never wait for runs or forms. */
const INSPECT_THREADS = 2;

export interface WorkbookExecutor extends Executor {
  readonly pool: WorkbookPool;
  readonly formPool: WorkbookPool;
  readonly inspectPool: WorkbookPool;
  readonly evaluatePool: WorkbookPool;
  /** Starts the threads that the first run, and the first form if `hasForms`, would otherwise have to wait for. */
  prepare(hasForms: boolean): void;
}

export function createWorkbookExecutor(options: WorkbookExecutorOptions = {}): WorkbookExecutor {
  const settings = {
    office: options.office ?? null,
    memoryBytes: options.memoryBytes ?? 2048 * MB,
    warmCount: options.warmCount ?? 32,
    warmBytes: options.warmBytes ?? 512 * MB,
    formCount: options.formCount ?? 16,
    formBytes: options.formBytes ?? 512 * MB,
    formAge: options.formAge ?? 20 * 60_000,
  };
  const pool = createWorkbookPool({
    ...settings,
    threads: options.threads ?? Math.max(2, availableParallelism()),
    keepsOneForShort: true,
  });
  const formPool = createWorkbookPool({ ...settings, threads: options.formThreads ?? 2 });
  const evaluateThreads = options.evaluateThreads ?? 1;
  const evaluatePool = createWorkbookPool({
    ...settings,
    threads: evaluateThreads,
    perOwner: Math.max(1, evaluateThreads - 1),
  });
  const inspectPool = createWorkbookPool({
    ...settings,
    threads: INSPECT_THREADS,
    // Leaves one thread to other users, because a slow workbook may use its whole time limit.
    perOwner: INSPECT_THREADS - 1,
  });
  const inspectTimeLimit = options.inspectTimeLimit ?? 120_000;
  return {
    pool,
    formPool,
    inspectPool,
    evaluatePool,
    designer: createDesigner(inspectPool, inspectTimeLimit),
    prepare(hasForms) {
      pool.prepare();
      if (hasForms) formPool.prepare();
    },
    inspect: (file, signal) => inspect(inspectPool, file, inspectTimeLimit, signal),
    uploadsAhead: (owner, uploadId) => inspectPool.ahead((task) => task.owner === owner && task.uploadId === uploadId),
    run: (request) => run(pool, request),
    updateForm: (request) => updateForm(formPool, request),
    evaluate: (request) => evaluate(evaluatePool, request),
    calculate: (task) => calculate(pool, task),
    close: async () => {
      await Promise.all([pool.close(), formPool.close(), inspectPool.close(), evaluatePool.close()]);
    },
  };
}

async function inspect(
  pool: WorkbookPool,
  file: Parameters<Executor['inspect']>[0],
  timeLimit: number,
  signal: AbortSignal,
): Promise<Inspection> {
  try {
    const result = await pool.run({
      task: {
        kind: 'inspect',
        fileName: file.fileName,
        acceptUnsupported: file.acceptUnsupported,
        region: file.region ?? {},
        capabilities: file.capabilities ?? NO_CAPABILITIES,
      },
      versionKey: null,
      ...(file.owner !== undefined && { owner: file.owner }),
      ...(file.uploadId !== undefined && { uploadId: file.uploadId }),
      timeLimit,
      signal,
      // Pass a copy: the caller stores the same bytes if the inspection finds no problem.
      provide: () => Promise.resolve(Uint8Array.from(file.bytes)),
      onLog: ignore,
      onProgress: ignore,
    });
    return result as Inspection;
  } catch (error) {
    if (!(error instanceof TaskStopped) || error.reason === 'crash') throw error;
    return refused([calculationProblem(error.advice)]);
  }
}

const ignore = (): void => undefined;

async function run(pool: WorkbookPool, request: RunRequest): Promise<RunOutcome> {
  const desk = createStepDesk(request.services ?? NO_SERVICES);
  try {
    const result = await pool.run({
      task: taskOf(request),
      versionKey: request.versionKey,
      timeLimit: request.timeLimit,
      signal: request.signal,
      mayBeLong: request.mayBeLong ?? false,
      onBegin: () => request.onBegin?.(),
      provide: (wanted) => provide(request, wanted),
      answer: (ask) => desk.answer(ask),
      onLog: (line) => request.onLog(line),
      onProgress: (phase, share) => request.onProgress(phase, share),
    });
    return result as RunOutcome;
  } catch (error) {
    if (!(error instanceof TaskStopped) || error.reason === 'crash') throw error;
    const StatusCode = error.reason === 'time' ? LogCode.TooLong : LogCode.TooLarge;
    request.onLog({ Message: error.advice, StatusCode, Category: Category.Error });
    return { status: 'Failed', outputs: [], files: [] };
  } finally {
    // A run has ended only once nothing of it is left, neither a query nor a transaction.
    await desk.close();
  }
}

/** Factor for the pool's time limit of form tasks: the first one includes reading the workbook, which may be large. */
const FORM_SHARE = 3;

async function updateForm(pool: WorkbookPool, request: FormRequest): Promise<FormAnswer> {
  const { readWorkbook, ...task } = request;
  try {
    const result = await pool.run({
      task: { kind: 'form', ...task },
      versionKey: request.versionKey,
      formKey: request.formKey,
      timeLimit: request.timeLimit * FORM_SHARE,
      // A calculation for an abandoned form is not aborted: ending the thread would drop the models of all other forms
      // in it.
      signal: new AbortController().signal,
      provide: readWorkbook,
      onLog: ignore,
      onProgress: ignore,
    });
    return result as FormAnswer;
  } catch (error) {
    if (!(error instanceof TaskStopped) || error.reason === 'crash') throw error;
    return { refusal: error.message };
  }
}

/** Milliseconds that a started slice may go on after its caller has left: ending the thread would drop its workbooks. */
const GRACE_MS = 2_000;

async function evaluate(pool: WorkbookPool, request: EvaluateRequest): Promise<EvaluateAnswer> {
  const { readWorkbook, owner, signal, ...task } = request;
  const stop = lateAbort(signal, GRACE_MS);
  try {
    const result = await pool.run({
      task: { kind: 'evaluate', ...task },
      versionKey: request.versionKey,
      owner,
      timeLimit: request.timeLimit,
      signal: stop.signal,
      onBegin: stop.begin,
      provide: readWorkbook,
      onLog: ignore,
      onProgress: ignore,
    });
    signal.throwIfAborted();
    return result as EvaluateAnswer;
  } catch (error) {
    if (!(error instanceof TaskStopped) || error.reason === 'crash') throw error;
    return { refusal: error.advice };
  } finally {
    stop.close();
  }
}

/**
 * Additional milliseconds in the pool's time limit of expressions. The calculation ends itself before, and a new thread
 * has time to load its code.
 */
const EXPRESSION_MARGIN_MS = 10_000;

async function calculate(pool: WorkbookPool, task: ExpressionTask): Promise<ExpressionResult[] | { refusal: string }> {
  try {
    const result = await pool.run({
      task: { kind: 'expressions', ...task },
      versionKey: null,
      timeLimit: task.timeLimit + EXPRESSION_MARGIN_MS,
      signal: new AbortController().signal,
      provide: () => Promise.reject(new Error('an expression reads no file')),
      onLog: ignore,
      onProgress: ignore,
    });
    return (result as { expressions: ExpressionResult[] }).expressions;
  } catch (error) {
    if (!(error instanceof TaskStopped) || error.reason === 'crash') throw error;
    return { refusal: error.advice };
  }
}

/** Returns a signal that aborts with the other one, but only after `grace` milliseconds once `begin` was called. */
function lateAbort(signal: AbortSignal, grace: number): { signal: AbortSignal; begin: () => void; close: () => void } {
  const late = new AbortController();
  let hasBegun = false;
  let timer: NodeJS.Timeout | undefined;
  const abort = (): void => late.abort(signal.reason);
  const onAbort = (): void => {
    if (hasBegun) timer = setTimeout(abort, grace);
    else abort();
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    signal: late.signal,
    begin: () => void (hasBegun = true),
    close: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

function taskOf({ versionKey, definition, fileName, timeLimit, inputs }: RunRequest): Task {
  const values = inputs.map(({ Name, value, files }) => ({
    Name,
    value,
    fileNames: files.map(({ FileName }) => FileName),
  }));
  return { kind: 'run', versionKey, definition, fileName, timeLimit, inputs: values };
}

async function provide(request: RunRequest, wanted: Wanted): Promise<Uint8Array> {
  if (wanted.what === 'workbook') return request.readWorkbook();
  const file = request.inputs.find(({ Name }) => Name === wanted.name)?.files[wanted.index];
  if (!file) throw new Error(`The run has no file ${wanted.index} of the input '${wanted.name}'`);
  return file.read();
}
