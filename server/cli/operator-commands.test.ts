/** Exit codes of the operator's commands, by which a script or a scheduler learns that something is wrong. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeOptions } from '#test/support/child-options.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { CLI_MAIN } from '#test/support/server-program.ts';
import { runCommand } from './program.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await testDatabase({ isPostgres: true });
  folder = await mkdtemp(join(runFolder(), 'operator-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const settings = (): Record<string, string> => ({
  RUNSHEET_DATA_DIR: join(folder, 'data'),
  RUNSHEET_DATABASE_URL: database.url,
});

/** Runs a command in this process: to start one takes far longer than most commands. */
async function runsheet(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    print: (text: string) => out.push(`${text}\n`),
    tell: (text: string) => err.push(`${text}\n`),
    env: { ...settings(), ...env },
  };
  const code = await runCommand(args, terminal);
  return { code, out: out.join(''), err: err.join('') };
}

/** Starts the program as a script does. */
async function startProgram(...args: string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], ...nodeOptions(), ...settings() };
  const child = spawn(process.execPath, [CLI_MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

test('commands that find nothing wrong end with 0', async () => {
  const backups = join(folder, 'backups');
  await mkdir(backups);
  expect(await runsheet(['migrate'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The tables are up to date/),
  });
  expect(await runsheet(['verify-data', '--read'])).toMatchObject({ code: 0, err: '' });
  expect(await runsheet(['verify-security-log'])).toMatchObject({ code: 0, err: '' });
  expect(await runsheet(['replay'])).toMatchObject({ code: 0, err: '' });
  expect(await runsheet(['backup', backups, '--keep', '2'])).toMatchObject({ code: 0, err: '' });
});

test.each([
  [['backup'], {}, "missing required argument 'target'"],
  [['backup', 'a', 'b'], {}, 'too many arguments'],
  [['backup', '.', '--keep', '0'], {}, 'runsheet: "0" is not a whole number of at least 1'],
  [['verify-data', '--deeply'], {}, "unknown option '--deeply'"],
  [['verify-security-log', '7'], {}, 'runsheet: the row expected is written ID:HASH'],
  [['verify-data'], { RUNSHEET_PORT: 'x' }, 'runsheet: RUNSHEET_PORT'],
  [['restore', 'nowhere.zip'], {}, 'runsheet: nowhere.zip is no backup that can be read'],
])('%j with settings %j ends with 2 and says why', async (args, env, message) => {
  const { code, err } = await runsheet(args, env);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

test('a check that finds damage ends the program with 1', async () => {
  const lost = { FileId: 'lost', StoreKey: 'a'.repeat(48), FileName: 'lost.txt', ContentLength: 1, Sha256: 'x' };
  await database.knex('StoredFiles').insert({ ...lost, Purpose: 'output' });
  const { code, err } = await startProgram('verify-data');
  expect(err).toContain('1 files are missing in the store: lost');
  expect(code).toBe(1);

  const backup = await runsheet(['backup', join(folder, 'damaged.zip')]);
  expect(backup).toMatchObject({ code: 1, err: expect.stringContaining('1 files are missing or not as they were') });
  const log = await runsheet(['verify-security-log', `9:${'0'.repeat(64)}`]);
  expect(log).toMatchObject({ code: 1, err: expect.stringContaining('is not as it was written') });
});
