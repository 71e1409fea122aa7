/**
 * Under load, the embedded database is killed at random times, then together with the portal. RUNSHEET_FAULT_SEED
 * repeats a run.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { findPostmaster } from '#server/db/embedded/postmaster-file.ts';
import { findRunningPostgres } from '#server/db/embedded/running-postgres.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { rounds } from '#test/support/test-set.ts';
import { untilProgress } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, untilNothingPending } from './check-runs.ts';
import {
  cleanUp,
  eventually,
  launch,
  publish,
  temporaryFolder,
  TEST_TIMEOUT_MS,
  untilSucceeded,
} from './fault-bench.ts';
import { startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const KILLS = Number(process.env['RUNSHEET_FAULT_ROUNDS']) || rounds(2, 8);

/** Kills the embedded server once it runs; it may still be recovering from the previous kill. */
async function killDatabase(dataDir: string): Promise<void> {
  const kill = async (): Promise<boolean> => {
    // Do not trust every pid in postmaster.pid: while the server starts, it is the portal's own.
    const pid = await findPostmaster(join(dataDir, 'database', 'cluster'));
    try {
      return pid !== undefined && process.kill(pid, 'SIGKILL');
    } catch {
      return false;
    }
  };
  await eventually('the embedded server runs', kill);
}

test(
  `an embedded database that is killed loses no run and doubles none (seed ${random.seed})`,
  async (context) => {
    context.skip(
      process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined,
      'The embedded PostgreSQL is killed by `npm test`',
    );
    const dataDir = await temporaryFolder();
    const portal = launch('portal', { RUNSHEET_DATA_DIR: dataDir });
    await portal.start();
    cleanUp(() => portal.stop());
    // The pool reconnects, like those of the servers.
    const database = createDatabase({ url: await findRunningPostgres(dataDir), poolSize: 2 });
    cleanUp(() => database.close());
    const { knex } = database;
    const { token } = await administratorToken(database);
    const client = portalClient(() => portal.address, token);
    const load = startLoad(client, await publish(client), random, 3);
    let wanted = 5;
    await untilSucceeded(client, wanted);
    for (let kills = 0; kills < KILLS; kills++) {
      await pause(random.between(0, 500));
      await killDatabase(dataDir);
      await untilSucceeded(client, (wanted += 3));
    }
    // Kills the portal and its database at once, like a power failure.
    await killDatabase(dataDir);
    await portal.kill();
    await portal.start();
    await untilSucceeded(client, (wanted += 5));
    await load.stop();
    await untilProgress(
      'no run is pending',
      () => client.pending(),
      (pending) => pending === 0,
    );

    await eventually('the connections are back', () => knex.raw('select 1').catch(() => false));
    await untilNothingPending(knex);
    const files = join(dataDir, 'files');
    const counts = await checkRuns(knex, { acknowledged: load.acknowledged, endedBefore: new Map(), files });
    expect(counts['Succeeded']).toBeGreaterThan(3);
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);
