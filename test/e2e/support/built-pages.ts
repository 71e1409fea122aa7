import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../../build/build-renderer.ts', import.meta.url));

/**
 * Builds the pages before the first file if they are out of date; a build during the tests would remove files of open
 * pages. Runs in a separate process, because Vitest's loader does not support import.meta.resolve.
 */
export function setup(): void {
  execFileSync(process.execPath, [BUILD], { stdio: 'inherit' });
}
