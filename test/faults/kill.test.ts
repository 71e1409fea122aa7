/**
 * Servers, workers and the embedded database are killed under load, at moments that chance decides. `npm run test:faults`;
 * RUNSHEET_FAULT_SEED repeats a run.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { findPostmaster } from '#server/db/embedded/postmaster-file.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, endedRuns, untilNothingPending, type EndedRuns } from './check-runs.ts';
import { cleanUp, launch, publish, temporaryDatabase, temporaryFolder, untilSucceeded } from './fault-bench.ts';
import { startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';

const log = pino({ level: 'silent' });
const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
/** Kills the embedded server, once it runs: it may still be coming back from the last time. */
async function killDatabase(dataDir: string): Promise<void> {
  await until('the embedded server runs', async () => {
    // Not whatever postmaster.pid says: while the server is started, that is the portal itself.
    const pid = await findPostmaster(join(dataDir, 'database', 'cluster'));
    try {
      return pid !== undefined && process.kill(pid, 'SIGKILL');
    } catch {
      return false;
    }
  });
}

test(
  `servers and workers that are killed lose no run and double none (seed ${random.seed})`,
  async () => {
    const database = await temporaryDatabase();
    const dataDir = await temporaryFolder();
    const shared = { RUNSHEET_DATABASE_URL: database.url, RUNSHEET_DATA_DIR: dataDir };
    const portal = launch('portal', shared);
    const workers = ['worker 1', 'worker 2'].map((name) => launch(name, { ...shared, RUNSHEET_ROLE: 'worker' }));
    await portal.start();
    await Promise.all(workers.map((worker) => worker.start()));
    const { token } = await administratorToken(database);
    const client = portalClient(() => portal.address, token);
    const [parallel, single] = await publish(client);
    const load = startLoad(client, [parallel!, parallel!, parallel!, parallel!, single!], random, 4);

    let endedBefore: EndedRuns = new Map();
    for (let kills = 0; kills < 9; kills++) {
      await pause(random.between(300, 1500));
      const victim = kills === 0 ? portal : random.pick([portal, ...workers]);
      await victim.kill();
      await pause(random.between(0, 400));
      await victim.start();
      if (kills === 5) {
        endedBefore = await until('some runs have ended', async () => {
          const ended = await endedRuns(database.knex);
          return ended.size > 0 && ended;
        });
      }
    }
    await untilSucceeded(client, 25);
    await load.stop();
    await untilNothingPending(database.knex);

    const counts = await checkRuns(database.knex, {
      acknowledged: load.acknowledged,
      endedBefore,
      files: join(dataDir, 'files'),
    });
    expect(counts['Succeeded']).toBeGreaterThan(20);
    expect(endedBefore.size).toBeGreaterThan(0);
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  onItsDatabase(120_000),
);

test(`an embedded database that is killed loses no run and doubles none (seed ${random.seed})`, async (context) => {
  context.skip(
    process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined,
    'The embedded PostgreSQL is killed by `npm test`',
  );
  const dataDir = await temporaryFolder();
  // Made first, so that the administrator of this test is in it.
  const portal = launch('portal', { RUNSHEET_DATA_DIR: dataDir });
  await portal.start();
  await portal.stop();
  const embedded = await startEmbeddedPostgres(dataDir, log);
  const database = createDatabase({ url: embedded.url });
  const { token } = await administratorToken(database);
  await database.close();
  await embedded.stop();

  await portal.start();
  const client = portalClient(() => portal.address, token);
  const load = startLoad(client, await publish(client), random, 3);
  for (let kills = 0; kills < 4; kills++) {
    await pause(random.between(700, 2000));
    await killDatabase(dataDir);
  }
  await pause(2000);
  // The portal and its database at once, as when a machine loses its power.
  await killDatabase(dataDir);
  await portal.kill();
  await portal.start();
  await untilSucceeded(client, 5);
  await load.stop();
  await until('no run is pending', async () => (await client.pending()) === 0, 30_000);
  await portal.stop();

  const after = await startEmbeddedPostgres(dataDir, log);
  cleanUp(() => after.stop());
  const checked = createDatabase({ url: after.url });
  cleanUp(() => checked.close());
  await untilNothingPending(checked.knex);
  const files = join(dataDir, 'files');
  const counts = await checkRuns(checked.knex, {
    acknowledged: load.acknowledged,
    endedBefore: new Map(),
    files,
  });
  expect(counts['Succeeded']).toBeGreaterThan(3);
  process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
}, 120_000);
