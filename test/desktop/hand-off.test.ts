/** A program of the same person asks the running client for a session; another user of the machine, and pages, get nothing. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPortal, type Portal } from '../e2e/support/portal.ts';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import { createMachine, USER, type Client, type Machine } from './support/runtime.ts';

const PASSWORD = 'Newcomer-Pass-1';
const ADD_IN = fileURLToPath(new URL('../../scripts/add-in-client.ts', import.meta.url));
const missing = whyNoElectron();
const isRoot = process.getuid?.() === 0;

describe.skipIf(missing !== '')('hand-off to a program of this computer', () => {
  let portal: Portal;
  let machine: Machine;
  let client: Client;

  beforeAll(async () => {
    [portal, machine] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), createMachine()]);
    client = await machine.start();
  });
  afterAll(async () => {
    await client?.close();
    await machine?.remove();
    await portal?.stop();
  });

  const userData = (): string => join(machine.home, '.config/Runsheet');

  /** Runs as a user of the machine, as far as this one may become another. */
  const as = (uid: number): [string, string[]] =>
    isRoot ? ['setpriv', ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups']] : ['env', []];

  /** The reference program: what it says until it ends or `until` is said. */
  function startAddIn(uid: number, home: string) {
    const [command, args] = as(uid);
    const env = { PATH: process.env['PATH'], HOME: home };
    const child = spawn(command, [...args, process.execPath, ADD_IN, portal.address], { env, cwd: '/' });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said.text += piece));
    return { said, ended: once(child, 'close'), end: () => child.kill() };
  }

  test('asks in a window, and gives the program a session once the person chose Continue', async () => {
    const servers = await client.window('servers');
    await servers.getByLabel('Address').fill(portal.address);
    await servers.getByRole('button', { name: 'Add' }).click();
    const page = await client.window('app');
    await page.getByLabel('Username').fill(portal.userName);
    await page.getByLabel('Password', { exact: true }).fill(portal.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByLabel('New Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm New Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();

    const addIn = startAddIn(isRoot ? USER : process.getuid!(), machine.home);
    await expect.poll(() => addIn.said.text).toContain('Please choose Continue in the desktop client');
    await expect.poll(() => client.app.windows().length).toBe(2);
    const asking = client.app.windows().find((one) => one !== page)!;
    await asking.getByRole('heading', { name: 'Sign in to excel' }).waitFor();
    // The page before it stays where it was, with whatever was typed there.
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
    const closed = asking.waitForEvent('close', { timeout: 30_000 });
    await asking.getByRole('button', { name: 'Continue' }).click();
    await asking.getByText('Login successful. Please click Continue in the Login Window in Excel.').waitFor();
    await addIn.ended;
    expect(addIn.said.text).toMatch(/Signed in as admin/);
    await closed;
    expect(client.app.windows()).toHaveLength(1);
  });

  test('a page that makes a code itself brings it nowhere', async () => {
    const page = await client.window('app');
    await page.evaluate(() =>
      (window as unknown as { runsheet: { handOver(url: string): void } }).runsheet.handOver(
        'http://127.0.0.1:22222/?code=abc&state=x',
      ),
    );
    await expect.poll(() => client.log()).toContain('a code that no program had asked for');
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });

  test('another user of the machine reads nothing of what the client keeps, and is handed nothing', async (context) => {
    if (!isRoot) context.skip('only root can become another user');
    const file = join(userData(), 'handoff.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1, pid: expect.any(Number) });
    const [command, args] = as(65_533);
    const other = (...what: string[]) =>
      promisify(execFile)(command, [...args, ...what]).then(
        ({ stdout }) => stdout,
        (error: { stderr: string }) => error.stderr,
      );
    expect(await other('cat', file)).toContain('Permission denied');
    expect(await other('ls', userData())).toContain('Permission denied');
    const home = await mkdtemp(join(tmpdir(), 'runsheet-other-'));
    // Even where it is told where to look.
    const where = [`XDG_CONFIG_HOME=${join(machine.home, '.config')}`, `HOME=${home}`];
    const said = await other('env', ...where, 'timeout', '5', process.execPath, ADD_IN, portal.address);
    expect(said).not.toContain('Signed in');
    expect(client.app.windows()).toHaveLength(1);
    await rm(home, { recursive: true });
  });

  test('the file goes with the program, which makes another at its next start', async () => {
    const file = join(userData(), 'handoff.json');
    const before = await readFile(file, 'utf8');
    await client.close();
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    const addIn = startAddIn(isRoot ? USER : process.getuid!(), machine.home);
    await expect.poll(() => addIn.said.text).toContain('Open this address in your browser');
    expect(addIn.said.text).toContain('the desktop client does not run');
    addIn.end();
    client = await machine.start();
    await client.window('app');
    expect(await readFile(file, 'utf8')).not.toBe(before);
  });
});
