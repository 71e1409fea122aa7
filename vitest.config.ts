import { defineConfig } from 'vitest/config';
import { isFullSet } from './test/support/test-set.ts';

/** Files of the full set only, see docs/testing.md. */
const EXCLUDED = ['**/node_modules/**', ...(isFullSet ? [] : ['**/*.full.test.ts'])];

/** They kill servers that work as hard as the machine can, with leases of seconds: files beside them would starve, and they beside those. */
const ALONE = ['test/faults/**/*.test.ts'];

/**
 * They share a process, which loads the program once: in one of its own each would take longer to load it than to test it. So they leave
 * nothing behind: what a file starts it ends, what it sets in the environment or puts in another's place it puts back.
 */
const TOGETHER = ['{shared,server,desktop}/**/*.test.ts', 'test/{dialect,routes}/**/*.test.ts'];

/** Unit and server tests; the suites under test/ that need Chromium or kill processes have their own files and time limits. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // On SQL Server the limits of what tests wait for are longer too, see test/support/until.ts.
    testTimeout: process.env['RUNSHEET_TEST_DATABASE_URL'] === undefined ? 120_000 : 240_000,
    hookTimeout: 240_000,
    // Its own limit of a second is no limit for a page or a program on a busy machine. As that of `until` in test/support.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'one after the other',
          include: TOGETHER,
          exclude: EXCLUDED,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'side by side',
          include: ['{shared,server,desktop,scripts,test}/**/*.test.ts'],
          exclude: [...EXCLUDED, ...TOGETHER, ...ALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude: EXCLUDED, maxWorkers: 1, sequence: { groupOrder: 3 } } },
    ],
  },
});
