/**
 * The database's disk is full under load: users get an error message, nothing is lost or duplicated, and work continues
 * once there is space.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
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

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const FULL = 'The database is full. Please tell an administrator.';
const SEGMENT_BYTES = 16 * 1024 * 1024;

/**
 * Ensures that the write-ahead log has space for a while: the tables then run out of space first. Otherwise the whole
 * server would stop.
 */
async function reserveWriteAheadSpace(knex: Knex): Promise<void> {
  const written = async (): Promise<number> => {
    const { rows } = (await knex.raw(
      'select (pg_walfile_name_offset(pg_current_wal_lsn())).file_offset as "Bytes"',
    )) as {
      rows: { Bytes: number }[];
    };
    return rows[0]!.Bytes;
  };
  while ((await written()) > SEGMENT_BYTES / 8)
    await knex
      .raw('create table "Ahead" as select repeat(?, 1000) as "Text" from generate_series(1, 2000)', ['x'])
      .then(() => knex.raw('drop table "Ahead"'));
}

test(
  `a database that has no room left loses no run and doubles none (seed ${random.seed})`,
  async (context) => {
    context.skip(
      process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined,
      'The disk of the embedded PostgreSQL is filled by `npm test`',
    );
    const disk = await temporaryFolder();
    await mountSmallDisk(context, disk, 200);
    const embedded = await startEmbeddedPostgres(disk, pino({ level: 'silent' }));
    cleanUp(() => embedded.stop());
    const database = createDatabase({ url: embedded.url, poolSize: 2 });
    cleanUp(() => database.close());
    const { knex } = database;
    const dataDir = await temporaryFolder();
    const server = launch('portal', { RUNSHEET_DATABASE_URL: embedded.url, RUNSHEET_DATA_DIR: dataDir });
    await server.start();
    const { token } = await administratorToken(database);
    const client = portalClient(() => server.address, token);
    const activities = await publish(client);
    await reserveWriteAheadSpace(knex);
    const load = startLoad(client, activities, random, 3);
    await untilSucceeded(client, 5);

    const starts = singleStarts(server, token, activities[0]!);
    const ballast = join(disk, 'ballast');
    await eventually('a start finds no room', async () => {
      await fillDisk(disk, ballast);
      const { status, message } = await starts.tryOne();
      return status === 507 && message === FULL;
    });
    const endedBefore = await endedRuns(knex);
    await rm(ballast);
    // It recovers without intervention.
    await eventually('a start finds room', async () => (await starts.tryOne()).status === 200);
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
