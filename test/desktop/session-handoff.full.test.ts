/**
 * A program of the same user requests a session from the running client; other users of the machine, and pages, get
 * nothing.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import { clientPortal, type ClientPortal, type Person } from './support/client-portal.ts';
import { openPortal, type Bridged } from './support/pages.ts';
import { createMachine, USER, type Client, type Machine } from './support/runtime.ts';

const ADD_IN = fileURLToPath(new URL('../../scripts/add-in-client.ts', import.meta.url));
const OTHER_USER = 65_533;
const missing = whyNoElectron();
const isRoot = process.getuid?.() === 0;

describe.skipIf(missing !== '')('hand-off to a program of this computer', () => {
  let portal: ClientPortal;
  let person: Person;
  let machine: Machine;
  let client: Client;

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    person = await portal.createPerson();
    client = await machine.start();
  });
  afterAll(async () => {
    await client?.close();
    await machine?.remove();
  });

  const userData = (): string => join(machine.home, '.config/Runsheet');

  /** Returns the command to run as a user of the machine, as far as this process may switch users. */
  const as = (uid: number): [string, string[]] =>
    isRoot ? ['setpriv', ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups']] : ['env', []];

  /** Starts the reference program; `said.text` is its output so far. */
  function startAddIn(uid: number, home: string, more: Record<string, string> = {}) {
    const [command, args] = as(uid);
    const env = { PATH: process.env['PATH'], HOME: home, ...more };
    const child = spawn(command, [...args, process.execPath, ADD_IN, portal.address], { env, cwd: '/' });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said.text += chunk));
    return { said, ended: once(child, 'close'), end: () => child.kill() };
  }

  test('asks in a window, and gives the program a session once the person chose Continue', async () => {
    const page = await openPortal(client, portal, person);
    const addIn = startAddIn(isRoot ? USER : process.getuid!(), machine.home);
    await expect.poll(() => addIn.said.text).toContain('Please choose Continue in the desktop client');
    await expect.poll(() => client.app.windows().length).toBe(2);
    const asking = client.app.windows().find((one) => one !== page)!;
    await asking.getByRole('heading', { name: 'Sign in to excel' }).waitFor();
    // The previous page is unchanged, with everything typed there.
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
    const closed = asking.waitForEvent('close');
    await asking.getByRole('button', { name: 'Continue' }).click();
    await asking.getByText('Login successful. Please click Continue in the Login Window in Excel.').waitFor();
    await addIn.ended;
    expect(addIn.said.text).toContain(`Signed in as ${person.userName}`);
    await closed;
    expect(client.app.windows()).toHaveLength(1);
  });

  test('a page that makes a code itself brings it nowhere', async () => {
    const page = await client.window('app');
    await page.evaluate(() =>
      (window as unknown as Bridged).runsheet.leaveForProgram('http://127.0.0.1:22222/?code=abc&state=x'),
    );
    await expect.poll(() => client.log()).toContain('a code that no program had asked for');
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });

  test('another user of the machine reads nothing of what the client keeps, and is handed nothing', async (context) => {
    if (!isRoot) context.skip('only root can become another user');
    const file = join(userData(), 'handoff.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1, pid: expect.any(Number) });
    const [command, args] = as(OTHER_USER);
    const other = (...what: string[]) =>
      promisify(execFile)(command, [...args, ...what]).then(
        ({ stdout }) => stdout,
        (error: { stderr: string }) => error.stderr,
      );
    expect(await other('cat', file)).toContain('Permission denied');
    expect(await other('ls', userData())).toContain('Permission denied');
    const home = await mkdtemp(join(tmpdir(), 'runsheet-other-'));
    // Even if the other program knows where to look.
    const addIn = startAddIn(OTHER_USER, home, { XDG_CONFIG_HOME: join(machine.home, '.config') });
    await expect.poll(() => addIn.said.text).toContain('Open this address in your browser');
    expect(client.app.windows()).toHaveLength(1);
    addIn.end();
    await addIn.ended;
    expect(addIn.said.text).not.toContain('Signed in');
    await rm(home, { recursive: true });
  });

  test('the file goes with the program, which makes another at its next start', async () => {
    const file = join(userData(), 'handoff.json');
    const before = await readFile(file, 'utf8');
    await client.close();
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    const addIn = startAddIn(isRoot ? USER : process.getuid!(), machine.home);
    await expect.poll(() => addIn.said.text).toContain('Open this address in your browser');
    expect(addIn.said.text).toContain('the desktop client is not running');
    addIn.end();
    await addIn.ended;
    client = await machine.start();
    await client.window('app');
    await expect.poll(() => readFile(file, 'utf8').catch(() => before)).not.toBe(before);
  });
});
