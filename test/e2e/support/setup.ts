/** Runs before each file of browser tests, in the process shared by the files. */
import { afterAll, afterEach } from 'vitest';
import { closeBrowsers, reportIfFailed } from './browser.ts';

// Hooks run in reverse order. A file that closes its browser after each test calls reportIfFailed before that.
afterEach(reportIfFailed);
afterAll(closeBrowsers);
