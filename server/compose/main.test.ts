import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { nodeOptions } from '#test/support/child-options.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { SERVER_MAIN } from '#test/support/server-program.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';
import { startServer } from './start-server.ts';

let database: TestDatabase;
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  database = await testDatabase({ migrated: false });
  folder = await mkdtemp(join(tmpdir(), 'runsheet-main-'));
});
afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  output: () => string;
  /** Resolves when the output matches, or when the process has ended. */
  says(pattern: RegExp): Promise<RegExpExecArray | null>;
  exitCode: Promise<number | null>;
}

function start(settings: Record<string, string> = {}, stdio: StdioOptions = ['ignore', 'pipe', 'pipe']): Started {
  const env = {
    PATH: process.env['PATH'],
    RUNSHEET_DATA_DIR: folder,
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_PORT: '0',
    RUNSHEET_SAMPLES: 'false',
    ...nodeOptions(),
    ...settings,
  };
  const child = spawn(process.execPath, [SERVER_MAIN], { env, stdio });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    output: () => text,
    exitCode,
    says: async (pattern) => {
      const ended = exitCode.then(() => 'ended');
      while (!pattern.test(text)) {
        if ((await Promise.race([once(child.stdout!, 'data'), ended])) === 'ended') break;
      }
      return pattern.exec(text);
    },
  };
}

test('the first start prints address and password, a later one the address alone; a signal ends it in good order, also where nobody reads its output', async () => {
  const first = start();
  const [, address = ''] = (await first.says(/is at (http:\S+)/)) ?? [];
  expect(await (await fetch(`${address}/api/health`)).json()).toEqual({ result: { Status: 'ok' } });
  expect((await first.says(/password {3}(\S{16})\n/))?.[1]).toBeDefined();
  first.child.kill('SIGTERM');
  expect(await first.exitCode).toBe(0);

  const second = start({ RUNSHEET_SCHEMAS: 'Finance, General' });
  const [, again = ''] = (await second.says(/is at (http:\S+)/)) ?? [];
  // Readers of the output may disappear, like the end of a pipe.
  second.child.stdout!.destroy();
  second.child.stderr!.destroy();
  expect((await fetch(`${again}/api/health`)).status).toBe(200);
  second.child.kill('SIGINT');
  expect(await second.exitCode).toBe(0);
  expect(second.output()).not.toContain('password');
  expect(await database.knex('Schemas').orderBy('Order').pluck('Name')).toEqual(['General', 'Samples', 'Finance']);
});

test('what an operator must fix is said in one line, without secrets', async () => {
  const started = start({
    RUNSHEET_LOG_LEVEL: 'silent',
    RUNSHEET_DATABASE_URL: 'postgres://x:secret@127.0.0.1:1/none',
  });
  expect(await started.exitCode).toBe(2);
  expect(started.output()).toMatch(/^runsheet: the database cannot be reached.*\n$/);
  expect(started.output()).not.toContain('secret');
});

test.runIf(isFullSet)(
  'a port that is taken, and a worker without a database to share, are for the operator to fix',
  async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const RUNSHEET_PORT = String((blocker.address() as AddressInfo).port);
    const shared = { RUNSHEET_DATA_DIR: folder, RUNSHEET_DATABASE_URL: database.url, RUNSHEET_SAMPLES: 'false' };
    const refusal = async (settings: Record<string, string>): Promise<unknown> =>
      startServer({ config: loadConfig(settings), log: pino({ level: 'silent' }), onAdministrator: () => {} }).then(
        (server) => server.stop(),
        (error: unknown) => error,
      );
    expect(await refusal({ ...shared, RUNSHEET_PORT })).toMatchObject({
      name: 'StartError',
      message: `port ${RUNSHEET_PORT} is in use: set RUNSHEET_PORT to another port`,
    });
    blocker.close();
    expect(await refusal({ RUNSHEET_DATA_DIR: folder, RUNSHEET_ROLE: 'worker' })).toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/RUNSHEET_DATABASE_URL$/),
    });
  },
);

/** Returns the port on which a process listens for TCP, from proc(5), for processes whose output does not say it. */
async function listeningPort(pid: number): Promise<number | undefined> {
  const names = await readdir(`/proc/${pid}/fd`);
  const files = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  const lines = ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''));
  for (const line of (await Promise.all(lines)).join('\n').split('\n')) {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    // 0A is LISTEN.
    if (state === '0A' && files.includes(`socket:[${inode}]`)) return Number.parseInt(local.split(':')[1]!, 16);
  }
  return undefined;
}

test.runIf(isFullSet)('lives on while its output cannot be written, as on a full disk', async (context) => {
  context.skip(process.platform !== 'linux', 'there is no /dev/full');
  const full = await open('/dev/full', 'w');
  const { child } = start({ RUNSHEET_LOG_LEVEL: 'debug' }, ['ignore', full.fd, full.fd]);
  await full.close();
  const port = await until('it listens', async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    return listeningPort(child.pid!);
  });
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/api/health`)).status;
  for (let calls = 0; calls < 20; calls++) expect(await ask()).toBe(200);
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
});
