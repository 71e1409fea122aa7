/** Commands on the embedded database: without a portal, in parallel, and while a portal starts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { findPostmaster } from '#server/db/embedded/postmaster-file.ts';
import { fillDataFolder } from '#test/support/made-cluster.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { withCommandDatabase } from './command-database.ts';

const log = pino({ level: 'silent' });
let dataDir: string;
let portal: EmbeddedPostgres | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(runFolder(), 'command-'));
  await fillDataFolder(dataDir);
});
afterEach(async () => {
  await portal?.stop();
  portal = undefined;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const command = <T>(name: string, work: (database: Database) => Promise<T>, isAlone = false): Promise<T> =>
  withCommandDatabase({ databaseUrl: '', dataDir }, log, work, { command: name, migrate: false, isAlone });
const answers = async ({ knex }: Database): Promise<void> => void (await knex.raw('select 1'));
const isUp = async (): Promise<boolean> => (await findPostmaster(join(dataDir, 'database/cluster'))) !== undefined;

test('a portal starts while a command works, and neither ends the other', async () => {
  await command('backup', async (database) => {
    await answers(database);
    portal = await startEmbeddedPostgres(dataDir, log, { durable: false });
    expect(portal.adopted).toBe(true);
    await answers(database);
  });
  const own = createDatabase({ url: portal!.url });
  await answers(own);
  await own.close();
  // In parallel to the running portal.
  await command('verify-data', answers);
  expect(await isUp()).toBe(true);
});

test('the last of several commands stops the database, also where another one brought it up', async () => {
  const [started, firstEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let later: Promise<void> | undefined;
  await command('backup', async () => {
    later = command('verify-data', async (database) => {
      started.resolve();
      await firstEnded.promise;
      await answers(database);
    });
    await started.promise;
  });
  expect(await isUp()).toBe(true);
  firstEnded.resolve();
  await later;
  expect(await isUp()).toBe(false);
});

test('a command that has to be alone keeps a portal out, which names it, and does not begin while another works', async () => {
  await command(
    'restore',
    async () => {
      await expect(startEmbeddedPostgres(dataDir, log)).rejects.toThrow(
        `the data folder ${dataDir} is in use by "runsheet restore" (process ${process.pid}); wait until it has ended, or stop it, and start again`,
      );
    },
    true,
  );
  await command('backup', async (database) => {
    await expect(command('restore', answers, true)).rejects.toThrow(
      `the data folder ${dataDir} is in use by other runsheet commands; wait until they have ended`,
    );
    await answers(database);
  });
});
