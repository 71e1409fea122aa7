#!/usr/bin/env node
/**
 * The command `runsheet` of the package. On an older Node version it continues with the Node of the package `node`, if
 * that is installed next to this package.
 */
import { spawn } from 'node:child_process';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;

function newerNode() {
  try {
    const folder = dirname(module.createRequire(import.meta.url).resolve('node/package.json'));
    return join(folder, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  } catch {
    process.stderr.write(
      `runsheet: Node ${MAJOR} or later is required, but this is ${process.versions.node}; run "npm install node@${MAJOR}" beside runsheet\n`,
    );
    return process.exit(2);
  }
}

if (Number(process.versions.node.split('.')[0]) >= MAJOR) {
  await import('../server/cli/main.js');
} else {
  const child = spawn(newerNode(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // Forwards a signal that only this process receives. A signal from the terminal also reaches the child directly.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`runsheet: Node ${MAJOR} cannot be started: ${error.message}\n`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
