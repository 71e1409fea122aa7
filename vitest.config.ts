import { defineConfig } from 'vitest/config';

/** They kill servers that work as hard as the machine can, with leases of seconds: files beside them would starve, and they beside those. */
const ALONE = ['test/faults/**/*.test.ts'];

/** Unit and server tests; the suites under test/ that need Chromium or kill processes have their own files and time limits. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // On SQL Server the limits of what tests wait for are longer too, see test/support/until.ts.
    testTimeout: process.env['RUNSHEET_TEST_DATABASE_URL'] === undefined ? 120_000 : 240_000,
    hookTimeout: 120_000,
    // Its own limit of a second is no limit for a page or a program on a busy machine. As that of `until` in test/support.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'side by side',
          include: ['{shared,server,desktop,scripts,test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...ALONE],
          maxWorkers: 2,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, maxWorkers: 1 } },
    ],
  },
});
