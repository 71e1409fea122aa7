import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../../scripts/build-renderer.ts', import.meta.url));

/**
 * Builds the pages before the first file, where they are not up to date: a build in the middle would take the files of pages that are open. In a
 * process of its own, as Vitest's loader knows no import.meta.resolve.
 */
export function setup(): void {
  execFileSync(process.execPath, [BUILD], { stdio: 'inherit' });
}
