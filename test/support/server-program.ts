/** The server and the command-line program that tests spawn: the bundle built by `npm test`, otherwise the sources. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUNDLED = process.env['RUNSHEET_TEST_SERVER'];

const program = (bundle: string, source: string): string =>
  BUNDLED ? join(BUNDLED, bundle) : fileURLToPath(new URL(`../../${source}`, import.meta.url));

export const SERVER_MAIN = program('main.js', 'server/main.ts');
export const CLI_MAIN = program('cli.js', 'server/cli/main.ts');
