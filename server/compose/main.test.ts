import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { nodeOptions } from '#test/support/child-options.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { until } from '#test/support/until.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

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
  /** Waits until the output says so, or the process has ended. */
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
  const child = spawn(process.execPath, [MAIN], { env, stdio });
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

test('the first start prints address and password, a later one the address alone; a signal ends it in good order', async () => {
  const first = start();
  const [, address = ''] = (await first.says(/is at (http:\S+)/)) ?? [];
  expect(await (await fetch(`${address}/api/health`)).json()).toEqual({ result: { Status: 'ok' } });
  expect((await first.says(/password {3}(\S{16})\n/))?.[1]).toBeDefined();
  first.child.kill('SIGTERM');
  expect(await first.exitCode).toBe(0);

  const second = start({ RUNSHEET_SCHEMAS: 'Finance, General' });
  await second.says(/is at (http:\S+)/);
  second.child.kill('SIGINT');
  expect(await second.exitCode).toBe(0);
  expect(second.output()).not.toContain('password');
  expect(await database.knex('Schemas').orderBy('Order').pluck('Name')).toEqual(['General', 'Samples', 'Finance']);
  // Two servers start one after the other, the first with all migrations: on a busy machine that takes its time.
});

test('what an operator must mend is said in one line', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const port = String((blocker.address() as AddressInfo).port);
  const taken = start({ RUNSHEET_PORT: port, RUNSHEET_LOG_LEVEL: 'silent' });
  expect(await taken.exitCode).toBe(2);
  expect(taken.output()).toContain(`runsheet: port ${port} is taken: set RUNSHEET_PORT to another\n`);
  blocker.close();
});

test.each<[Record<string, string>, RegExp]>([
  [{ RUNSHEET_ROLE: 'worker', RUNSHEET_DATABASE_URL: '' }, /^runsheet: .*RUNSHEET_DATABASE_URL\n$/],
  [{ RUNSHEET_DATABASE_URL: 'postgres://x:secret@127.0.0.1:1/none' }, /^runsheet: the database cannot be reached.*\n$/],
  [{ RUNSHEET_PORT: 'many' }, /^runsheet: RUNSHEET_PORT must be .*\n$/],
])('with %j it does not start', async (settings, line) => {
  const started = start({ RUNSHEET_LOG_LEVEL: 'silent', ...settings });
  expect(await started.exitCode).toBe(2);
  expect(started.output()).toMatch(line);
  expect(started.output()).not.toContain('secret');
});

test('whoever reads the output may go: it works on, and a signal ends it as ever', async () => {
  const { child, exitCode, ...started } = start();
  const [, address] = (await started.says(/is at (http:\S+)/))!;
  child.stdout!.destroy();
  child.stderr!.destroy();
  expect((await fetch(`${address}/api/health`)).status).toBeLessThan(500);
  child.kill('SIGTERM');
  expect(await exitCode).toBe(0);
});

test('lives on while its output cannot be written, as on a full disk', async (context) => {
  context.skip(process.platform !== 'linux', 'there is no /dev/full');
  const full = await open('/dev/full', 'w');
  // An address of this test alone, as the one it would tell cannot be read.
  const settings = { RUNSHEET_HOST: '127.77.16.1', RUNSHEET_PORT: '18016', RUNSHEET_LOG_LEVEL: 'debug' };
  const { child } = start(settings, ['ignore', full.fd, full.fd]);
  await full.close();
  const ask = () =>
    fetch('http://127.77.16.1:18016/api/health').then(
      ({ status }) => status,
      () => 0,
    );
  await until('it answers', async () => (await ask()) === 200 || child.exitCode !== null);
  for (let calls = 0; calls < 20; calls++) expect(await ask()).toBe(200);
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
});
