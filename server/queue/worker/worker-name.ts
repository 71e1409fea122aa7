import { randomUUID } from 'node:crypto';

/**
 * Prefix of the names of workers that write the start of a run before it has effects outside the worker. During a
 * rolling upgrade, workers of an older version use the same database. These may act before they write the start, so
 * their runs never return to the queue.
 */
const WRITES_START_FIRST = 'starts-';

export const nameWorker = (): string => WRITES_START_FIRST + randomUUID();

export const writesStartFirst = (worker: string): boolean => worker.startsWith(WRITES_START_FIRST);
