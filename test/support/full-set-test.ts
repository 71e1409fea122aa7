import { test } from 'vitest';
import { isFullSet } from './test-set.ts';

/** A test of the full set in a file whose other tests run every day. */
export const fullSetTest: ReturnType<typeof test.runIf> = test.runIf(isFullSet);
