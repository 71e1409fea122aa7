/**
 * `npm start`. Plain JavaScript, because it may run on whatever Node the machine has: it looks whether `npm install` was run,
 * and goes on with the Node that came with it.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const node = inRoot(process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node');

function refuse(message) {
  process.stderr.write(`runsheet: ${message}\n`);
  process.exit(2);
}

if (!existsSync(inRoot('node_modules/fastify'))) refuse('run "npm install" first, then "npm start" again');

if (Number(process.versions.node.split('.')[0]) >= MAJOR) {
  await import('./start.ts');
} else if (existsSync(node)) {
  const child = spawn(node, [inRoot('scripts/start.js')], { stdio: 'inherit' });
  // A signal to this process alone is passed on; one from the terminal reaches the child by itself as well.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
} else {
  refuse(`Node ${MAJOR} is missing: run "npm install" again, and let it run the install script of the package "node"`);
}
