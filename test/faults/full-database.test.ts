/** The disk of the database is full under load: people are told so, nothing is lost and nothing is there twice, and it goes on once there is room. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, endedRuns, untilNothingPending } from './check-runs.ts';
import { cleanUp, launch, publish, temporaryFolder, untilSucceeded } from './fault-bench.ts';
import { startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';

const execute = promisify(execFile);
const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const FULL = 'The database has no room left. Please tell an administrator.';
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** What is written ahead has room for a while, so that it is the tables that find none: without the former the whole server stops. */
async function makeRoomAhead(knex: Knex): Promise<void> {
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

test(`a database that has no room left loses no run and doubles none (seed ${random.seed})`, async (context) => {
  context.skip(
    process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined,
    'The disk of the embedded PostgreSQL is filled by `npm test`',
  );
  const disk = await temporaryFolder();
  const isMounted = await execute('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=711', 'tmpfs', disk]).then(
    () => true,
    () => false,
  );
  context.skip(!isMounted, 'a small disk is mounted by root alone');
  cleanUp(() => execute('umount', ['-l', disk]));
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
  await makeRoomAhead(knex);
  const load = startLoad(client, activities, random, 3);
  await untilSucceeded(client, 5);

  const own = new Map<string, { Id: number; double: number }>();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const [{ Id: ActivityId, inputId: ActivityParameterId }] = activities as [{ Id: number; inputId: number }];
  /** Tries to start a run; what it was answered. */
  async function tryToStart(): Promise<{ status: number; message: string | undefined }> {
    const UniqueId = randomUUID();
    const Inputs = [{ ActivityParameterId, Value: '21' }];
    const body = JSON.stringify({ ActivityId, ActivityVersion: 1, UniqueId, Inputs });
    const answer = await fetch(`${server.address}/api/activities/start`, { method: 'POST', headers, body });
    const { result, message } = (await answer.json()) as { result?: { Id: number }; message?: string };
    if (result) own.set(UniqueId, { Id: result.Id, double: 42 });
    return { status: answer.status, message };
  }

  const ballast = join(disk, 'ballast');
  await until('a start finds no room', async () => {
    const { bavail, bsize } = await statfs(disk);
    await writeFile(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' }).catch(() => {});
    const { status, message } = await tryToStart();
    return status === 507 && message === FULL;
  });
  const endedBefore = await endedRuns(knex);
  await rm(ballast);
  // It is well again without anybody's doing.
  await until('a start finds room', async () => (await tryToStart()).status === 200);
  await untilSucceeded(client, endedBefore.size + 5);
  await load.stop();
  await untilNothingPending(knex);

  const acknowledged = new Map([...load.acknowledged, ...own]);
  const counts = await checkRuns(knex, { acknowledged, endedBefore, files: join(dataDir, 'files') });
  expect(counts['Succeeded']).toBeGreaterThan(5);
  process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
}, 120_000);
