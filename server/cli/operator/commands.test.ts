/** CLI commands next to a running portal on its own database. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeOptions } from '#test/support/child-options.ts';
import { fillDataFolder } from '#test/support/made-cluster.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { CLI_MAIN, SERVER_MAIN } from '#test/support/server-program.ts';
import { untilProgress } from '#test/support/until.ts';

const run = promisify(execFile);

let folder: string;
let portal: ChildProcess;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(runFolder(), 'commands-'));
  // The state that an older version left.
  await chmod(folder, 0o755);
  await fillDataFolder(folder);
  env = {
    PATH: process.env['PATH'] ?? '',
    ...nodeOptions(),
    RUNSHEET_DATA_DIR: folder,
    RUNSHEET_PORT: '0',
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_ADMIN_PASSWORD: 'First-Horse-7',
  };
  portal = spawn(process.execPath, [SERVER_MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  // Leaving a loop over the stream would close it, but the portal must be able to continue writing.
  portal.stdout!.on('data', (chunk) => (text += String(chunk)));
  await untilProgress(
    'the portal is up',
    () => text,
    (said) => /is at http/.test(said),
  );
});
afterAll(async () => {
  portal.kill('SIGTERM');
  if (portal.exitCode === null) await once(portal, 'exit');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const command = async (name: string, ...args: string[]) =>
  (await run(process.execPath, [CLI_MAIN, name, ...args], { env })).stdout;

test('the log of security actions is verified, and the administrator gets a new password, while the portal runs', async () => {
  expect(await command('verify-security-log')).toMatch(/^2 security actions are unchanged\.\nThe last one is 2:/);
  expect(await command('reset-admin-password')).toMatch(/^The new password of 'admin' is \S{16}\n/);
  const said = await command('verify-security-log');
  expect(said).toMatch(/^3 security actions are unchanged\./);
  expect(portal.exitCode).toBeNull();
});

test.runIf(process.platform !== 'win32')(
  'nobody else reaches the data folder, which an older start left open',
  async () => {
    expect(((await stat(folder)).mode & 0o777).toString(8)).toBe('700');
  },
);
