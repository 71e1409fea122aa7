import { test } from 'vitest';
import { isFullSet, isOnSqlServer } from './test-set.ts';

/** A test of the full set in a file whose other tests run every day. */
export const fullSetTest: ReturnType<typeof test.runIf> = test.runIf(isFullSet);

/** A test that runs every day on PostgreSQL, and on SQL Server in the full set: what it does there is done by others of its file. */
export const fullSetTestOnSqlServer: ReturnType<typeof test.runIf> = test.runIf(isFullSet || !isOnSqlServer);
