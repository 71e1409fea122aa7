/** A backup made under load with the operator's commands, and the behaviour of a portal on the restored data. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '#server/db/embedded/running-postgres.ts';
import { nodeOptions } from '#test/support/child-options.ts';
import { CLI_MAIN } from '#test/support/server-program.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { rounds } from '#test/support/test-set.ts';
import { untilProgress } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, endedRuns, untilNothingPending } from './check-runs.ts';
import { cleanUp, launch, temporaryFolder, TEST_TIMEOUT_MS, untilSucceeded } from './fault-bench.ts';
import { doublingWorkbook, startLoad } from './load.ts';
import { portalClient, type PortalClient } from './portal-client.ts';
import type { ServerProcess } from './server-process.ts';

const SUCCEEDED = rounds(10, 40);
const run = promisify(execFile);

async function command(name: string, dataDir: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...nodeOptions(), RUNSHEET_DATA_DIR: dataDir };
  try {
    const { stdout, stderr } = await run(process.execPath, [CLI_MAIN, name, ...args], { env });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

async function startPortal(dataDir: string): Promise<ServerProcess> {
  const portal = launch('portal', { RUNSHEET_DATA_DIR: dataDir });
  // Stop instead of kill, which would leave its database behind.
  cleanUp(() => portal.stop());
  await portal.start();
  return portal;
}

/** Returns the rows of ended runs and of everything that belongs to them, which never change again. */
async function endedRows({ knex }: Database, ids: readonly number[]): Promise<unknown> {
  const children = ['RunInputs', 'RunOutputs', 'RunLogEntries'];
  const rows: Record<string, string[]> = { ActivityRuns: [] };
  const sorted = (found: object[]): string[] => found.map((row) => JSON.stringify(row)).toSorted();
  rows['ActivityRuns'] = sorted((await knex('ActivityRuns').whereIn('Id', ids)) as object[]);
  for (const table of children) {
    rows[table] = sorted((await knex(table).whereIn('ActivityRunId', ids)) as object[]);
  }
  const outputs = knex('RunOutputs').whereIn('ActivityRunId', ids).whereNotNull('FileId').select('FileId');
  rows['StoredFiles'] = sorted((await knex('StoredFiles').whereIn('FileId', outputs)) as object[]);
  return rows;
}

async function tokenFor(dataDir: string): Promise<string> {
  const database = createDatabase({ url: await findRunningPostgres(dataDir) });
  try {
    return (await administratorToken(database)).token;
  } finally {
    await database.close();
  }
}

async function publish(client: PortalClient): Promise<{ Id: number; inputId: number }[]> {
  const fields = { Id: '0', Schema: 'General', Name: 'Parallel', SingleRun: 'false' };
  const Id = await client.upload(fields, 'double.xlsx', await doublingWorkbook());
  return [{ Id, inputId: await client.inputId(Id) }];
}

test(
  'a backup under load has every run acknowledged before it, and the portal that is restored from it continues',
  async (context) => {
    context.skip(process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined, 'The embedded PostgreSQL is backed up');
    const folder = await temporaryFolder();
    const [from, to, backups] = ['from', 'to', 'backups'].map((name) => join(folder, name)) as [string, string, string];
    await mkdir(backups);
    const first = await startPortal(from);
    const client = portalClient(() => first.address, await tokenFor(from));
    const load = startLoad(client, await publish(client), seededRandom(7), 3);
    await untilSucceeded(client, SUCCEEDED);
    const acknowledged = new Map(load.acknowledged);
    const source = createDatabase({ url: await findRunningPostgres(from) });
    const endedBefore = await endedRuns(source.knex);
    await source.close();

    const backup = await command('backup', from, backups, '--keep', '2');
    expect(backup, backup.text).toMatchObject({ code: 0 });
    const startedByThen = load.acknowledged.size;
    await untilProgress(
      'the load goes on',
      () => load.acknowledged.size,
      (size) => size > startedByThen + 5,
    );
    await load.stop();
    const names = await readdir(backups);
    expect(names).toHaveLength(2);
    const path = join(
      backups,
      names.find((name) => name.endsWith('.zip'))!,
    );

    // A restore onto the running portal is refused.
    expect(await command('restore', from, path)).toMatchObject({ code: 2, text: expect.stringMatching(/in use/) });
    await first.stop();
    await mkdir(to);
    await copyFile(join(from, 'secret.key'), join(to, 'secret.key'));
    const restored = await command('restore', to, path);
    expect(restored, restored.text).toMatchObject({ code: 0 });
    expect(restored.text).not.toMatch(/secret key/);
    const verified = await command('verify-data', to, '--read');
    expect(verified, verified.text).toMatchObject({ code: 0 });

    // Compares row by row with the portal that was backed up.
    const log = pino({ level: 'silent' });
    const servers = [await startEmbeddedPostgres(from, log), await startEmbeddedPostgres(to, log)];
    const [original, copy] = servers.map(({ url }) => createDatabase({ url })) as [Database, Database];
    try {
      const ended = [...(await endedRuns(copy.knex)).keys()];
      expect(ended.length).toBeGreaterThanOrEqual(endedBefore.size);
      expect(await endedRows(copy, ended)).toEqual(await endedRows(original, ended));
      const ids = new Set(await copy.knex('ActivityRuns').pluck('UniqueId'));
      expect([...acknowledged.keys()].filter((id) => !ids.has(id))).toEqual([]);
    } finally {
      await Promise.all([original.close(), copy.close()]);
      for (const server of servers) await server.stop();
    }

    await startPortal(to);
    const after = createDatabase({ url: await findRunningPostgres(to) });
    try {
      await untilNothingPending(after.knex);
      const counts = await checkRuns(after.knex, { acknowledged, endedBefore, files: join(to, 'files') });
      expect(counts['Succeeded']).toBeGreaterThan(SUCCEEDED / 2);
    } finally {
      await after.close();
    }
  },
  TEST_TIMEOUT_MS,
);
