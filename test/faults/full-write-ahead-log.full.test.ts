/**
 * The disk of the write-ahead log is full under load, which stops PostgreSQL: nothing is lost or duplicated, and work
 * continues automatically once there is space.
 */
import { execFile } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { clusterPaths } from '#server/db/embedded/cluster.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, endedRuns, untilNothingPending } from './check-runs.ts';
import {
  cleanUp,
  eventually,
  fillDisk,
  launch,
  mountSmallDisk,
  publish,
  singleStarts,
  temporaryFolder,
  TEST_TIMEOUT_MS,
  untilSucceeded,
} from './fault-bench.ts';
import { startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';

const execute = promisify(execFile);
const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const log = pino({ level: 'silent' });

/** Starts a cluster whose write-ahead log is on a separate disk. */
async function startWithLogOn(disk: string, folder: string) {
  const first = await startEmbeddedPostgres(folder, log);
  await first.stop();
  const own = join(clusterPaths(folder).cluster, 'pg_wal');
  const moved = join(disk, 'pg_wal');
  await execute('cp', ['-a', own, moved]);
  await rm(own, { recursive: true });
  await symlink(moved, own);
  const embedded = await startEmbeddedPostgres(folder, log);
  cleanUp(() => embedded.stop());
  return embedded;
}

test(
  `a write-ahead log that has no room left loses no run and doubles none (seed ${random.seed})`,
  async (context) => {
    context.skip(
      process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined,
      'The disk of the embedded PostgreSQL is filled by `npm test`',
    );
    const disk = await temporaryFolder();
    await mountSmallDisk(context, disk, 100);
    const embedded = await startWithLogOn(disk, await temporaryFolder());
    const database = createDatabase({ url: embedded.url, poolSize: 2 });
    cleanUp(() => database.close());
    const superuser = createDatabase({ url: embedded.adminUrl('postgres'), poolSize: 1 });
    cleanUp(() => superuser.close());
    const { knex } = database;
    const dataDir = await temporaryFolder();
    const server = launch('portal', { RUNSHEET_DATABASE_URL: embedded.url, RUNSHEET_DATA_DIR: dataDir });
    await server.start();
    const { token } = await administratorToken(database);
    const client = portalClient(() => server.address, token);
    const activities = await publish(client);
    const load = startLoad(client, activities, random, 3);
    await untilSucceeded(client, 5);
    const endedBefore = await endedRuns(knex);

    const starts = singleStarts(server, token, activities[0]!);
    const ballast = join(disk, 'ballast');
    const before = embedded.pid();
    const isGone = (): boolean => {
      try {
        process.kill(before, 0);
        return false;
      } catch {
        return true;
      }
    };
    await eventually('PostgreSQL has stopped', async () => {
      await fillDisk(disk, ballast);
      // Uses up the existing log files.
      await superuser.knex.raw('select pg_switch_wal()').catch(() => {});
      return isGone();
    });
    expect((await starts.tryOne()).status, 'people are told that the database is away').toBe(503);
    await rm(ballast);
    // It recovers without intervention.
    await eventually('a start is taken', async () => (await starts.tryOne()).status === 200);
    await untilSucceeded(client, endedBefore.size + 5);
    await load.stop();
    await untilNothingPending(knex);

    const acknowledged = new Map([...load.acknowledged, ...starts.acknowledged]);
    const counts = await checkRuns(knex, { acknowledged, endedBefore, files: join(dataDir, 'files') });
    expect(counts['Succeeded']).toBeGreaterThan(5);
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);
