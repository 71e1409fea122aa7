import { test } from 'vitest';
import { isFullSet } from './test-set.ts';

/** A test that runs only in the full set, in a file whose other tests always run. */
export const fullSetTest: ReturnType<typeof test.runIf> = test.runIf(isFullSet);
