/** Runs before each file of browser tests, in the process that the files share. */
import { afterAll, afterEach } from 'vitest';
import { closeBrowsers, tellIfFailed } from './browser.ts';

// Hooks run in reverse order: a file that closes its browser after each test calls tellIfFailed before that.
afterEach(tellIfFailed);
afterAll(closeBrowsers);
