/** Exit codes of the operator's commands, which tell scripts and schedulers that something is wrong. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastDataWork } from '#server/features/setup/data-records.ts';
import { nodeOptions } from '#test/support/child-options.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { CLI_MAIN } from '#test/support/server-program.ts';
import { until } from '#test/support/until.ts';
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

/** Runs a command in this process, because starting a process takes far longer than most commands. */
async function runsheet(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    print: (text: string) => out.push(`${text}\n`),
    printMessage: (text: string) => err.push(`${text}\n`),
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

test('a backup and a verification are recorded for the page Setup', async () => {
  const target = join(folder, 'recorded.zip');
  await database.knex('Settings').where('Name', 'like', 'Last%').delete();
  expect((await runsheet(['backup', target])).code).toBe(0);
  expect((await runsheet(['verify-data'])).code).toBe(0);
  expect(await lastDataWork(database, 'backup')).toMatchObject({ Files: 0, DamagedFiles: 0, HasDatabase: true });
  expect(await lastDataWork(database, 'verification')).toMatchObject({ MissingFiles: 0, IsLogIntact: true });
});

test('--keep deletes older backups and drafts of killed ones, and names what it cannot delete', async () => {
  const backups = join(folder, 'older-backups');
  const [older, killed, atWork] = ['20200101-021500.zip', '20200102-021500.zip.part', '20200103-021500.zip.part'].map(
    (name) => `runsheet-${name}`,
  ) as [string, string, string];
  // A folder with the name of a backup cannot be deleted as a file.
  const stuck = 'runsheet-20190101-021500.zip';
  await mkdir(join(backups, stuck), { recursive: true });
  for (const name of [older, `${older}.sha256`, killed, atWork, 'notes.txt']) await writeFile(join(backups, name), '');
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  await utimes(join(backups, killed), twoDaysAgo, twoDaysAgo);

  const { code, out, err } = await runsheet(['backup', backups, '--keep', '1']);
  expect(out).toContain(`Deleted the older file ${older}.\nDeleted the older file ${killed}.\n`);
  expect(err).toMatch(new RegExp(`^The older file ${stuck} could not be deleted: .*is a directory`));
  expect(code).toBe(1);
  const made = expect.stringMatching(/^runsheet-20[2-9]\d{5}-\d{6}\.zip(\.sha256)?$/);
  expect((await readdir(backups)).toSorted()).toEqual(['notes.txt', stuck, atWork, made, made]);
});

test.each([
  [['backup'], {}, "missing required argument 'target'"],
  [['backup', 'a', 'b'], {}, 'too many arguments'],
  [['backup', '.', '--keep', '0'], {}, 'runsheet: "0" is not a whole number of at least 1'],
  [['verify-data', '--deeply'], {}, "unknown option '--deeply'"],
  [['verify-security-log', '7'], {}, 'runsheet: write the expected row as ID:HASH'],
  [['verify-data'], { RUNSHEET_PORT: 'x' }, 'runsheet: RUNSHEET_PORT'],
  [['restore', 'nowhere.zip'], {}, 'runsheet: nowhere.zip is not a readable backup'],
])('%j with settings %j ends with 2 and says why', async (args, env, message) => {
  const { code, err } = await runsheet(args, env);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

test('a backup whose target cannot be written says why and leaves nothing', async () => {
  const missing = join(folder, 'missing');
  const taken = join(folder, 'taken.zip');
  await writeFile(`${taken}.part`, '');
  for (const [target, message] of [
    [missing, `there is no folder ${missing}: create it, or name a file that ends with .zip`],
    [join(missing, 'backup.zip'), `there is no folder ${missing}: create it`],
    [taken, `${taken}.part exists: another backup is writing it, or a backup was killed`],
  ] as const) {
    const { code, err } = await runsheet(['backup', target]);
    expect(err).toContain(`runsheet: ${message}`);
    expect(code).toBe(2);
  }
  expect(await readdir(folder)).not.toContain('missing');
});

test('a backup during which the database goes away says so and leaves nothing', async () => {
  const { knex } = database;
  const target = join(folder, 'cut-short');
  await mkdir(target);
  const waiting = knex('pg_stat_activity').whereRaw("datname = current_database() and wait_event_type = 'Lock'");
  const backup = await knex.transaction(async (trx) => {
    await trx.raw('lock table "Users" in access exclusive mode');
    const started = runsheet(['backup', target]);
    const pid = await until('the backup waits', async () => (await waiting.clone().first('pid'))?.pid as number);
    await knex.raw('select pg_terminate_backend(?)', [pid]);
    return started;
  });
  expect(backup.err).toMatch(
    /^runsheet: the database cannot be reached, or it closed the connection: .*terminat.*; check that it runs .*run the command again\n$/,
  );
  expect(backup.code).toBe(2);
  expect(await readdir(target)).toEqual([]);
});

test.each([['backup', 'backup.zip'], ['verify-data'], ['replay'], ['reset-admin-password'], ['verify-security-log']])(
  '%s does not set up a portal in a data folder that is not there',
  async (...args) => {
    const dataDir = join(folder, 'nothing');
    const { code, err } = await runsheet(args, { RUNSHEET_DATA_DIR: dataDir, RUNSHEET_DATABASE_URL: '' });
    expect(err).toBe(
      `runsheet: the data folder ${dataDir} contains no database: set RUNSHEET_DATA_DIR or RUNSHEET_DATABASE_URL to the values of the portal\n`,
    );
    expect(code).toBe(2);
    expect(await readdir(folder)).not.toContain('nothing');
  },
);

test('a check that finds damage ends the program with 1', async () => {
  const lost = { FileId: 'lost', StoreKey: 'a'.repeat(48), FileName: 'lost.txt', ContentLength: 1, Sha256: 'x' };
  await database.knex('StoredFiles').insert({ ...lost, Purpose: 'output' });
  const { code, err } = await startProgram('verify-data');
  expect(err).toContain('1 file is missing in the store: lost');
  expect(code).toBe(1);

  const backup = await runsheet(['backup', join(folder, 'damaged.zip')]);
  expect(backup).toMatchObject({ code: 1, err: expect.stringContaining('1 file is missing or was changed') });
  const log = await runsheet(['verify-security-log', `9:${'0'.repeat(64)}`]);
  expect(log).toMatchObject({ code: 1, err: expect.stringContaining('The log was changed: row 9') });
});
