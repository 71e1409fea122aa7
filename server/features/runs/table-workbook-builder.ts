import { Worker } from 'node:worker_threads';
import { createTurns } from './turns.ts';
import type { TableSource } from './table-content.ts';

/** Makes workbooks of tables in threads of their own, so that a large one keeps nobody waiting. */
export interface TableWorkbookBuilder {
  build(source: TableSource): Promise<Uint8Array>;
}

const THREAD = new URL('./table-workbook-thread.ts', import.meta.url);
const MEMORY_MB = 1024;

export function createTableWorkbookBuilder(threads = 2): TableWorkbookBuilder {
  const inTurn = createTurns(threads);
  return { build: (source) => inTurn(() => buildInThread(source)) };
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
