/** The program that tests start in processes of their own: bundled by `npm test`, the sources in the full set and where a file runs by itself. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUNDLED = process.env['RUNSHEET_TEST_SERVER'];

const program = (bundle: string, source: string): string =>
  BUNDLED ? join(BUNDLED, bundle) : fileURLToPath(new URL(`../../${source}`, import.meta.url));

export const SERVER_MAIN = program('main.js', 'server/main.ts');
export const CLI_MAIN = program('cli.js', 'server/cli/main.ts');
