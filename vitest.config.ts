import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BUNDLED_THREAD } from './build/bundle-server.ts';
import { ledgerReporters } from './scripts/ledger/vitest-reporter.ts';
import { sqlServerProjects } from './scripts/sql-server-suites.ts';
import { isFullSet } from './test/support/test-set.ts';

/** File in which scripts/test.ts expects the number of passed tests. */
const REPORT_FILE = process.env['RUNSHEET_TEST_REPORT'];
const REPORT: ['json', { outputFile: string }][] = REPORT_FILE ? [['json', { outputFile: REPORT_FILE }]] : [];

/** Files that only the full set runs, see docs/testing.md. */
const EXCLUDED = ['**/node_modules/**', ...(isFullSet ? [] : ['**/*.full.test.ts'])];

const PROGRAM = ['{shared,server,desktop}/**/*.test.ts', 'test/{dialect,routes}/**/*.test.ts'];

/** Only ends a test that hangs: each wait for a page has its own limit, and tests have any number of them. */
const PAGES_TEST_TIMEOUT_MS = 600_000;

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return { extends: true, test: { name, exclude: EXCLUDED, ...test } };
}

/**
 * Test files of most projects share processes, which load the program and start Chromium once. A file must therefore
 * end what it starts, and restore environment variables and anything it replaces. Files of `programs` and `desktop` run
 * in one process each.
 */
export default defineConfig({
  plugins: process.env['RUNSHEET_TEST_SERVER'] ? [BUNDLED_THREAD] : [],
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // Vitest's default of one second is too short for a page or a program on a busy machine. Same limit as `until` in
    // test/support.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Memory for short-lived objects. Garbage collection takes 4 % less CPU time than with V8's default of 16
    // megabytes.
    execArgv: ['--max-semi-space-size=64'],
    reporters: ['default', ...REPORT, ...ledgerReporters()],
    maxWorkers: 2,
    projects: [
      project('browser', {
        include: ['test/e2e/**/*.test.ts'],
        globalSetup: ['test/e2e/support/built-pages.ts'],
        setupFiles: ['test/e2e/support/setup.ts'],
        testTimeout: PAGES_TEST_TIMEOUT_MS,
        isolate: false,
      }),
      project('programs', {
        include: ['build/*.test.ts', 'scripts/**/*.test.ts', 'test/{dependencies,hostile,package}/**/*.test.ts'],
      }),
      // SQL Server tests run in the project of that name, because their processes may need a preload.
      project('unit', { include: PROGRAM, isolate: false, env: { RUNSHEET_TEST_MSSQL_URL: '' } }),
      project('structure', { include: ['test/repo/**/*.test.ts'], isolate: false }),
      project('faults', { include: ['test/faults/**/*.test.ts'], isolate: false }),
      project('desktop', { include: ['test/desktop/**/*.test.ts'], testTimeout: PAGES_TEST_TIMEOUT_MS }),
      ...sqlServerProjects(isFullSet),
    ],
  },
});
