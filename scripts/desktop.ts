/**
 * `npm run desktop`: builds the desktop client and starts it, on the Electron that RUNSHEET_ELECTRON names, or else that of the package
 * `electron`, which it fetches at its first start.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildDesktop } from './build-desktop.ts';

const own = process.env['RUNSHEET_ELECTRON'];
const app = buildDesktop();
const [command, args] = own
  ? [own, [app]]
  : [process.execPath, [fileURLToPath(new URL('./cli.js', import.meta.resolve('electron/package.json'))), app]];
const child = spawn(command, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`Electron could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  if (code !== 0 && !own) {
    console.error(
      'Where Electron cannot be fetched, RUNSHEET_ELECTRON may name the executable of one (docs/desktop.md).',
    );
  }
  process.exitCode = code ?? 1;
});
