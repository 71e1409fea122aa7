import { runInThread } from '#server/base/run-in-thread.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import type { TableSource } from './table-content.ts';

/** Builds workbooks of tables in worker threads, so that a large table does not block other calls. */
export interface TableWorkbookBuilder {
  build(source: TableSource): Promise<Uint8Array>;
}

const THREAD = new URL('./table-workbook-thread.ts', import.meta.url);
const MEMORY_MB = 1024;

export function createTableWorkbookBuilder(threads = 2): TableWorkbookBuilder {
  const limited = createConcurrencyLimit(threads);
  return { build: (source) => limited(() => runInThread<Uint8Array>(THREAD, source, { memory: MEMORY_MB })) };
}
