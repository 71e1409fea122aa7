import { defineConfig } from 'vitest/config';

/** Unit and server tests; the suites under test/ that need Chromium or kill processes have their own files and time limits. */
export default defineConfig({
  test: {
    include: ['{shared,server,desktop,scripts,test}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
