/**
 * Processes that compare workbooks and are reused from file to file. They are not worker threads, because a thread that
 * runs out of memory can end the whole process.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FileOutcome, WorkerAnswer } from './worker.ts';

/** Maximum heap of a process. Exceeding it ends the process, which affects only the current file. */
const HEAP_LIMIT_MB = 2_048;
/** A process that uses more than this after a file is replaced before the next file. */
const MAX_RETAINED_MB = 800;

export interface PoolOptions {
  engine: string;
  processes: number;
  /** Maximum seconds per file. */
  limit: number;
  heapLimit?: number;
  maxRetainedMb?: number;
}

export interface ComparedFile {
  /** Index among the given files. */
  at: number;
  seconds: number;
  outcome: FileOutcome;
}

export interface PoolStatistics {
  /** Total number of started processes: the first ones and the replacements of ended ones. */
  started: number;
}

/**
 * Compares every file and reports each outcome as soon as it is available, in any order. A file never ends the
 * comparison of another.
 */
export async function compareFiles(
  files: readonly string[],
  options: PoolOptions,
  onFile: (file: ComparedFile) => void,
): Promise<PoolStatistics> {
  const statistics: PoolStatistics = { started: 0 };
  let next = 0;
  const compareRemaining = async (): Promise<void> => {
    let worker: WorkerProcess | null = null;
    for (let at = next++; at < files.length; at = next++) {
      if (!worker) {
        worker = new WorkerProcess(options);
        statistics.started += 1;
      }
      const start = performance.now();
      const outcome = await worker.compare(files[at]!);
      onFile({ at, seconds: (performance.now() - start) / 1000, outcome });
      if (worker.isSpent) {
        await worker.end();
        worker = null;
      }
    }
    await worker?.end();
  };
  await Promise.all(Array.from({ length: Math.min(options.processes, files.length) }, compareRemaining));
  return statistics;
}

class WorkerProcess {
  /** True if the process has ended or must not receive another file. */
  isSpent = false;
  private readonly options: PoolOptions;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private answer: (outcome: FileOutcome) => void = () => undefined;
  /** The last part of its stderr output. */
  private lastWords = '';

  constructor(options: PoolOptions) {
    this.options = options;
    this.child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [options.engine], {
      execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${options.heapLimit ?? HEAP_LIMIT_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr!.on('data', (text: Buffer) => (this.lastWords = (this.lastWords + String(text)).slice(-4_000)));
    this.child.on('message', ({ outcome, megabytes }: WorkerAnswer) => {
      if (megabytes > (options.maxRetainedMb ?? MAX_RETAINED_MB)) this.isSpent = true;
      this.answer(outcome);
    });
    this.child.on('error', (error) => this.fail(error.message));
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.fail(this.lastWords.includes('out of memory') ? 'out of memory' : `the process ended (${signal ?? code})`);
        resolve();
      });
    });
  }

  async compare(file: string): Promise<FileOutcome> {
    const { limit } = this.options;
    const { promise, resolve } = Promise.withResolvers<FileOutcome>();
    this.answer = resolve;
    const timer = setTimeout(() => this.fail(`stopped after ${limit} seconds`), limit * 1000);
    this.child.send(file);
    const outcome = await promise;
    clearTimeout(timer);
    return outcome;
  }

  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private fail(error: string): void {
    this.isSpent = true;
    this.answer({ error });
  }
}
