/** Workbooks as activities: inspects uploads and runs versions, in threads of its own. */
import { availableParallelism } from 'node:os';
import type { Executor, FormRequest, Inspection, RunOutcome, RunRequest } from '../executor.ts';
import type { InstalledOffice } from '../libreoffice/find-office.ts';
import { NO_FACILITIES, NO_SERVICES } from '../step-services.ts';
import { createDesigner } from './design/designer.ts';
import { calculationFault, refused } from './inspect.ts';
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import type { FormAnswer, Task, Wanted } from './pool/messages.ts';
import { createWorkbookPool } from './pool/pool.ts';
import type { WorkbookPool } from './pool/pool.ts';
import { createStepDesk } from './run/step-desk.ts';
import { TaskStopped } from './pool/task-bounds.ts';

export interface WorkbookExecutorOptions {
  /** LibreOffice, where it is to be used beside our own engine. */
  office?: InstalledOffice | null;
  /** Threads for runs; they start when they are needed. With one thread, a second one may start that takes only short runs. */
  threads?: number;
  /** Bytes a thread may hold in all. */
  memoryBytes?: number;
  /** Workbooks a thread keeps, and the bytes they may take. */
  warmCount?: number;
  warmBytes?: number;
  /** Threads for forms that are being filled in: runs never keep them waiting. */
  formThreads?: number;
  /** Threads for uploads: neither runs nor forms keep them waiting. */
  inspectThreads?: number;
  /** Forms a thread keeps warm, the bytes they may take, and milliseconds they may stay unused. */
  formCount?: number;
  formBytes?: number;
  formAge?: number;
  /** Milliseconds an upload may take to be inspected. */
  inspectTimeLimit?: number;
}

const MB = 2 ** 20;

export interface WorkbookExecutor extends Executor {
  readonly pool: WorkbookPool;
  readonly formPool: WorkbookPool;
  readonly inspectPool: WorkbookPool;
  /** Starts what the first run, and the first form where `hasForms`, would have to wait for. */
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
  const inspectThreads = options.inspectThreads ?? 2;
  // One thread is always left to others, as a slow workbook may take all of its time.
  const inspectPool = createWorkbookPool({
    ...settings,
    threads: inspectThreads,
    perOwner: Math.max(1, inspectThreads - 1),
  });
  const inspectTimeLimit = options.inspectTimeLimit ?? 120_000;
  return {
    pool,
    formPool,
    inspectPool,
    designer: createDesigner(inspectPool, inspectTimeLimit),
    prepare(hasForms) {
      pool.prepare();
      if (hasForms) formPool.prepare();
    },
    inspect: (file, signal) => inspect(inspectPool, file, inspectTimeLimit, signal),
    uploadsAhead: (owner, uploadId) => inspectPool.ahead((task) => task.owner === owner && task.uploadId === uploadId),
    run: (request) => run(pool, request),
    updateForm: (request) => updateForm(formPool, request),
    close: async () => {
      await Promise.all([pool.close(), formPool.close(), inspectPool.close()]);
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
        facilities: file.facilities ?? NO_FACILITIES,
      },
      versionKey: null,
      ...(file.owner !== undefined && { owner: file.owner }),
      ...(file.uploadId !== undefined && { uploadId: file.uploadId }),
      timeLimit,
      signal,
      // A copy: the caller stores the same bytes when the inspection finds no fault.
      provide: () => Promise.resolve(Uint8Array.from(file.bytes)),
      onLog: ignore,
      onProgress: ignore,
    });
    return result as Inspection;
  } catch (error) {
    if (!(error instanceof TaskStopped) || error.reason === 'crash') throw error;
    return refused([calculationFault(error.advice)]);
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
    // A run has ended when nothing of it is left: no query, no transaction.
    await desk.close();
  }
}

/** Reading a large workbook counts too, the first time. */
const FORM_SHARE = 3;

async function updateForm(pool: WorkbookPool, request: FormRequest): Promise<FormAnswer> {
  const { readWorkbook, ...task } = request;
  try {
    const result = await pool.run({
      task: { kind: 'form', ...task },
      versionKey: request.versionKey,
      formKey: request.formKey,
      timeLimit: request.timeLimit * FORM_SHARE,
      // A form that is left lets its model finish: ending the thread would cost all other forms in it theirs.
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
