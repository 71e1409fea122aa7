/**
 * `npm run desktop`: builds and starts the desktop client. Uses the Electron that RUNSHEET_ELECTRON names, or that of
 * the package `electron`, which downloads it at the first start.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDesktop } from '../build/build-desktop.ts';

const own = process.env['RUNSHEET_ELECTRON'];
const app = buildDesktop();
const copy = own && !acceptsAppArgument(own) ? withApp(own, app) : null;
const [command, args] = own
  ? [copy ?? own, copy ? [] : [app]]
  : [process.execPath, [fileURLToPath(new URL('./cli.js', import.meta.resolve('electron/package.json'))), app]];
const child = spawn(command, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`Electron could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  if (copy) rmSync(dirname(copy), { recursive: true, force: true });
  if (code !== 0 && !own) {
    console.error(
      'If Electron cannot be downloaded, set RUNSHEET_ELECTRON to the path of an executable (docs/desktop.md).',
    );
  }
  process.exitCode = code ?? 1;
});

/**
 * True if the Electron starts the app given as an argument, as released versions do. A packaged Electron starts only
 * its own app.
 */
function acceptsAppArgument(executable: string): boolean {
  return existsSync(join(dirname(executable), 'resources/default_app.asar'));
}

/** Copies the runtime and puts the app into it. Returns the path of its executable. */
function withApp(executable: string, folder: string): string {
  const runtime = mkdtempSync(join(tmpdir(), 'runsheet-electron-'));
  cpSync(dirname(executable), runtime, { recursive: true });
  rmSync(join(runtime, 'resources/app'), { recursive: true, force: true });
  symlinkSync(folder, join(runtime, 'resources/app'));
  return join(runtime, basename(executable));
}
