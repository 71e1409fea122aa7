import { randomUUID } from 'node:crypto';

/**
 * Part of the names of workers that write the start of a run before it acts outside of them. While servers are upgraded one by one, workers of an older
 * version run on the same database. These may act before they write the start, so their runs never go back to the queue.
 */
const WRITES_START_FIRST = 'starts-';

export const nameWorker = (): string => WRITES_START_FIRST + randomUUID();

export const writesStartFirst = (worker: string): boolean => worker.startsWith(WRITES_START_FIRST);
