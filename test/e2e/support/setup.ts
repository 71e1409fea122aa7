/** Runs before each file of browser tests, in the process shared by the files. */
import { afterAll, afterEach } from 'vitest';
import { closeBrowsers, tellIfFailed } from './browser.ts';

// Hooks run in reverse order. A file that closes its browser after each test calls tellIfFailed before that.
afterEach(tellIfFailed);
afterAll(closeBrowsers);
