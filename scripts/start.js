/**
 * Runs `npm start`, `npm test` (as `start.js test`) and the command line (as `start.js command`). It is plain
 * JavaScript, because it may run on any Node version that the machine has. It installs the packages if `npm install`
 * was not run, and continues with the Node that came with them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const node = inRoot(process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node');

function refuse(message) {
  process.stderr.write(`runsheet: ${message}\n`);
  process.exit(2);
}

const isNewEnough = Number(process.versions.node.split('.')[0]) >= MAJOR;
/** npm writes this file when an installation is complete. */
const isInstalled = () => existsSync(inRoot('node_modules/.package-lock.json')) && (isNewEnough || existsSync(node));

function install() {
  process.stderr.write('runsheet: installing packages, which takes a minute or two …\n');
  const { status } = spawnSync('npm', ['install'], {
    cwd: inRoot(''),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) refuse('the packages could not be installed: run "npm install" and look at what it says');
  if (!isInstalled())
    refuse(`Node ${MAJOR} is missing: let "npm install" run the install script of the package "node"`);
}

const [task = 'start'] = process.argv.slice(2);
const scripts = { start: './start.ts', test: './test.ts', command: '../server/cli/main.ts' };
if (!(task in scripts)) refuse(`there is nothing called ${task} to start`);

if (!isInstalled()) install();

if (isNewEnough) {
  // The cache is inside the program's folder. In the temporary folder, others could place their own code. If it is not
  // writable, no cache is used.
  module.enableCompileCache(inRoot('.cache/compiled'));
  process.argv.splice(2, 1);
  await import(scripts[task]);
} else {
  const child = spawn(node, [inRoot('scripts/start.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
  // Forwards a signal that only this process receives. A signal from the terminal also reaches the child directly.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
