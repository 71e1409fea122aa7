/** `npm run desktop:test`: the suite of the desktop client on the Electron that RUNSHEET_TEST_ELECTRON names. Says so where it cannot run. */
import { spawnSync } from 'node:child_process';
import { whyNoElectron } from './electron-runtime.ts';

const missing = whyNoElectron();
if (missing !== '') console.log(`skipped: the suite of the desktop client, ${missing}`);
else {
  const { status } = spawnSync('npx', ['vitest', 'run', 'test/desktop'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
