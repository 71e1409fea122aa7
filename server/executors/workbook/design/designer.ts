/** Runs design tasks in the threads for uploads, which are shared fairly among users. */
import { AppError } from '#server/base/app-error.ts';
import type { Inspection } from '#server/executors/executor.ts';
import type { DesignedFile, OpenedDesign, WorkbookDesigner } from '#server/executors/executor.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { calculationProblem, refused } from '../inspect.ts';
import type { DesignRefused, DesignTask, MarkedFile, TaskResult } from '../pool/messages.ts';
import type { WorkbookPool } from '../pool/pool.ts';
import { TaskStopped } from '../pool/task-bounds.ts';

/** @param timeLimit maximum milliseconds per task */
export function createDesigner(pool: WorkbookPool, timeLimit: number): WorkbookDesigner {
  const run = (
    task: DesignTask,
    { bytes, owner, uploadId }: DesignedFile,
    lastVersion: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<TaskResult> =>
    pool.run({
      task,
      versionKey: null,
      owner,
      ...(uploadId !== undefined && { uploadId }),
      timeLimit,
      signal,
      // Pass copies: the caller may need the bytes again.
      provide: (wanted) => Promise.resolve(Uint8Array.from(wanted.what === 'workbook' ? bytes : lastVersion!)),
      onLog: ignore,
      onProgress: ignore,
    });

  return {
    open: async (file, { file: lastVersion, region }, signal) => {
      const hasLastVersion = lastVersion !== null;
      const task: DesignTask = { kind: 'openDesign', fileName: file.fileName, hasLastVersion, region };
      const result = await refusedWhenStopped(run(task, file, lastVersion, signal));
      return 'refusedBecause' in result ? { refusal: result.refusedBecause } : (result as OpenedDesign);
    },
    check: async (file, marks, options, signal) => {
      const task: DesignTask = { kind: 'checkMarks', fileName: file.fileName, marks: [...marks], ...options };
      const result = await refusedWhenStopped(run(task, file, null, signal));
      return 'refusedBecause' in result ? refused([result.refusedBecause]) : (result as Inspection);
    },
    write: async (file, marks, signal) => {
      const task: DesignTask = { kind: 'writeMarks', fileName: file.fileName, marks: [...marks] };
      const result = await refusedWhenStopped(run(task, file, null, signal));
      if ('refusedBecause' in result) throw fileRefused(result.refusedBecause);
      return (result as MarkedFile).bytes;
    },
  };
}

const ignore = (): void => undefined;

const fileRefused = ({ Message, Remedy }: WorkbookProblem): AppError =>
  new AppError('workbookFaults', 422, `${Message} ${Remedy}`.trim());

/** Converts exceeded limits to a problem of the file; a crash is rethrown as a server error. */
async function refusedWhenStopped(result: Promise<TaskResult>): Promise<TaskResult | DesignRefused> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof TaskStopped) || error.reason === 'crash') throw error;
    return { refusedBecause: calculationProblem(error.advice) };
  }
}
