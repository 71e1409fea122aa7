/**
 * `npm run desktop:test`: runs the suite of the desktop client on the Electron that RUNSHEET_TEST_ELECTRON names.
 * Prints the reason if it cannot run.
 */
import { spawnSync } from 'node:child_process';
import { buildDesktop } from '../build/build-desktop.ts';
import { chromiumPath } from './chromium.ts';
import { whyNoElectron } from './electron-runtime.ts';

const missing = whyNoElectron();
if (missing !== '') console.log(`skipped: the suite of the desktop client, ${missing}`);
else if (!chromiumPath({ install: true })) process.exitCode = 1;
else {
  // Builds once for all test files, which run in parallel.
  const env = { ...process.env, RUNSHEET_TEST_DESKTOP: buildDesktop() };
  const { status } = spawnSync('npx', ['vitest', 'run', 'test/desktop'], { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
}
