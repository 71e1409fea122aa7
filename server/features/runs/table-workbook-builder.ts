import { Worker } from 'node:worker_threads';
import type { TableSource } from './table-content.ts';

/** Makes workbooks of tables in threads of their own, so that a large one keeps nobody waiting. */
export interface TableWorkbookBuilder {
  build(source: TableSource): Promise<Uint8Array>;
}

const THREAD = new URL('./table-workbook-thread.ts', import.meta.url);
const MEMORY_MB = 1024;

export function createTableWorkbookBuilder(threads = 2): TableWorkbookBuilder {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    // A place that becomes free goes to the next in line without being counted anew.
    if (running >= threads) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    build: async (source) => {
      await enter();
      try {
        return await buildInThread(source);
      } finally {
        leave();
      }
    },
  };
}

function buildInThread(source: TableSource): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const worker = new Worker(THREAD, {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the thread that makes a workbook ended with ${code}`)));
  return promise;
}
